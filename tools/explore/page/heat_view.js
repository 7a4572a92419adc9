// heat_view.js -- a metric as a map: locations from left to right, call paths or iterations from top to bottom.

import {colourScale, legend} from "./colours.js";
import {choice, element, redraw} from "./dom.js";
import {cells, drawing, exports, svg} from "./svg.js";
import {shownName, shownValue} from "./text.js";

const kMostRows = 60, kMostColumns = 1024, kWidth = 900, kLeft = 260, kRow = 18;

export class HeatView {
  constructor(state) {
    this.state = state;
    this.rows = "paths";
    this.host = element("section", {class: "heat", "aria-label": "Heat map"});
  }

  async update() {
    const {run, values} = this.state;
    const asked = (this.asked = {});
    const map = this.rows === "paths" ? await pathRows(run, this.state) : iterationRows(run, this.rows.slice(2), values.metric);
    if (asked !== this.asked) return;
    const unit = run.metrics[values.metric].unit;
    const kinds = [["paths", "call paths"], ...iterationChoices(run)];
    const title = `${shownName(run.metrics[values.metric].title, 60)}: ${this.rows === "paths" ? "locations × call paths" : "processes × iterations"}`;
    const body = map && map.rows.length > 0 ? this.draw(map, title, (value) => shownValue(value, unit))
      : element("p", {class: "note"}, "Nothing to show: the metric has no value here.");
    redraw(this.host, element("h2", {}, title),
      element("div", {class: "bar"}, metricChoice(this.state), choice("Rows", kinds, this.rows, (rows) => { this.rows = rows; this.update(); })), body);
  }

  draw({rows, columns, nameOf}, title, text) {
    const group = Math.ceil(columns / kMostColumns), shownColumns = Math.ceil(columns / group);
    const scale = colourScale(rows.flatMap((row) => Array.from(row.values)));
    const height = rows.length * Math.min(kRow, Math.max(2, 600 / rows.length));
    const each = height / rows.length, width = kWidth - kLeft - 10;
    const largest = (values, column) => {
      let found = 0;
      for (let c = column * group; c < Math.min(columns, (column + 1) * group); ++c) if (Math.abs(values[c]) > Math.abs(found)) found = values[c];
      return found;
    };
    const hint = element("p", {class: "hint", "aria-live": "polite"}, "\u00a0");
    const picture = drawing(title, kWidth, height + 20,
      each >= 10 ? rows.map((row, i) => svg("text", {x: kLeft - 6, y: (i + 0.75) * each, "text-anchor": "end", class: "rowname"}, shownName(row.name, 42), svg("title", {}, shownName(row.title ?? row.name, 1000)))) : null,
      cells(shownColumns, rows.length, kLeft, 0, width, height, (column, row) => { const value = largest(rows[row].values, column); return value === 0 ? null : scale.colour(value); }),
      svg("text", {x: kLeft, y: height + 15, class: "axis"}, nameOf(0)), svg("text", {x: kWidth - 10, y: height + 15, "text-anchor": "end", class: "axis"}, nameOf(columns - 1)));
    const cellOf = (event) => {
      const box = picture.getBoundingClientRect();
      const x = ((event.clientX - box.left) / box.width) * kWidth - kLeft, y = ((event.clientY - box.top) / box.height) * (height + 20);
      return [Math.min(columns - 1, Math.floor((x / width) * shownColumns) * group), Math.floor(y / each)];
    };
    picture.addEventListener("mousemove", (event) => {
      const [column, row] = cellOf(event);
      if (column >= 0 && rows[row]) hint.textContent = `${shownName(rows[row].name, 100)}, ${nameOf(column)}: ${text(rows[row].values[column])}`;
    });
    picture.addEventListener("click", (event) => {
      const [column, row] = cellOf(event);
      if (rows[row]?.path !== undefined && column >= 0) this.state.goTo({view: "explore", path: rows[row].path, location: this.state.run.listed[column]});
    });
    return element("div", {}, legend(scale, text), picture, hint,
      exports("heat-map", () => picture, () => ({heads: ["row", ...Array.from({length: columns}, (_, c) => nameOf(c))], rows: rows.map((row) => [row.title ?? row.name, ...row.values])})));
  }
}

export function metricChoice(state) {
  const {run, values} = state;
  const depth = (id) => (run.metrics[id].parent < 0 ? 0 : depth(run.metrics[id].parent) + 1);
  return choice("Metric", run.metrics.filter((metric) => run.totalOf({metric: metric.id, own: false}) !== 0 || metric.id === values.metric)
    .map((metric) => [String(metric.id), "\u00a0\u00a0".repeat(depth(metric.id)) + shownName(metric.title || metric.name, 60)]), String(values.metric),
    (value) => state.goTo({metric: Number(value)}));
}

// Call paths with most of the metric of their own, in the order of the tree.
async function pathRows(run, state) {
  const measure = {metric: state.values.metric, own: false};
  const {exclusive} = run.totalsOf(measure);
  const largest = Array.from(exclusive, (value, path) => [Math.abs(value), path]).filter(([size]) => size > 0)
    .sort((a, b) => b[0] - a[0]).slice(0, kMostRows).map(([, path]) => path).sort((a, b) => a - b);
  const rows = [];
  for (const path of largest) {
    const parent = run.paths.parent[path];
    rows.push({path, name: parent >= 0 ? `${run.paths.nameOf(parent)}/${run.paths.nameOf(path)}` : run.paths.nameOf(path),
      title: run.paths.shortTextOf(path), values: listedOf(run, await run.vector(measure, [[path, false]]))});
  }
  return {rows, columns: run.listed.length, nameOf: (column) => run.locations.nameOf(run.listed[column])};
}

function listedOf(run, vector) {
  return run.kept ? Float64Array.from(run.listed, (location) => vector[location]) : vector;
}

// "i:REGION" for each region with a series.
function iterationChoices(run) {
  return Object.keys(run.iterations ?? {}).map((region) => [`i:${region}`, `iterations of ${shownName(region, 40)}`]);
}

// Iterations of a region by process, as `tarry report --iterations` has them; the mean where a row has several.
function iterationRows(run, region, metric) {
  const series = run.iterations?.[region];
  const found = series?.metrics?.find((m) => m.metric === run.metrics[metric].name);
  if (!found) return null;
  const rows = series.iterations.map(({first, last, count}, i) => ({name: first === last ? `iteration ${first}` : `iterations ${first}-${last}`,
    values: found.values[i].map((value) => value / count)}));
  return {rows, columns: series.ranks.length, nameOf: (process) => `rank ${series.ranks[process]}`};
}
