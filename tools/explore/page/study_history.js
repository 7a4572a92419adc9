// study_history.js -- a metric over the commits of a program, and the steps in it, as `tarry history` finds them.

import {choice, element, redraw} from "./dom.js";
import {lineChart} from "./plot.js";
import {StudyView, commandFooter} from "./study_state.js";
import {exports, svg} from "./svg.js";
import {shownName, shownShare, shownValue} from "./text.js";

const kMostListed = 60, kMostNames = 12;

export class HistoryView extends StudyView {
  constructor(state) {
    super(state, "history", "History");
  }

  read() {
    return this.state.historyOf();
  }

  draw(data) {
    const {state} = this, {values, store} = state;
    const facts = store.histories.find((one) => one.metric === values.history);
    if (!data || !facts) return redraw(this.host, element("h2", {}, "History"), element("p", {class: "note"}, "The page has no history of this metric."), this.bar(null));
    const {histories} = data, chosen = histories[values.curve] ?? histories[0], unit = state.unitOf(values.history);
    const chart = this.chart(chosen, unit);
    redraw(this.host, element("h2", {}, `History of ${shownName(state.titleOf(values.history), 100)}`),
      this.bar(exports("history", () => chart, () => table(histories))),
      element("p", {class: "facts", role: "status"}, `${facts.steps} ${facts.steps === 1 ? "step" : "steps"} in ${facts.count} ${facts.count === 1 ? "history" : "histories"}. Runs of the same program, size and parameters make a history.`),
      facts.left_out > 0 && element("p", {class: "warning"}, `${facts.left_out} histories are left out: those of fewest runs without a step.`),
      chart, this.steps(chosen, unit),
      element("h3", {}, "All histories"), this.list(histories, chosen, unit),
      commandFooter(facts.command));
  }

  bar(buttons) {
    const {state} = this;
    return element("div", {class: "bar"}, choice("Metric", state.store.histories.map((one) => [one.metric, `${shownName(state.titleOf(one.metric), 60)}${one.steps > 0 ? ` – ${one.steps} ${one.steps === 1 ? "step" : "steps"}` : ""}`]),
      state.values.history, (metric) => state.goTo({history: metric, curve: 0})), buttons);
  }

  chart(history, unit) {
    const {points, steps} = history, stride = Math.ceil(points.length / kMostNames);
    const nameOf = (i) => shownName(points[i]?.commit || `run ${points[i]?.runs[0]}`, 12);
    const mean = (values) => values.reduce((sum, value) => sum + value, 0) / values.length;
    const moved = steps.map((step) => points.findIndex((point) => point.runs.includes(step.run)));
    // Between two steps, one behind the other.
    const levels = steps.flatMap((step, i) => [[(moved[i - 1] ?? 0.5) - 0.5, step.before], [moved[i] - 0.5, step.before], ...(i === steps.length - 1 ? [[moved[i] - 0.5, step.after], [points.length - 1, step.after]] : [])]);
    return lineChart({title: history.title, width: 980, height: 300, x: {name: "commits, or runs without one, by date", text: (i) => nameOf(i), marks: points.map((_, i) => i).filter((i) => i % stride === 0)},
      y: {name: "value", zero: true, text: (v) => shownValue(v, unit)},
      series: [{name: "mean", points: points.map((point, i) => [i, mean(point.values)]), repeats: points.flatMap((point, i) => (point.values.length > 1 ? point.values.map((value) => [i, value]) : []))},
        ...(steps.length > 0 ? [{name: "a step begins here", line: [], points: moved.map((i) => [i, mean(points[i].values)])}] : []),
        ...(steps.length > 0 ? [{name: "mean between steps", ideal: true, points: levels}] : [])]});
  }

  steps(history, unit) {
    if (history.steps.length === 0) return element("p", {class: "note"}, "No step: what differs may be noise.");
    const heads = ["run", "commit", "date", "before", "after", "change", "standard error", "chance of noise"];
    return element("table", {class: "bars wide"}, element("caption", {}, "Steps"), element("thead", {}, element("tr", {}, heads.map((head) => element("th", {scope: "col"}, head)))),
      element("tbody", {}, history.steps.map((step) => element("tr", {class: "moved"}, [String(step.run), shownName(step.commit || "–", 40), step.date, shownValue(step.before, unit), shownValue(step.after, unit),
        `${step.relative > 0 ? "+" : ""}${shownShare(step.relative)}`, shownValue(step.standard_error, unit), step.chance.toExponential(1)].map((text) => element("td", {}, text))))));
  }

  list(histories, chosen, unit) {
    return element("div", {}, element("table", {class: "bars wide"}, element("thead", {}, element("tr", {}, ["history", "points", "runs", "first", "last", "steps"].map((head, i) => element("th", {scope: "col", class: i > 0 ? "number" : null}, head)))),
      element("tbody", {}, histories.slice(0, kMostListed).map((history, i) => {
        const {points} = history, mean = (point) => point.values.reduce((sum, value) => sum + value, 0) / point.values.length;
        const cells = [String(points.length), String(points.reduce((sum, point) => sum + point.runs.length, 0)), shownValue(mean(points[0]), unit), shownValue(mean(points[points.length - 1]), unit), String(history.steps.length)];
        return element("tr", {class: history === chosen ? "chosen" : null}, element("th", {scope: "row"}, element("button", {type: "button", class: "link", "aria-pressed": String(history === chosen), on: {click: () => this.state.goTo({curve: i})}}, shownName(history.title, 160))),
          cells.map((text) => element("td", {class: "number"}, text)));
      }))),
      histories.length > kMostListed && element("p", {class: "note"}, `and ${histories.length - kMostListed} more; CSV has all`));
  }
}

// As `tarry history --format csv` has it.
function table(histories) {
  return {heads: ["history", "point", "run", "commit", "date", "value", "step"],
    rows: histories.flatMap(({points, steps}, h) => points.flatMap((point, p) => point.runs.map((run, i) => [h + 1, p + 1, run, point.commit, point.date, point.values[i],
      i === 0 && steps.some((step) => step.run === run) ? 1 : 0])))};
}
