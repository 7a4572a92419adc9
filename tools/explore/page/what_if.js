// what_if.js -- what the run would gain if a delay or a region took less time: the table of `tarry predict --rank-delays`.

import {scaleLinear} from "d3-scale";
import {element} from "./dom.js";
import {findPath} from "./state.js";
import {axis, drawing, exports, svg} from "./svg.js";
import {shellWord, shownName, shownShare, shownValue} from "./text.js";

// Which share of the time is away, and the name of its gain: computed there; straight lines lie between.
const kPoints = [[0, null], [1 - 1 / 1.1, "faster_10"], [1 - 1 / 1.5, "faster_50"], [0.5, "faster_100"], [1, "gone"]];

export function gainAt(gain, share) {
  const known = kPoints.map(([at, name]) => [at, name ? gain[name] : 0]);
  const behind = known.findIndex(([at]) => at >= share);
  if (behind <= 0) return known[Math.max(behind, 0)][1];
  const [low, from] = known[behind - 1], [high, to] = known[behind];
  return from + ((to - from) * (share - low)) / (high - low);
}

export class WhatIfView {
  constructor(state) {
    this.state = state;
    this.share = 1;
    this.chosen = 0;
    this.host = element("section", {class: "what-if", "aria-label": "What if"});
  }

  update() {
    const {run} = this.state;
    const table = run.what_if;
    if (!table?.rows?.length) return this.host.replaceChildren(element("h2", {}, "What if"), element("p", {class: "note"}, "The page has no predictions: they need a trace."));
    this.rows = element("tbody");
    this.text = element("output");
    this.curve = element("div");
    const slider = element("input", {type: "range", min: 0, max: 100, value: this.share * 100, "aria-label": "Share of its time that is away",
      on: {input: (event) => { this.share = Number(event.target.value) / 100; this.show(run, table); }}});
    this.host.replaceChildren(element("h2", {}, `What if: gains of a run of ${shownValue(table.predicted, "sec")}`),
      element("div", {class: "bar"}, element("label", {}, "Each of these takes less time: ", slider), this.text,
        exports("what-if", () => this.curve.querySelector("svg"), () => csvTable(table))),
      this.curve, element("table", {class: "bars"}, element("thead", {}, element("tr", {}, ["gain", "of the run", "what", ""].map((head) => element("th", {scope: "col"}, head)))), this.rows),
      element("footer", {}, "The same by a command: ", element("code", {class: "command"}, `tarry predict ${shellWord(run.facts.archive ?? run.facts.input)} --rank-delays`)));
    this.show(run, table);
  }

  show(run, table) {
    this.text.textContent = this.share === 1 ? "all of it" : `${Math.round(this.share * 100)} % of it: ${(1 / (1 - this.share)).toFixed(2)} times as fast`;
    const rows = table.rows.map((row, i) => [gainAt(row.gain, this.share), row, i]).sort((a, b) => b[0] - a[0]);
    this.rows.replaceChildren(...rows.map(([gain, row, i]) => element("tr", {class: i === this.chosen ? "chosen" : null},
      element("td", {class: "number"}, shownValue(gain, "sec")), element("td", {class: "number"}, shownShare(gain / table.predicted)),
      element("th", {scope: "row"}, this.nameOf(run, table, row, i)),
      element("td", {class: "space"}, element("span", {class: "measure", style: {width: `${Math.max(0, Math.min(100, (gain / table.predicted) * 100)).toFixed(1)}%`}})))));
    const chosen = table.rows[this.chosen] ?? table.rows[0];
    this.curve.replaceChildren(curve(chosen, table, this.share));
  }

  nameOf(run, table, row, i) {
    const path = row.callpath ? findPath(run, row.callpath) : -1;
    const name = row.kind === "delay" ? `delay ${row.number}: ${row.name}` : `region ${row.region}`;
    const cost = row.kind === "delay" ? `costs ${shownValue(row.cost, "sec")} of waiting, ${shownValue(row.direct, "sec")} of it directly` : `${shownValue(row.computation, "sec")} of computation`;
    return [element("button", {type: "button", class: "link", on: {click: () => { this.chosen = i; this.show(run, table); }}}, shownName(name, 160)),
      element("p", {class: "place"}, cost, path >= 0 && [" · ", element("button", {type: "button", class: "link", on: {click: () => this.state.goTo({view: "explore", path})}}, "call path")])];
  }
}

// Gain by the share of time that is away.
function curve(row, table, share) {
  const width = 420, height = 160, left = 70, base = height - 24;
  const gains = kPoints.map(([, name]) => (name ? row.gain[name] : 0));
  const x = scaleLinear([0, 1], [left, width - 14]), y = scaleLinear([Math.min(0, ...gains), Math.max(...gains, 1e-9)], [base, 10]);
  const name = row.kind === "delay" ? row.name : row.region;
  return drawing(`Gain for ${shownName(name, 100)}`, width, height,
    svg("polyline", {class: "curve", points: kPoints.map(([at], i) => `${x(at).toFixed(1)},${y(gains[i]).toFixed(1)}`).join(" ")}),
    kPoints.map(([at], i) => svg("circle", {cx: x(at), cy: y(gains[i]), r: 3, class: "mark"})),
    svg("line", {x1: x(share), x2: x(share), y1: 10, y2: base, class: "mean"}),
    axis("x", x, base, [0, 0.5, 1], (v) => `${v * 100} %`), axis("y", y, left, [0, Math.max(...gains, 1e-9)], (v) => shownValue(v, "sec")),
    svg("text", {x: left + 8, y: 20, class: "note"}, shownName(name, 50)));
}

function csvTable(table) {
  return {heads: ["kind", "number", "name", "callpath", "cost", "faster_10", "faster_50", "faster_100", "gone"],
    rows: table.rows.map((row) => [row.kind, row.number ?? "", row.name ?? row.region, row.callpath ?? "", row.cost ?? row.computation, row.gain.faster_10, row.gain.faster_50, row.gain.faster_100, row.gain.gone])};
}
