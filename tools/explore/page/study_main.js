// study_main.js -- shows a page of many runs.

import {element, redraw, tabs} from "./dom.js";
import {EfficiencyView} from "./study_efficiency.js";
import {HistoryView} from "./study_history.js";
import {ModelsView, modelAt} from "./study_models.js";
import {RunsView} from "./study_runs.js";
import {ScalingView} from "./study_scaling.js";
import {StudyState} from "./study_state.js";
import {TimeView} from "./study_time.js";
import {svgText} from "./svg.js";
import {shownName} from "./text.js";

const kStudyViews = [["runs", "Runs"], ["scaling", "Scaling"], ["pop", "POP efficiencies"], ["models", "Models"], ["time", "Time by kind"], ["history", "History"]];

function chooseStudy(state) {
  const {studies, studies_left_out: leftOut} = state.store;
  if (studies.length < 2) return null;
  const select = element("select", {"aria-label": "Study", title: leftOut > 0 ? `${leftOut} smaller studies are left out` : null, class: "runs"},
    studies.map(({title, count}, i) => element("option", {value: i, selected: i === state.values.study}, `${shownName(title, 80)} (${count} ${count === 1 ? "run" : "runs"})`)));
  select.addEventListener("change", () => state.goTo({study: Number(select.value), row: ""}));
  return select;
}

export async function showStudies(index) {
  const state = new StudyState(index);
  const views = {runs: new RunsView(state), scaling: new ScalingView(state), pop: new EfficiencyView(state), models: new ModelsView(state), time: new TimeView(state), history: new HistoryView(state)};
  const bar = element("nav"), main = element("main");
  const update = () => {
    const view = Object.hasOwn(views, state.values.view) ? state.values.view : "runs";
    redraw(bar, tabs("Views", kStudyViews, view, (chosen) => state.goTo({view: chosen})));
    if (main.firstChild !== views[view].host) main.replaceChildren(views[view].host);  // what is taken out loses the keyboard
    return (state.drawn = views[view].update());
  };
  state.onChange(update);
  document.getElementById("page").replaceChildren(element("header", {}, element("h1", {}, shownName(index.title, 200)), bar, chooseStudy(state)), main);
  await update();
  window.tarry = {state, svgText, settled: () => state.drawn, modelAt, select: (facts) => { state.goTo(facts); return state.drawn; }, studyData: (number) => state.studyData(number)};
}
