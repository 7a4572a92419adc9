// study_scaling.js -- speedup and efficiency by processors: of the whole run, or of a metric in a call path or region.

import {choice, element, redraw} from "./dom.js";
import {lineChart, measuredMarks} from "./plot.js";
import {StudyView, commandFooter, configurationText, levelChoice, metricChoice, processorsOf, scalingChoice, studyNote, varyingParameters} from "./study_state.js";
import {exports} from "./svg.js";
import {shownName, shownShare, shownValue} from "./text.js";

const kMostLines = 7, kMostRepeats = 16;

// What `tarry scale` computes of the times of a configuration and its reference.
export function efficiencyOf(before, now, more, scaling) {
  return scaling === "weak" ? before / now : before / now / more;
}

// Some of many values, from the least to the most.
function thinned(values) {
  if (values.length <= kMostRepeats) return values;
  const sorted = Float64Array.from(values).sort();
  return Array.from({length: kMostRepeats}, (_, i) => sorted[Math.floor((i * (sorted.length - 1)) / (kMostRepeats - 1))]);
}

// One entry for each configuration: {mean, values, speedup, efficiency}; null where there is nothing to compare with.
// `pointOf` gives the mean and values of a configuration.
export function scalingOf(study, pointOf) {
  const all = study.configurations.map(pointOf);
  return study.configurations.map((configuration, i) => {
    if (!all[i]) return null;
    const {mean, values} = all[i], before = all[configuration.reference]?.mean ?? 0;
    const more = processorsOf(configuration) / processorsOf(study.configurations[configuration.reference]);
    const known = before > 0 && mean > 0, efficiency = known ? efficiencyOf(before, mean, more, study.scaling) : null;
    const of = (value) => (known && value > 0 ? efficiencyOf(before, value, more, study.scaling) : null);
    return {mean, values, more, efficiency, speedup: known ? efficiency * more : null, efficiencies: values.map(of)};
  });
}

// The point of a row of the models at a configuration.
export function pointAt(row, configuration) {
  return row.points.find(({at}) => row.parameters.every((name, k) => configuration.parameters[name] === at[k])) ?? null;
}

function isWhole(row, study) {
  return row.points.reduce((sum, point) => sum + point.count, 0) === study.configurations.reduce((sum, one) => sum + one.runs, 0);
}

export class ScalingView extends StudyView {
  constructor(state) {
    super(state, "scaling", "Scaling");
  }

  read() {
    return this.state.studyData();
  }

  draw(data) {
    const {state} = this, {values} = state, note = studyNote(state, data);
    if (note) return redraw(this.host, element("h2", {}, "Scaling"), note);
    const level = data[values.level], study = level[values.scaling], rows = level.models.filter((row) => row.metric === values.metric);
    const row = rows.find((one) => one.callpath === values.row) ?? null;
    const isKnown = !row || isWhole(row, study);
    const results = row ? (isKnown ? scalingOf(study, (configuration) => pointAt(row, configuration)) : []) : scalingOf(study, ({runtime, runtimes}) => ({mean: runtime, values: thinned(runtimes)}));
    const unit = row ? state.unitOf(row.metric) : "sec", subject = row ? `${row.metric} of ${row.callpath}` : "the run time";
    const charts = isKnown ? this.charts(study, results, subject) : [];
    redraw(this.host, element("h2", {}, `Scaling: ${shownName(subject, 160)}`),
      element("div", {class: "bar"}, scalingChoice(state), levelChoice(state), metricChoice(state, level.models), this.rowChoice(rows),
        exports("scaling", () => charts[0], () => this.table(study, results))),
      state.store.runs_left_out > 0 && element("p", {class: "warning"}, `${state.store.runs_left_out} older runs are left out: the page takes the newest ${state.store.runs.count}.`),
      !isKnown && element("p", {class: "note"}, "Only some of the runs have this metric: there is nothing to compare."),
      study.configurations.length < 2 && element("p", {class: "note"}, "All runs have the same parameters: scaling needs runs of several sizes."),
      element("div", {class: "charts"}, charts),
      this.shownTable(study, results, unit),
      (level.rows_left_out > 0 || study.regions_left_out > 0) && element("p", {class: "note"}, `${level.rows_left_out} rows of call paths and metrics are left out: the page has those that will take most.`),
      commandFooter(`${state.study.command}${values.scaling === "weak" ? " --scaling weak" : ""}${values.level === "region" ? " --by region" : ""}${row && row.metric !== "time" ? " --json" : ""}`));
  }

  rowChoice(rows) {
    return choice("Whole run, call path or region", [["", "the whole run"], ...rows.map((row) => [row.callpath, shownName(row.callpath, 90)])],
      rows.some((row) => row.callpath === this.state.values.row) ? this.state.values.row : "", this.set("row"));
  }

  // A line for each choice of the other parameters.
  charts(study, results, subject) {
    const varying = varyingParameters(study.configurations), lines = new Map();
    study.configurations.forEach((configuration, i) => {
      if (!lines.has(configuration.reference)) lines.set(configuration.reference, []);
      if (results[i]) lines.get(configuration.reference).push([processorsOf(configuration), results[i]]);
    });
    const chosen = [...lines].filter(([, points]) => points.length > 0).slice(0, kMostLines);
    const places = study.configurations.map(processorsOf), most = study.configurations.map((one) => processorsOf(one) / processorsOf(study.configurations[one.reference]));
    const seriesOf = (pick, ideal) => [...chosen.map(([reference, points]) => ({name: lines.size > 1 ? `from ${configurationText(study.configurations[reference], varying)}` : "measured",
      points: points.filter(([, one]) => one.efficiency !== null).map(([at, one]) => [at, pick(one.efficiency, one.more)]),
      repeats: points.flatMap(([at, one]) => (one.values.length > 1 ? one.efficiencies.filter((value) => value !== null).map((value) => [at, pick(value, one.more)]) : []))})),
      {name: "ideal", ideal: true, points: ideal}];
    const x = {name: "processors (processes × threads)", log: true, marks: measuredMarks(places), text: String};
    const sorted = places.map((at, i) => [at, most[i]]).sort((a, b) => a[0] - b[0]);
    return [
      lineChart({title: `Speedup of ${subject}`, x, y: {name: "speedup", log: true, text: (v) => String(Number(v.toPrecision(4)))}, series: seriesOf((efficiency, more) => efficiency * more, sorted)}),
      lineChart({title: `Efficiency of ${subject}`, x, y: {name: "efficiency", zero: true, text: (v) => shownShare(v)}, series: seriesOf((efficiency) => efficiency, sorted.map(([at]) => [at, 1]))}),
    ];
  }

  shownTable(study, results, unit) {
    const varying = varyingParameters(study.configurations);
    const spread = (values) => (values.length > 1 ? `${shownValue(Math.min(...values), unit)} … ${shownValue(Math.max(...values), unit)}` : "–");
    return element("table", {class: "bars wide"}, element("thead", {}, element("tr", {}, ["parameters", "runs", "mean", "least … most", "speedup", "efficiency"].map((head, i) => element("th", {scope: "col", class: i > 0 ? "number" : null}, head)))),
      element("tbody", {}, study.configurations.map((configuration, i) => element("tr", {}, element("th", {scope: "row"}, shownName(configurationText(configuration, varying), 160)),
        [String(configuration.runs), results[i] ? shownValue(results[i].mean, unit) : "–", results[i] ? spread(results[i].values) : "–",
          results[i]?.speedup ? results[i].speedup.toFixed(2) : "–", results[i]?.efficiency ? shownShare(results[i].efficiency) : "–"].map((text) => element("td", {class: "number"}, text))))));
  }

  table(study, results) {
    const names = Object.keys(study.configurations[0].parameters);
    return {heads: [...names, "runs", "value", "least", "most", "speedup", "efficiency"],
      rows: study.configurations.map((one, i) => [...names.map((name) => one.parameters[name]), one.runs,
        ...(results[i] ? [results[i].mean, Math.min(...results[i].values), Math.max(...results[i].values), results[i].speedup ?? "", results[i].efficiency ?? ""] : ["", "", "", "", ""])])};
  }
}
