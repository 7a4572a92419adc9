// main.js -- reads the report in this page and shows it.

import {readJson} from "./blocks.js";
import {element, tabs, redraw} from "./dom.js";
import {compare} from "./compare.js";
import {CompareView} from "./compare_view.js";
import {ExploreView} from "./explore_view.js";
import {HeatView} from "./heat_view.js";
import {MatrixView} from "./matrix_view.js";
import {Overview} from "./overview.js";
import {Run} from "./run.js";
import {State} from "./state.js";
import {showStudies} from "./study_main.js";
import {shownName} from "./text.js";
import {TimelineView} from "./timeline.js";
import {svgText} from "./svg.js";
import {WhatIfView, bounds, commandOf} from "./what_if.js";

const kViews = [["overview", "Overview"], ["explore", "Explore"], ["heat", "Heat map"], ["matrix", "Communication"], ["timeline", "Timeline"],
  ["what_if", "What if"], ["compare", "Compare"]];

// Views that some pages have no data for.
function isThere(view, state) {
  if (view === "compare") return state.runs.filter((run) => !run.facts.is_difference).length > 1;
  return !["timeline", "what_if"].includes(view) || state.runs.some((run) => run.facts.blocks[view]);
}

async function readRuns(index) {
  return Promise.all(index.runs.map(async (facts) => {
    const run = await Run.read(facts);
    for (const extra of ["findings", "sources", "iterations", "what_if"]) run[extra] = await readJson(facts.blocks[extra]);
    return run;
  }));
}

function chooseRun(state) {
  if (state.runs.length < 2) return null;
  const select = element("select", {"aria-label": "Run", class: "runs"}, state.runs.map((run, i) => element("option", {value: i, selected: i === state.values.run}, shownName(run.name, 60))));
  select.addEventListener("change", () => state.set({run: Number(select.value)}));
  return select;
}

function show(state, index) {
  const views = {overview: new Overview(state), explore: new ExploreView(state), heat: new HeatView(state), matrix: new MatrixView(state), timeline: new TimelineView(state),
    what_if: new WhatIfView(state), compare: new CompareView(state)};
  const bar = element("nav");
  const main = element("main");
  const update = (changed) => {
    const view = views[state.values.view] ? state.values.view : "overview";
    if (changed.has("view") || changed.has("run")) {
      redraw(bar, tabs("Views", kViews.filter(([name]) => isThere(name, state)), view, (chosen) => state.set({view: chosen})));
      if (main.firstChild !== views[view].host) main.replaceChildren(views[view].host);  // what is taken out loses the keyboard
    }
    views[view].update(changed);
  };
  state.onChange(update);
  document.getElementById("page").replaceChildren(element("header", {}, element("h1", {}, shownName(index.title, 200)), bar, chooseRun(state)), main);
  update(new Set(["view", "run"]));
}

// What tests and scripts ask: values by numbers of the page, or names of metrics.
function publish(state) {
  const metricOf = (run, metric) => (typeof metric === "string" ? state.runs[run].metricNamed(metric) : metric);
  window.tarry = {
    runs: state.runs,
    value: async (run, metric, path, location) => (await state.runs[run].rowsOf(metricOf(run, metric))).exclusive.value(path, location),
    total: (run, metric, path, isInclusive) => state.runs[run].totalsOf({metric: metricOf(run, metric), own: false})[isInclusive ? "inclusive" : "exclusive"][path],
    pathText: (run, path) => state.runs[run].paths.textOf(path),
    select: (facts) => state.goTo(facts),
    compare: (before, now, options) => compare(before.map((i) => state.runs[i]), now.map((i) => state.runs[i]), options),
    bounds: (run, chosen) => bounds(state.runs[run], state.runs[run].what_if, chosen.map(([row, step]) => [state.runs[run].what_if.rows[row], step])),
    predictCommand: (run, row, step) => commandOf(state.runs[run], state.runs[run].what_if.rows[row], step),
    svgText,
    state,
  };
}

async function begin() {
  try {
    const index = await readJson("index");
    if (!index) throw new Error("it holds no report");
    if (index.version !== 1) throw new Error(`its data are of version ${index.version}, which this page does not know`);
    if (index.store) {
      await showStudies(index);
      performance.mark("tarry-ready");
      return;
    }
    const state = new State(await readRuns(index));
    state.repeats = index.repeats ?? 1;
    state.index = index;
    state.efficiency = await readJson(index.efficiency);
    state.texts = await readJson("metric-texts");
    show(state, index);
    publish(state);
    performance.mark("tarry-ready");
  } catch (error) {
    document.getElementById("page").replaceChildren(element("p", {class: "warning", role: "alert"}, `The page cannot be shown: ${error.message}`));
    throw error;
  }
}

begin();
