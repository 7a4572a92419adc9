// study_time.js -- what the time of all threads is spent on, by the parameters of the runs, as stacked columns.

import {choice, element, redraw} from "./dom.js";
import {partClass, stackChart} from "./plot.js";
import {StudyView, commandFooter, configurationText, studyNote, varyingParameters} from "./study_state.js";
import {exports, svg} from "./svg.js";
import {shownName, shownShare, shownValue} from "./text.js";

const kMostColumns = 64, kMostTableColumns = 16;

export class TimeView extends StudyView {
  constructor(state) {
    super(state, "time", "Time by kind");
  }

  read() {
    return this.state.studyData();
  }

  draw(data) {
    const {state} = this, note = studyNote(state, data);
    if (note) return redraw(this.host, element("h2", {}, "Time by kind"), note);
    const {configurations, parts} = data.callpath.strong, isShare = state.values.share === "share";
    const varying = varyingParameters(configurations);
    const texts = configurations.map((one) => (varying.length === 1 ? String(one.parameters[varying[0]]) : configurationText(one, varying)));
    const wholes = configurations.map((_, c) => parts.reduce((sum, part) => sum + part.seconds[c], 0));
    const chart = stackChart({title: isShare ? "Time of all threads by kind, as shares" : "Time of all threads by kind", columns: texts.slice(0, kMostColumns), xName: varying.length === 1 ? varying[0] : "parameters",
      parts: parts.map((part) => ({name: part.title, values: part.seconds.slice(0, kMostColumns)})), isShare, text: (v) => shownValue(v, "sec")});
    redraw(this.host, element("h2", {}, "Time by kind"),
      element("p", {class: "note"}, "The kinds add up to the time of all threads; waits are part of the operation that waits. Values are means of the runs with the same parameters."),
      element("div", {class: "bar"}, choice("Shown as", [["seconds", "seconds"], ["share", "shares of the whole"]], state.values.share, this.set("share")),
        exports("time", () => chart, () => ({heads: ["part", "title", ...texts], rows: parts.map((part) => [part.name, part.title, ...part.seconds])}))),
      parts.length > 0 ? chart : element("p", {class: "note"}, "The reports have no time."),
      configurations.length > kMostColumns && element("p", {class: "note"}, `The first ${kMostColumns} of ${configurations.length} columns; CSV has all.`),
      this.table(parts, texts, wholes, isShare),
      commandFooter(state.study.command));
  }

  // From the top of the stack down.
  table(parts, texts, wholes, isShare) {
    const heads = texts.slice(0, kMostTableColumns);
    const text = (value, c) => (isShare ? shownShare(wholes[c] > 0 ? value / wholes[c] : 0) : shownValue(value, "sec"));
    return element("table", {class: "bars wide"}, element("thead", {}, element("tr", {}, element("th", {scope: "col"}, "kind"), heads.map((head) => element("th", {scope: "col", class: "number"}, shownName(head, 40))))),
      element("tbody", {}, parts.map((part, i) => element("tr", {}, element("th", {scope: "row"}, swatch(i), " ", shownName(part.title, 120)),
        heads.map((_, c) => element("td", {class: "number"}, text(part.seconds[c], c))))).reverse(),
        element("tr", {}, element("th", {scope: "row"}, "all"), heads.map((_, c) => element("td", {class: "number"}, text(wholes[c], c))))));
  }
}

function swatch(i) {
  return svg("svg", {class: "key", width: 12, height: 12, "aria-hidden": "true", role: "presentation", "aria-label": "colour"}, svg("rect", {class: partClass(i), width: 12, height: 12}));
}
