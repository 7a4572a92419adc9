// what_if.js -- what the run would gain if a delay or a region took less time: the table of `tarry predict --rank-delays`,
// with a slider for each row.
//
// The gains of single rows are simulated. Of several together only bounds are known. If less work makes no process later,
// all together gain as much as the best of them. And they gain no more than what they take away from the critical path:
// the rest of it stays.

import {scaleLinear} from "d3-scale";
import {element, redraw} from "./dom.js";
import {findPath} from "./state.js";
import {axis, drawing, exports, svg} from "./svg.js";
import {shellWord, shownName, shownShare, shownValue} from "./text.js";

// The positions of a slider: what is called how, its gain in the table, and which share of the time is left.
const kSteps = [{text: "as it is", name: null, left: 1}, {text: "10 % faster", name: "faster_10", left: 1 / 1.1}, {text: "50 % faster", name: "faster_50", left: 1 / 1.5},
  {text: "100 % faster", name: "faster_100", left: 0.5}, {text: "gone", name: "gone", left: 0}];

export function gainOf(row, step) {
  return step > 0 ? row.gain[kSteps[step].name] : 0;
}

// The command that predicts one row.
export function commandOf(run, row, step) {
  const {left} = kSteps[step];
  const change = row.kind === "delay" ? `--without-delay ${row.number}${left > 0 ? `=${left}` : ""}` : `--scale-self ${shellWord(`${row.region}=${left}`)}`;
  return `tarry predict ${shellWord(run.facts.trace ?? run.facts.input)} ${change}`;
}

// What a row does on the critical path, in seconds; all of the run if the report does not tell.
function criticalTime(run, row, whole) {
  const metric = run.metricNamed("critical_path");
  if (metric < 0) return whole;
  const {exclusive, inclusive} = run.totalsOf({metric, own: false});
  if (row.kind === "delay") {
    const path = findPath(run, row.callpath ?? "");
    return path >= 0 ? Math.min(inclusive[path], whole) : whole;
  }
  let sum = 0;
  for (let path = 0; path < run.paths.count; ++path) if (run.paths.nameOf(path) === row.region) sum += exclusive[path];
  return Math.min(sum, whole);
}

// What the rows gain together: {least, most}; both are the same for a single one. `chosen` are [row, step].
export function bounds(run, table, chosen) {
  const single = chosen.filter(([, step]) => step > 0);
  const gains = single.map(([row, step]) => gainOf(row, step));
  if (single.length < 2) return {least: gains[0] ?? 0, most: gains[0] ?? 0};
  const least = Math.max(0, ...gains);
  const taken = single.reduce((sum, [row, step]) => sum + (1 - kSteps[step].left) * criticalTime(run, row, table.predicted), 0);
  return {least, most: Math.max(least, Math.min(taken, table.predicted))};
}

export class WhatIfView {
  constructor(state) {
    this.state = state;
    this.steps = new Map();  // of a run: the position of each row's slider
    this.chosen = 0;
    this.host = element("section", {class: "what-if", "aria-label": "What if"});
  }

  update(changed) {
    const {run} = this.state;
    const table = run.what_if;
    if (!table?.rows?.length) return redraw(this.host, element("h2", {}, "What if"), element("p", {class: "note"}, "The page has no predictions: they need a trace."));
    if (!changed.has("view") && !changed.has("run")) return;
    if (!this.steps.has(run)) this.steps.set(run, table.rows.map(() => 0));
    this.sum = element("output", {"aria-live": "polite"});
    this.curve = element("div");
    this.bodies = table.rows.map((row, i) => this.body(run, table, row, i));
    const all = element("input", {type: "range", min: 0, max: kSteps.length - 1, step: 1, value: 0, "aria-label": "All rows",
      on: {input: (event) => { this.steps.set(run, table.rows.map(() => Number(event.target.value))); this.bodies.forEach((body) => body.read()); this.tell(run, table); }}});
    redraw(this.host, element("h2", {}, `What if: gains of a run of ${shownValue(table.predicted, "sec")}`),
      element("p", {class: "note"}, "Each slider takes time away from one delay, or from what one region computes itself. Its gain is that of the whole run, as a simulation found it."),
      element("div", {class: "bar"}, element("label", {}, "All rows: ", all), exports("what-if", () => this.curve.querySelector("svg"), () => csvTable(run, table))),
      this.sum,
      element("table", {class: "bars"}, element("thead", {}, element("tr", {}, ["less time", "gain", "of the run", "if it were gone", "what", ""].map((head) => element("th", {scope: "col"}, head)))),
        element("tbody", {}, this.bodies.map((body) => body.row))),
      this.curve,
      element("footer", {}, "The same by a command: ", element("code", {class: "command"}, `tarry predict ${shellWord(run.facts.trace ?? run.facts.input)} --rank-delays`), ". More or fewer rows: ", element("code", {class: "command"}, "tarry explore --what-if N")));
    this.tell(run, table);
  }

  // One row of the table; `read` shows its slider's position.
  body(run, table, row, i) {
    const name = row.kind === "delay" ? `delay ${row.number}: ${row.name}` : `region ${row.region}`;
    const slider = element("input", {type: "range", min: 0, max: kSteps.length - 1, step: 1, "aria-label": `Less time for ${shownName(name, 100)}`,
      on: {input: () => { this.steps.get(run)[i] = Number(slider.value); this.chosen = i; read(); this.tell(run, table); }}});
    const text = element("span", {class: "place"}), gain = element("td", {class: "number"}), share = element("td", {class: "number"});
    const measure = element("span", {class: "measure"}), command = element("code", {class: "command"});
    const read = () => {
      const step = this.steps.get(run)[i], value = gainOf(row, step);
      slider.value = step;
      slider.setAttribute("aria-valuetext", kSteps[step].text);
      text.textContent = kSteps[step].text;
      gain.textContent = shownValue(value, "sec");
      share.textContent = shownShare(value / table.predicted);
      measure.style.setProperty("width", `${Math.max(0, Math.min(100, (value / table.predicted) * 100)).toFixed(1)}%`);
      command.textContent = shownName(commandOf(run, row, step > 0 ? step : kSteps.length - 1), 600);
    };
    read();
    const cost = row.kind === "delay" ? `costs ${shownValue(row.cost, "sec")} of waiting, ${shownValue(row.direct, "sec")} of it directly` : `${shownValue(row.computation, "sec")} of computation`;
    const path = row.callpath ? findPath(run, row.callpath) : -1;
    return {read, row: element("tr", {}, element("td", {}, slider, element("br"), text), gain, share, element("td", {class: "number"}, shownValue(row.gain.gone, "sec")),
      element("th", {scope: "row"}, element("button", {type: "button", class: "link", on: {click: () => { this.chosen = i; this.tell(run, table); }}}, shownName(name, 160)),
        element("p", {class: "place"}, cost, path >= 0 && [" · ", element("button", {type: "button", class: "link", on: {click: () => this.state.goTo({view: "explore", path})}}, "call path")]),
        element("p", {class: "place"}, command)),
      element("td", {class: "space"}, measure))};
  }

  tell(run, table) {
    const chosen = table.rows.map((row, i) => [row, this.steps.get(run)[i]]);
    const {least, most} = bounds(run, table, chosen);
    const count = chosen.filter(([, step]) => step > 0).length;
    this.sum.textContent = count === 0 ? "Nothing is faster yet."
      : count === 1 ? `This gains ${shownValue(least, "sec")}, ${shownShare(least / table.predicted)} of the run.`
      : `These ${count} together gain at least ${shownValue(least, "sec")} (${shownShare(least / table.predicted)}), which is the best of them alone, and at most ${shownValue(most, "sec")} ` +
        `(${shownShare(most / table.predicted)}), which is what they take away from the critical path. What lies between was not simulated.`;
    this.bodies.forEach((body, i) => body.row.setAttribute("class", i === this.chosen ? "chosen" : ""));
    const shown = table.rows[this.chosen] ?? table.rows[0];
    this.curve.replaceChildren(curve(shown, table, this.steps.get(run)[this.chosen] ?? 0));
  }
}

// Gain by the share of time that is away: the points are simulated, the lines between them lead the eye.
function curve(row, table, step) {
  const width = 420, height = 160, left = 70, base = height - 24;
  const gains = kSteps.map((_, i) => gainOf(row, i)), away = kSteps.map((each) => 1 - each.left);
  const x = scaleLinear([0, 1], [left, width - 14]), y = scaleLinear([Math.min(0, ...gains), Math.max(...gains, 1e-9)], [base, 10]);
  const name = row.kind === "delay" ? row.name : row.region;
  return drawing(`Gain for ${shownName(name, 100)} by the share of its time that is away`, width, height,
    svg("polyline", {class: "curve", points: away.map((at, i) => `${x(at).toFixed(1)},${y(gains[i]).toFixed(1)}`).join(" ")}),
    away.map((at, i) => svg("circle", {cx: x(at), cy: y(gains[i]), r: i === step ? 5 : 3, class: "mark"}, svg("title", {}, `${kSteps[i].text}: ${shownValue(gains[i], "sec")}`))),
    axis("x", x, base, [0, 0.5, 1], (v) => `${v * 100} %`), axis("y", y, left, [0, Math.max(...gains, 1e-9)], (v) => shownValue(v, "sec")),
    svg("text", {x: left + 8, y: 20, class: "note"}, shownName(name, 50)));
}

function csvTable(run, table) {
  return {heads: ["kind", "number", "name", "callpath", "cost", "faster_10", "faster_50", "faster_100", "gone", "command"],
    rows: table.rows.map((row) => [row.kind, row.number ?? "", row.name ?? row.region, row.callpath ?? "", row.cost ?? row.computation, row.gain.faster_10, row.gain.faster_50,
      row.gain.faster_100, row.gain.gone, commandOf(run, row, kSteps.length - 1)])};
}
