// about.js -- what a metric means: its definition and picture, from the page that explains all metrics.

import {element} from "./dom.js";
import {shownName, shownValue} from "./text.js";

export function aboutMetric(state) {
  const {run} = state;
  const {metric} = state.values;
  const facts = run.metrics[metric];
  const parts = state.texts?.metrics?.[facts.name] ?? [];
  return element("div", {class: "about"},
    element("h3", {}, shownName(facts.title || facts.name)),
    element("p", {}, shownName(facts.what ?? "The report does not describe it.", 4000)),
    paragraphs(parts, state.texts?.pictures ?? {}),
    facts.expression && element("pre", {}, shownName(facts.expression, 8000)),
    element("dl", {},
      element("dt", {}, "Name for commands"), element("dd", {}, element("code", {}, shownName(facts.name))),
      element("dt", {}, "Unit"), element("dd", {}, shownName(facts.unit || "none")),
      element("dt", {}, "In the whole run"), element("dd", {}, shownValue(run.totalOf({metric, own: false}), facts.unit)),
      element("dt", {}, "Without the metrics below"), element("dd", {}, shownValue(run.totalOf({metric, own: true}), facts.unit))),
    facts.children.length > 0 && element("p", {}, "Below it: ", facts.children.map((child, i) => [i > 0 ? ", " : "",
      element("button", {type: "button", class: "link", on: {click: () => state.goTo({metric: child})}}, shownName(run.metrics[child].title, 80))])));
}

// Items of a list that follow one another become one list.
function paragraphs(parts, pictures) {
  const made = [];
  for (const part of parts) {
    if (part.item !== undefined) {
      if (made[made.length - 1]?.tagName !== "UL") made.push(element("ul"));
      made[made.length - 1].append(element("li", {}, words(part.item)));
    } else if (part.code !== undefined) {
      made.push(element("pre", {}, part.code));
    } else if (part.picture !== undefined) {
      if (pictures[part.picture]) made.push(element("img", {class: "figure", alt: part.alt ?? "", src: pictureSource(pictures[part.picture])}));
    } else {
      made.push(element("p", {}, words(part.text ?? "")));
    }
  }
  return made;
}

// Names stand between backticks.
function words(text) {
  return text.split("`").map((piece, i) => (i % 2 === 1 ? element("code", {}, piece) : piece));
}

function pictureSource(svg) {
  const bytes = new TextEncoder().encode(svg);
  let binary = "";
  for (const byte of bytes) binary += String.fromCharCode(byte);
  return `data:image/svg+xml;base64,${btoa(binary)}`;
}
