// study_runs.js -- the runs of a store: what was run, when, and how long it took.

import {element, redraw} from "./dom.js";
import {exports, listDrawing} from "./svg.js";
import {StudyView, commandFooter} from "./study_state.js";
import {shownName, shownValue} from "./text.js";

const kMostRows = 200;
const kParameters = (run) => Object.entries(run.parameters).map(([name, value]) => `${name}=${value}`).join(" ");
// key, head, value to sort by, text; numbers stand at the right.
const kColumns = [
  ["run", "run", (run) => run.run, String, true],
  ["program", "program", (run) => run.program, (text) => shownName(text, 60)],
  ["ranks", "ranks", (run) => run.ranks, String, true],
  ["threads", "threads", (run) => run.locations, String, true],
  ["date", "date", (run) => run.date, (text) => shownName(text, 40)],
  ["parameters", "parameters", kParameters, (text) => shownName(text, 80)],
  ["commit", "commit", (run) => run.commit, (text) => shownName(text, 14)],
  ["kind", "kind", (run) => run.kind, (text) => shownName(text, 20)],
  ["wall", "wall time", (run) => run.wall_seconds ?? -1, (value) => (value < 0 ? "–" : shownValue(value, "sec")), true],
  ["time", "time of all threads", (run) => run.time ?? -1, (value) => (value < 0 ? "–" : shownValue(value, "sec")), true],
  ["tags", "tags", (run) => run.tags.join(" "), (text) => shownName(text, 60)],
  ["machine", "machine", (run) => run.machine, (text) => shownName(text, 30)],
];

function compared(a, b) {
  return typeof a === "number" ? a - b : a < b ? -1 : a > b ? 1 : 0;
}

export class RunsView extends StudyView {
  constructor(state) {
    super(state, "runs-of-store", "Runs");
  }

  async read() {
    const {runs, time} = await this.state.runs();
    return runs.map((run, i) => ({...run, time: time[i]}));
  }

  // "-wall": the largest first.
  chosen(runs) {
    const {filter, order} = this.state.values, wanted = filter.toLowerCase();
    const shown = wanted ? runs.filter((run) => kColumns.some(([, , value]) => String(value(run)).toLowerCase().includes(wanted))) : [...runs];
    const [, , value] = kColumns.find(([key]) => key === order.replace(/^-/, "")) ?? kColumns[0];
    return shown.sort((a, b) => (order.startsWith("-") ? -1 : 1) * (compared(value(a), value(b)) || 0));
  }

  draw(runs) {
    const {state} = this, {store} = state, shown = this.chosen(runs), rows = shown.slice(0, kMostRows);
    const search = element("input", {type: "search", "aria-label": "Filter runs", placeholder: "filter: program, commit, n=512 …", value: state.values.filter,
      on: {change: (event) => state.goTo({filter: event.target.value})}});
    const used = kColumns.filter(([key, , value]) => ["run", "program"].includes(key) || runs.some((run) => !["", -1].includes(value(run))));
    redraw(this.host, element("h2", {}, `Runs of ${shownName(store.name, 200)}`),
      element("p", {class: "facts", role: "status"}, `${shown.length} of ${runs.length} runs${shown.length > rows.length ? `, of which the first ${rows.length} are listed; CSV has all` : ""}.`),
      store.runs_left_out > 0 && element("p", {class: "warning"}, `${store.runs_left_out} older runs are left out: the page takes the newest ${runs.length}.`),
      element("div", {class: "bar"}, element("label", {}, "Filter: ", search), exports("runs", () => picture(rows), () => table(shown))),
      element("table", {class: "bars runs-table"}, element("thead", {}, element("tr", {}, used.map((column) => this.head(column)))),
        element("tbody", {}, rows.map((run) => element("tr", {}, used.map(([, , value, text, isNumber]) => element("td", {class: isNumber ? "number" : null}, text(value(run))))))) ),
      runs.some((run) => run.incomplete) && element("p", {class: "note"}, `Not complete, and in no history: ${runs.filter((run) => run.incomplete).slice(0, 50).map((run) => run.run).join(", ")}.`),
      commandFooter(store.runs.command));
  }

  head([key, head, , , isNumber]) {
    const {order} = this.state.values, isIt = order.replace(/^-/, "") === key;
    const next = order === key ? `-${key}` : key, sign = !isIt ? "" : order.startsWith("-") ? " ▼" : " ▲";
    return element("th", {scope: "col", class: isNumber ? "number" : null, "aria-sort": isIt ? (order.startsWith("-") ? "descending" : "ascending") : "none"},
      element("button", {type: "button", class: "link", on: {click: () => this.state.goTo({order: next})}}, `${head}${sign}`));
  }
}

function picture(runs) {
  const most = Math.max(...runs.map((run) => run.time ?? 0), 1e-300);
  return listDrawing("Time of all threads by run", runs.map((run) => ({value: shownValue(run.time ?? 0, "sec"), text: `run ${run.run}: ${run.program}, ${run.ranks} ranks ${kParameters(run)}`, share: (run.time ?? 0) / most})));
}

// As `tarry store list --format csv` has it, with the time.
function table(runs) {
  return {heads: ["run", "program", "commit", "kind", "nodes", "ranks", "locations", "date", "wall_seconds", "parameters", "tags", "time"],
    rows: runs.map((run) => [run.run, run.program, run.commit, run.kind, run.nodes, run.ranks, run.locations, run.date, run.wall_seconds ?? "", kParameters(run), run.tags.join(" "), run.time ?? ""])};
}
