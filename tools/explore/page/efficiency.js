// efficiency.js -- POP's efficiencies of all runs of the page, as `tarry report --efficiency` has them.

import {element} from "./dom.js";
import {csvButton} from "./svg.js";
import {shellWord, shownName, shownValue} from "./text.js";

const kModels = [["standard", "POP efficiencies"], ["multiplicative", "Processes and threads: factors"], ["additive", "Processes and threads: losses add up"],
                 ["accelerated", "Host and accelerators"]];
// How good a value is. POP holds 0.8 and more for acceptable; below a half there is most to gain.
const kGrades = [[0.8, "good", "✓"], [0.5, "fair", "○"], [-Infinity, "poor", "✗"]];

export function gradeOf(value) {
  return kGrades.find(([least]) => value >= least);
}

// `table`: as the command writes it; `names`: {model, key, label, depth} of each efficiency.
export function efficiencies(table, names) {
  const models = kModels.filter(([model]) => table.runs.some((run) => run[model]));
  const rows = models.flatMap(([model, title]) => [
    element("tr", {}, element("th", {scope: "rowgroup", colspan: table.runs.length + 1}, title)),
    ...names.filter((name) => name.model === model).map((name) => row(table, model, name))]);
  return element("section", {class: "efficiencies"}, element("h3", {}, "Efficiencies"),
    element("p", {class: "note"}, "Colours and signs: ✓ at least 80 % (good), ○ at least 50 % (fair), ✗ below 50 % (poor). A factor is the product of those indented below it."),
    element("table", {}, element("caption", {}, table.runs.length > 1 ? "The first run is the reference." : ""),
      element("thead", {}, element("tr", {}, element("th", {scope: "col"}, ""), table.runs.map((run) => element("th", {scope: "col"}, shownName(run.run, 60), element("br"),
        `${run.processes} × ${Math.round((run.threads / Math.max(1, run.processes)) * 100) / 100}, ${shownValue(run.runtime, "sec")}`)))),
      element("tbody", {}, rows)),
    table.runs.flatMap((run) => (run.notes ?? []).map((note) => element("p", {class: "note"}, `${shownName(run.run, 60)}: ${shownName(note, 600)}`))),
    csvButton("efficiencies", () => csvTable(table, names, models)),
    element("p", {class: "hint"}, "The same by a command: ", element("code", {class: "command"}, `tarry report --efficiency ${table.runs.map((run) => shellWord(run.run)).join(" ")}`)));
}

function row(table, model, {key, label, depth}) {
  return element("tr", {}, element("th", {scope: "row", style: {"padding-inline-start": `${depth}rem`}}, label), table.runs.map((run) => efficiencyCell(run[model]?.[key], run.missing?.[key])));
}

export function efficiencyCell(value, reason) {
  if (value === null || value === undefined) return element("td", {class: "number", title: shownName(reason ?? "", 400)}, "–", reason && element("span", {class: "place"}, ` ${shownName(reason, 160)}`));
  const [, grade, sign] = gradeOf(value);
  return element("td", {class: `number grade ${grade}`}, element("span", {class: "sign", role: "img", "aria-label": grade}, sign), ` ${(value * 100).toFixed(2)} %`);
}

function csvTable(table, names, models) {
  return {heads: ["model", "metric", ...table.runs.map((run) => run.run)],
    rows: models.flatMap(([model]) => names.filter((name) => name.model === model).map(({key}) => [model, key, ...table.runs.map((run) => run[model]?.[key] ?? "")]))};
}
