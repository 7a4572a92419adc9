// study_efficiency.js -- POP's efficiencies by the parameters of the runs, as `tarry scale` has them.

import {element, redraw} from "./dom.js";
import {efficiencyCell} from "./efficiency.js";
import {lineChart, measuredMarks} from "./plot.js";
import {StudyView, commandFooter, configurationText, processorsOf, scalingChoice, studyNote, varyingParameters} from "./study_state.js";
import {exports} from "./svg.js";
import {shownName, shownShare} from "./text.js";

const kMostColumns = 24;

export class EfficiencyView extends StudyView {
  constructor(state) {
    super(state, "pop", "POP efficiencies");
  }

  read() {
    return this.state.studyData();
  }

  draw(data) {
    const {state} = this, note = studyNote(state, data);
    if (note) return redraw(this.host, element("h2", {}, "POP efficiencies"), note);
    const study = data.callpath[state.values.scaling], all = study.configurations, shown = all.slice(0, kMostColumns);
    const names = state.store.efficiencies.filter(({model, key}) => model === "standard" && all.some((one) => one.pop[key] !== undefined));
    const chart = this.chart(all, names), varying = varyingParameters(all);
    redraw(this.host, element("h2", {}, "POP efficiencies"),
      element("p", {class: "note"}, "✓ at least 80 % (good), ○ at least 50 % (fair), ✗ below 50 % (poor). A factor is the product of those indented below it. The reference has the fewest processors and the same other parameters."),
      element("div", {class: "bar"}, scalingChoice(state), exports("pop", () => chart, () => table(all, names))),
      element("div", {class: "efficiencies"}, element("table", {}, element("thead", {}, element("tr", {}, element("th", {scope: "col"}, ""), shown.map((one) => element("th", {scope: "col"}, shownName(configurationText(one, varying), 60))))),
        element("tbody", {}, names.map(({key, label, depth}) => element("tr", {}, element("th", {scope: "row", style: {"padding-inline-start": `${depth}rem`}}, label), shown.map((one) => efficiencyCell(one.pop[key])))))),),
      all.length > shown.length && element("p", {class: "note"}, `and ${all.length - shown.length} more columns; CSV has all`),
      chart,
      commandFooter(`${state.study.command}${state.values.scaling === "weak" ? " --scaling weak" : ""}`));
  }

  chart(all, names) {
    const of = all.filter((one) => one.reference === all[0].reference);
    return lineChart({title: `POP efficiencies${of.length < all.length ? `, with the other parameters of the first runs` : ""}`, width: 760, height: 320,
      x: {name: "processors (processes × threads)", log: true, marks: measuredMarks(of.map(processorsOf)), text: String}, y: {name: "efficiency", zero: true, text: (v) => shownShare(v)},
      series: names.slice(0, 7).map(({key, label}) => ({name: label, points: of.filter((one) => one.pop[key] !== undefined).map((one) => [processorsOf(one), one.pop[key]])}))});
  }
}

function table(all, names) {
  const varying = varyingParameters(all);
  return {heads: ["efficiency", ...all.map((one) => configurationText(one, varying))], rows: names.map(({key}) => [key, ...all.map((one) => one.pop[key] ?? "")])};
}
