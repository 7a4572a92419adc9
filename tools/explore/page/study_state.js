// study_state.js -- what is selected on a page of many runs, the data behind it, and the link that says so.

import {readJson} from "./blocks.js";
import {choice, element} from "./dom.js";
import {shownName} from "./text.js";

const kLongest = 300;
const kStart = {view: "runs", study: 0, scaling: "", level: "callpath", metric: "time", row: "", sort: "predicted", along: "", at: "", share: "seconds",
  history: "", curve: 0, order: "run", filter: ""};

// view: which page; study: its number; scaling: strong or weak; level, metric, row: which call path or region; along, at:
// the parameter that models are drawn along, and where they predict; share: how the time is stacked; history, curve:
// metric and number of a history; order, filter: of the runs.
export class StudyState {
  constructor(index) {
    this.index = index;
    this.store = index.store;
    this.listeners = [];
    this.blocks = new Map();
    this.values = {...kStart, scaling: this.store.scaling, history: this.store.histories[0]?.metric ?? ""};
    this.readLink();
    window.addEventListener("hashchange", () => {
      if (location.hash === this.link()) return;
      this.readLink();
      this.tell();
    });
  }

  // Blocks are unpacked when they are first shown.
  read(name) {
    if (!name) return Promise.resolve(null);
    if (!this.blocks.has(name)) this.blocks.set(name, readJson(name));
    return this.blocks.get(name);
  }

  get study() {
    return this.store.studies[this.values.study] ?? null;
  }

  runs() {
    return this.read(this.store.runs.block);
  }

  // Of many repeats the page has some: mean and count of a point are of all.
  async studyData(number = this.values.study) {
    const data = await this.read(this.store.studies[number]?.block);
    if (!data || data.isComplete) return data;
    for (const level of [data.callpath, data.region])
      level.models.forEach((row, i) => row.points.forEach((point, k) => Object.assign(point, {mean: level.means[i][k], count: level.counts[i][k]})));
    return Object.assign(data, {isComplete: true});
  }

  historyOf(metric = this.values.history) {
    return this.read(this.store.histories.find((history) => history.metric === metric)?.block);
  }

  unitOf(metric) {
    return Object.hasOwn(this.store.metrics, metric) ? this.store.metrics[metric].unit : "";
  }

  titleOf(metric) {
    const title = Object.hasOwn(this.store.metrics, metric) ? this.store.metrics[metric].title : "";
    return title && title !== metric ? `${metric} (${title})` : metric;
  }

  onChange(listener) {
    this.listeners.push(listener);
  }

  tell() {
    for (const listener of this.listeners) listener();
  }

  goTo(facts) {
    Object.assign(this.values, facts);
    history.replaceState(null, "", this.link());
    this.tell();
  }

  link() {
    const start = {...kStart, scaling: this.store.scaling, history: this.store.histories[0]?.metric ?? ""};
    const told = Object.entries(this.values).filter(([name, value]) => name === "view" || (value !== start[name] && String(value).length <= kLongest));
    return "#" + told.map(([name, value]) => `${name}=${encodeURIComponent(value)}`).join("&");
  }

  readLink() {
    const facts = new URLSearchParams(location.hash.slice(1));
    for (const name of Object.keys(kStart)) {
      const value = facts.get(name);
      if (value === null) continue;
      this.values[name] = typeof kStart[name] === "number" ? Math.max(0, Math.floor(Number(value)) || 0) : value;
    }
    if (!(this.values.study in this.store.studies)) this.values.study = 0;
    if (!["strong", "weak"].includes(this.values.scaling)) this.values.scaling = this.store.scaling;
    if (!["callpath", "region"].includes(this.values.level)) this.values.level = "callpath";
  }
}

// A view that draws when it has read what it needs; what was asked for in the meantime wins.
export class StudyView {
  constructor(state, name, label) {
    this.state = state;
    this.host = element("section", {class: `study ${name}`, "aria-label": label});
  }

  async update() {
    const asked = (this.asked = {});
    const data = await this.read();
    if (asked === this.asked) this.draw(data);
  }

  set(name, read = (value) => value) {
    return (value) => this.state.goTo({[name]: read(value)});
  }
}

// Controls that several views have.
export function scalingChoice(state) {
  return choice("Scaling", [["strong", "strong scaling: the same problem"], ["weak", "weak scaling: more processes, more work"]], state.values.scaling, (scaling) => state.goTo({scaling}));
}

export function levelChoice(state) {
  return choice("Rows", [["callpath", "call paths"], ["region", "regions"]], state.values.level, (level) => state.goTo({level, row: ""}));
}

export function metricChoice(state, models) {
  const metrics = [...new Set(models.map((row) => row.metric))];
  return choice("Metric", metrics.map((metric) => [metric, shownName(state.titleOf(metric), 60)]), state.values.metric, (metric) => state.goTo({metric}));
}

// A study that could not be made, or nothing to say.
export function studyNote(state, data) {
  if (!state.study) return element("p", {class: "note"}, "The page has no study.");
  if (!data) return element("p", {class: "warning"}, `This study cannot be made: ${shownName(state.study.why ?? "it is not in the page", 1000)}`);
  return null;
}

// "processes=4 n=512": the parameters that vary.
export function configurationText(configuration, varying) {
  return varying.map((name) => `${name}=${configuration.parameters[name]}`).join(" ") || "all runs";
}

export function varyingParameters(configurations) {
  const names = Object.keys(configurations[0]?.parameters ?? {});
  const varies = names.filter((name) => configurations.some((one) => one.parameters[name] !== configurations[0].parameters[name]));
  const first = ["processes", "threads"];
  return [...first.filter((name) => varies.includes(name)), ...varies.filter((name) => !first.includes(name))];
}

export function processorsOf(configuration) {
  return configuration.parameters.processes * configuration.parameters.threads;
}

export function commandFooter(...lines) {
  return element("footer", {}, "The same by a command: ", lines.map((line) => [element("code", {class: "command"}, shownName(line, 6000)), element("br")]));
}
