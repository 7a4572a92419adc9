// dom.js -- makes elements. Text is never read as markup.

// element("button", {class: "x", title: "y", on: {click: f}}, "text", child, ...); what is null or false is left out.
export function element(tag, facts = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(facts)) {
    if (value === null || value === undefined || value === false) continue;
    if (name === "on") {
      for (const [event, listener] of Object.entries(value)) made.addEventListener(event, listener);
    } else if (name === "style") {
      for (const [property, text] of Object.entries(value)) made.style.setProperty(property, text);
    } else {
      made.setAttribute(name, value === true ? "" : value);
    }
  }
  made.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false));
  return made;
}

// A choice of a few; `choices` are [value, text].
export function choice(label, choices, chosen, onChange) {
  const select = element("select", {"aria-label": label, title: label},
    choices.map(([value, text]) => element("option", {value, selected: value === chosen}, text)));
  select.addEventListener("change", () => onChange(select.value));
  return select;
}

// What an element is for people who cannot see it: the same after it was drawn anew.
function purposeOf(control) {
  return [control.tagName, control.getAttribute("aria-label"), control.getAttribute("data-tab"), control.closest("label, button, td, li")?.textContent].join("|");
}

// New children for a host. The control that had the keyboard keeps it.
export function redraw(host, ...children) {
  const active = document.activeElement;
  const purpose = active && host.contains(active) ? purposeOf(active) : null;
  host.replaceChildren(...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false));
  if (purpose) [...host.querySelectorAll("button, select, input, [tabindex]")].find((control) => purposeOf(control) === purpose)?.focus();
}

const kSteps = {ArrowLeft: -1, ArrowRight: 1};

// The next button of a list of tabs, round and round.
function onTabKey(event) {
  const buttons = [...event.currentTarget.children], at = buttons.indexOf(document.activeElement);
  if (at < 0 || !kSteps[event.key]) return;
  event.preventDefault();
  const next = buttons[(at + kSteps[event.key] + buttons.length) % buttons.length];
  next.focus();
  next.click();
}

// Buttons of which one is pressed.
export function tabs(label, choices, chosen, onChange) {
  return element("div", {class: "tabs", role: "tablist", "aria-label": label, on: {keydown: onTabKey}},
    choices.map(([value, text]) =>
      element("button", {type: "button", role: "tab", "aria-selected": String(value === chosen), "data-tab": value,
        on: {click: () => onChange(value)}}, text)));
}
