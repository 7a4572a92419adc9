// study_models.js -- models of call paths: which will dominate, how well they fit, and what they predict.

import {choice, element, redraw} from "./dom.js";
import {lineChart, measuredMarks} from "./plot.js";
import {StudyView, commandFooter, levelChoice, metricChoice, studyNote} from "./study_state.js";
import {exports} from "./svg.js";
import {shownName, shownShare, shownValue} from "./text.js";

const kSorts = [["predicted", "by what they predict"], ["growth", "by growth"], ["r2", "by fit (adjusted R²)"], ["smape", "by error"], ["callpath", "by name"]];

function fraction(text) {
  const [above, below = "1"] = text.split("/");
  return Number(above) / Number(below);
}

function growthAt([power, log], value) {
  return value ** fraction(power) * Math.log2(value) ** Number(log);
}

// The value of a model at some parameters, by name.
export function modelAt(model, parameters) {
  return model.terms.reduce((sum, {c, ...growths}) => sum + Object.entries(growths).reduce((product, [name, growth]) => product * growthAt(growth, parameters[name]), c), model.constant);
}

// The fastest growth along a parameter as a number: the power counts first, then the logarithm.
export function growthOf(model, parameter) {
  return model.terms.reduce((most, term) => (Object.hasOwn(term, parameter) ? Math.max(most, fraction(term[parameter][0]) * 1000 + Number(term[parameter][1])) : most), model.terms.length > 0 ? -Infinity : 0);
}

function placeOf(row) {
  return Object.fromEntries(row.parameters.map((name, k) => [name, row.predicted.at[k]]));
}

// Between two places of a curve, along logarithms; {lower, upper, isExact}, or null outside.
export function bandAt(curve, at) {
  const exact = curve.at.indexOf(at);
  if (exact >= 0) return {lower: curve.lower[exact], upper: curve.upper[exact], isExact: true};
  const above = curve.at.findIndex((place) => place > at);
  if (above <= 0) return null;
  const share = Math.log(at / curve.at[above - 1]) / Math.log(curve.at[above] / curve.at[above - 1]);
  const between = (values) => values[above - 1] + (values[above] - values[above - 1]) * share;
  return {lower: between(curve.lower), upper: between(curve.upper), isExact: false};
}

export class ModelsView extends StudyView {
  constructor(state) {
    super(state, "models", "Models");
  }

  read() {
    return this.state.studyData();
  }

  // The rows of the metric with what they predict where the user asks.
  rowsOf(level) {
    const {values} = this.state, {along, at} = this.parameter(level);
    const rows = level.models.map((row, i) => ({...row, curves: level.curves[i]})).filter((row) => row.metric === values.metric).map((row) => {
      if (!row.model) return {...row, prediction: null};
      const k = row.parameters.indexOf(along), asked = at !== null && k >= 0 && at !== row.predicted.at[k];
      if (!asked) return {...row, prediction: row.predicted.value, band: row.predicted.lower === undefined ? null : {lower: row.predicted.lower, upper: row.predicted.upper, isExact: true}};
      const isOthersLargest = row.parameters.every((_, other) => other === k || row.predicted.at[other] === Math.max(...row.points.map((point) => point.at[other])));
      return {...row, prediction: modelAt(row.model, {...placeOf(row), [along]: at}), band: isOthersLargest ? bandAt(row.curves[k], at) : null};
    });
    const sum = rows.reduce((total, row) => total + Math.max(0, row.prediction ?? 0), 0);
    return rows.map((row) => ({...row, share: row.model ? (at === null ? row.predicted.share : sum > 0 ? Math.max(0, row.prediction) / sum : 0) : null}));
  }

  // The parameter along which models are drawn, and the place that the user wants (null: that of the command).
  parameter(level) {
    const {values} = this.state;
    const known = [...new Set(level.models.filter((row) => row.metric === values.metric).flatMap((row) => row.parameters))];
    const along = known.includes(values.along) ? values.along : known[0] ?? "";
    const at = Number(values.at);
    return {known, along, at: values.at !== "" && at > 0 && Number.isFinite(at) ? at : null};
  }

  sorted(rows, along) {
    const keys = {predicted: (row) => -row.prediction, growth: (row) => -growthOf(row.model, along), r2: (row) => -row.model.adjusted_r2, smape: (row) => -row.model.smape};
    const key = keys[this.state.values.sort];
    const withModel = rows.filter((row) => row.model), without = rows.filter((row) => !row.model);
    if (this.state.values.sort === "callpath") return [...rows].sort((a, b) => (a.callpath < b.callpath ? -1 : 1));
    return [...withModel.map((row, i) => [key ? key(row) : 0, i, row]).sort((a, b) => a[0] - b[0] || a[1] - b[1]).map(([, , row]) => row), ...without];
  }

  draw(data) {
    const {state} = this, {values} = state, note = studyNote(state, data);
    if (note) return redraw(this.host, element("h2", {}, "Models"), note);
    const level = data[values.level], {known, along, at} = this.parameter(level), rows = this.sorted(this.rowsOf(level), along);
    const chosen = rows.find((row) => row.callpath === values.row) ?? rows[0] ?? null, unit = state.unitOf(values.metric);
    const chart = chosen ? this.chart(chosen, along, at, unit) : null;
    redraw(this.host, element("h2", {}, `Models of ${shownName(values.metric, 100)}, for each thread`),
      element("div", {class: "bar"}, levelChoice(state), metricChoice(state, level.models), choice("Order", kSorts, values.sort, this.set("sort")), this.placeChoice(rows, known, along, at),
        exports("models", () => chart, () => table(rows))),
      level.why && element("p", {class: "warning"}, `There are no models: ${shownName(level.why, 600)}`),
      chosen && element("div", {class: "charts"}, chart, this.about(chosen, unit)),
      rows.length > 0 ? this.shownTable(rows, chosen, unit) : element("p", {class: "note"}, "No run has this metric."),
      rows.some((row) => !row.model) && element("p", {class: "note"}, "Not enough points: a model needs 4 different values of each parameter, with the others fixed."),
      level.rows_left_out > 0 && element("p", {class: "note"}, `${level.rows_left_out} rows of all metrics are left out: the page has those that predict most.`),
      commandFooter(`${state.study.command}${values.level === "region" ? " --by region" : ""}${at !== null ? ` --at ${along}=${at}` : ""}`));
  }

  placeChoice(rows, known, along, at) {
    const row = rows.find((one) => one.model && one.parameters.includes(along));
    if (!row) return null;
    const start = row.predicted.at[row.parameters.indexOf(along)];
    const input = element("input", {type: "number", min: 1, step: "any", value: at ?? start, class: "place-input", "aria-label": `Predict at this number of ${along}`,
      on: {change: () => this.state.goTo({at: Number(input.value) > 0 && Number(input.value) !== start ? input.value : ""})}});
    return [known.length > 1 && choice("Parameter", known.map((name) => [name, shownName(name, 40)]), along, this.set("along")),
      element("label", {}, `predicted at ${shownName(along, 40)} = `, input)];
  }

  about(row, unit) {
    if (!row.model) return element("p", {class: "note"}, `${shownName(row.callpath, 300)}: not enough points for a model.`);
    const facts = [["call path", shownName(row.callpath, 400)], ["model", shownName(row.model.text, 400)], ["adjusted R²", row.model.adjusted_r2.toFixed(4)], ["SMAPE", `${row.model.smape.toFixed(2)} %`],
      ["predicted", shownValue(row.prediction, unit)], ["95 % band", bandText(row.band, unit)]];
    return element("dl", {class: "model-facts"}, facts.map(([name, text]) => [element("dt", {}, name), element("dd", {}, text)]));
  }

  chart(row, along, at, unit) {
    const k = Math.max(0, row.parameters.indexOf(along)), largest = row.parameters.map((_, other) => Math.max(...row.points.map((point) => point.at[other])));
    const points = row.points.filter((point) => row.parameters.every((_, other) => other === k || point.at[other] === largest[other]));
    const means = points.map((point) => [point.at[k] ?? 1, point.mean]);
    const repeats = points.flatMap((point) => (point.values.length > 1 ? point.values.map((value) => [point.at[k] ?? 1, value]) : []));
    const series = [{name: "measured", points: means, repeats, line: []}];
    const place = at ?? row.predicted?.at[k] ?? null;
    if (row.model) {
      const curve = row.curves[k], fixed = Object.fromEntries(row.parameters.map((name, other) => [name, largest[other]]));
      const line = curve.at.map((value, i) => [value, curve.value[i]]);
      const last = curve.at[curve.at.length - 1];
      if (place > last) line.push([place, modelAt(row.model, {...fixed, [row.parameters[k]]: place})]);
      series.push({name: "model, and 95 % band", points: [], line, band: curve.at.map((value, i) => [value, curve.lower[i] ?? NaN, curve.upper[i] ?? NaN])});
    }
    const isPositive = series.every((one) => [...one.points, ...one.line].every(([, value]) => value > 0));
    const places = series.flatMap((one) => [...one.points, ...one.line].map(([value]) => value));
    return lineChart({title: `${row.metric} of ${row.callpath}`, width: 700, height: 320, at: row.model ? place : null,
      x: {name: row.parameters[k] ?? "all runs", log: true, marks: Math.max(...places) > 100 * Math.min(...places) ? null : measuredMarks(means.map(([value]) => value)), text: (v) => shownValue(v, "")},
      y: {name: row.metric, log: isPositive, zero: !isPositive, text: (v) => shownValue(v, unit)}, series});
  }

  shownTable(rows, chosen, unit) {
    const heads = ["predicted", "share", "95 % band", "adj. R²", "SMAPE", "model", this.state.values.level === "region" ? "region" : "call path"];
    return element("table", {class: "bars models-table"}, element("thead", {}, element("tr", {}, heads.map((head, i) => element("th", {scope: "col", class: i < 5 ? "number" : null}, head)))),
      element("tbody", {}, rows.map((row) => {
        const {model} = row, isIt = row === chosen;
        const cells = model ? [shownValue(row.prediction, unit), shownShare(row.share), bandText(row.band, unit), model.adjusted_r2.toFixed(4), `${model.smape.toFixed(2)} %`] : ["–", "–", "–", "–", "–"];
        return element("tr", {class: isIt ? "chosen" : null}, cells.map((text) => element("td", {class: "number"}, text)), element("td", {class: model ? "formula" : "formula place"}, model ? shownName(model.text, 200) : "not enough points"),
          element("th", {scope: "row"}, element("button", {type: "button", class: "link", "aria-pressed": String(isIt), on: {click: () => this.state.goTo({row: row.callpath})}}, shownName(row.callpath || "(none)", 200))));
      })));
  }
}

function bandText(band, unit) {
  if (!band || !Number.isFinite(band.lower)) return "–";
  return `${band.isExact ? "" : "≈ "}${shownValue(band.lower, unit)} … ${shownValue(band.upper, unit)}`;
}

function table(rows) {
  return {heads: ["callpath", "metric", "constant", "terms", "rss", "smape", "adjusted_r2", "model", "predicted", "lower", "upper", "share"],
    rows: rows.map((row) => [row.callpath, row.metric, ...(row.model ? [row.model.constant, JSON.stringify(row.model.terms), row.model.rss, row.model.smape, row.model.adjusted_r2, row.model.text,
      row.prediction, row.band?.lower ?? "", row.band?.upper ?? "", row.share] : ["", "", "", "", "", "", "", "", "", ""])])};
}
