// compare_view.js -- two sides of runs: which values have moved, by more than repeats differ.

import {compare, comparedMetrics} from "./compare.js";
import {choice, element, redraw} from "./dom.js";
import {findPath} from "./state.js";
import {drawing, exports, svg} from "./svg.js";
import {shellWord, shownName, shownShare, shownValue} from "./text.js";

const kMostRows = 200, kStrip = 180;
const kItems = [["callpath", "call paths"], ["region", "regions"], ["metric", "the whole metric"]];
const kTolerances = [["0", "tolerance 0 %"], ["0.01", "tolerance 1 %"], ["0.05", "tolerance 5 %"], ["0.1", "tolerance 10 %"]];
const kFloors = [["0", "all sizes"], ["0.001", "≥ 0.1 % of the metric"], ["0.01", "≥ 1 % of the metric"]];
const kSides = [["before", "old"], ["now", "new"], ["", "left out"]];

export class CompareView {
  constructor(state) {
    this.state = state;
    this.runs = state.runs.filter((run) => !run.facts.is_difference);
    this.sides = this.runs.map((_, i) => (i + state.repeats < this.runs.length ? "before" : "now"));
    this.options = {per: "callpath", isInclusive: false, tolerance: 0.05, floor: 0.001, isMovedOnly: false};
    this.host = element("section", {class: "compare", "aria-label": "Compare"});
  }

  side(name) {
    return this.runs.filter((_, i) => this.sides[i] === name);
  }

  metricName() {
    const name = this.state.run.metrics[this.state.values.metric].name;
    const known = comparedMetrics(this.runs);
    return known.some((metric) => metric.name === name) ? name : known[0]?.name;
  }

  update() {
    const metric = this.metricName(), before = this.side("before"), now = this.side("now");
    const known = before.length > 0 && now.length > 0 && metric !== undefined;
    const all = known ? compare(before, now, {...this.options, metric}) : [];
    const moved = all.filter((item) => item.verdict === "moved");
    const shown = this.options.isMovedOnly ? moved : all;
    const unit = known ? this.runs[0].metrics[this.runs[0].metricNamed(metric)].unit : "";
    redraw(this.host, element("h2", {}, "Compare: new runs beside old ones"), this.drawSides(), this.drawBar(metric, shown, unit),
      element("p", {class: "facts", role: "status"}, known ? this.summary(all, moved, before.length, now.length) : "Choose an old and a new run."),
      this.drawTable(shown.slice(0, kMostRows), unit),
      ...(shown.length > kMostRows ? [element("p", {class: "note"}, `and ${shown.length - kMostRows} smaller changes; CSV has all`)] : []),
      element("footer", {}, "The same by commands: ", this.commands(metric, before, now).map((line) => [element("code", {class: "command"}, shownName(line, 1000)), element("br")])));
  }

  drawSides() {
    return element("fieldset", {class: "bar"}, element("legend", {}, "Runs"), this.runs.map((run, i) => element("label", {}, shownName(run.name, 60), " ",
      choice(`Side of ${shownName(run.name, 60)}`, kSides, this.sides[i], (side) => { this.sides[i] = side; this.update(); }))));
  }

  drawBar(metric, shown, unit) {
    const set = (name, read = (value) => value) => (value) => { this.options[name] = read(value); this.update(); };
    const flag = (name, text) => element("label", {}, element("input", {type: "checkbox", checked: this.options[name], on: {change: (event) => set(name)(event.target.checked)}}), text);
    const {run} = this.state;
    return element("div", {class: "bar"},
      choice("Metric", comparedMetrics(this.runs).map(({name, title}) => [name, shownName(title || name, 60)]), metric, (name) => this.state.goTo({metric: Math.max(0, run.metricNamed(name))})),
      choice("Items", kItems, this.options.per, set("per")), flag("isInclusive", "with calls below"),
      choice("Tolerance", kTolerances, String(this.options.tolerance), set("tolerance", Number)),
      choice("Size", kFloors, String(this.options.floor), set("floor", Number)), flag("isMovedOnly", "only what moved"),
      exports("compare", () => picture(shown.slice(0, kMostRows), unit, this.options.per), () => table(shown)));
  }

  // As `tarry cube cmp` says it.
  summary(all, moved, old, fresh) {
    const what = {callpath: "call paths", region: "regions", metric: "metrics"}[this.options.per];
    const spread = old > 1 ? ` and out of the spread of ${old} old runs${fresh > 1 ? `, in each of ${fresh} new ones` : ""}` : "";
    const alone = old > 1 || fresh > 1 ? "" : " One run on each side tells nothing of how much repeats differ: give several, and --repeats.";
    return `${moved.length} of ${all.length} ${what} moved by more than ${shownShare(this.options.tolerance)}${spread}.${alone}`;
  }

  drawTable(items, unit) {
    const heads = ["old mean", "old spread", "new mean", "new spread", "change", "", "verdict", "old ● and new ◆", this.options.per === "metric" ? "" : this.options.per === "region" ? "region" : "call path"];
    return element("table", {class: "bars compared"}, element("thead", {}, element("tr", {}, heads.map((head) => element("th", {scope: "col"}, head)))),
      element("tbody", {}, items.map((item) => this.row(item, unit))));
  }

  row(item, unit) {
    const {before, now, change} = item;
    const spread = (side) => (side.values.length > 1 ? `${shownValue(side.least, unit)} … ${shownValue(side.most, unit)}` : "–");
    const cells = [shownValue(before.mean, unit), spread(before), shownValue(now.mean, unit), spread(now), shownSigned(change, unit), before.mean === 0 ? "new" : shownShare(change / Math.abs(before.mean))];
    return element("tr", {class: item.verdict === "moved" ? "moved" : null}, cells.map((text) => element("td", {class: "number"}, text)), element("td", {}, item.verdict),
      element("td", {}, strip(item, unit)), element("th", {scope: "row"}, this.name(item)));
  }

  // A link to the trees of the difference.
  name(item) {
    const at = this.state.runs.findIndex((run) => run.facts.is_difference), run = this.state.runs[at];
    const path = run && this.options.per === "callpath" ? findPath(run, item.name) : -1;
    const text = breakable(shownName(item.name || "all", 160));
    if (path < 0) return text;
    return element("button", {type: "button", class: "link", on: {click: () => this.state.goTo({run: at, view: "explore", path})}}, text);
  }

  commands(metric, before, now) {
    if (metric === undefined || before.length === 0) return [];
    const inputs = (runs) => runs.map((run) => shellWord(run.facts.input)).join(" ");
    const {per, tolerance, floor, isInclusive} = this.options;
    const options = `-m ${shellWord(metric)} --per ${per} --tolerance ${tolerance * 100}% --ignore-below ${floor * 100}%${isInclusive ? " --inclusive" : ""}`;
    // What has moved here has moved there; here, each of the new runs must be outside of the spread.
    if (now.length > 1) return [`tarry cube mean --exact ${inputs(now)} -o new.cubex`, `tarry cube cmp ${options} ${inputs(before)} new.cubex`];
    return now.map((run) => `tarry cube cmp ${options} ${inputs(before)} ${inputs([run])}`);
  }
}

// A call path may break behind a slash.
function breakable(text) {
  return text.split("/").flatMap((part, i) => (i === 0 ? [part] : ["/", element("wbr"), part]));
}

function shownSigned(value, unit) {
  return value > 0 ? `+${shownValue(value, unit)}` : shownValue(value, unit);
}

// The values of both sides on one line. Shapes tell the sides apart where colours do not.
function marks({before, now}, x, middle) {
  const low = Math.min(before.least, now.least, 0), high = Math.max(before.most, now.most, 0), span = high - low || 1;
  const at = (value) => x + 6 + ((value - low) / span) * (kStrip - 12);
  return [
    svg("line", {x1: at(before.least), x2: at(before.most), y1: middle, y2: middle, class: "whisker"}),
    before.values.map((value) => svg("circle", {cx: at(value), cy: middle, r: 3.5, class: "old"})),
    now.values.map((value) => svg("path", {d: `M${at(value)},${middle - 5}l5,5l-5,5l-5,-5z`, class: "new"})),
  ];
}

function strip(item, unit) {
  const title = `old ${item.before.values.map((value) => shownValue(value, unit)).join(", ")}; new ${item.now.values.map((value) => shownValue(value, unit)).join(", ")}`;
  return drawing(title, kStrip, 16, marks(item, 0, 8));
}

// All rows as one drawing, to be saved.
function picture(items, unit, per) {
  const height = 20;
  return drawing("Compare", kStrip + 720, items.length * height + 10, items.map((item, i) => [
    marks(item, 0, i * height + 14),
    svg("text", {x: kStrip + 10, y: i * height + 18}, `${shownSigned(item.change, unit)}  ${item.verdict}  ${shownName(item.name || per, 90)}`)]));
}

function table(items) {
  const sides = (count, name) => Array.from({length: count}, (_, i) => `${name}_${i + 1}`);
  const [first] = items;
  return {heads: ["name", "old_mean", "old_least", "old_most", "new_mean", "new_least", "new_most", "change", "verdict", ...sides(first?.before.values.length ?? 0, "old"), ...sides(first?.now.values.length ?? 0, "new")],
    rows: items.map(({name, before, now, change, verdict}) => [name, before.mean, before.least, before.most, now.mean, now.least, now.most, change, verdict, ...before.values, ...now.values])};
}
