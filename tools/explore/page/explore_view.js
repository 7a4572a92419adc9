// explore_view.js -- three linked trees: what (metric), where (call path), who (system).

import {aboutMetric} from "./about.js";
import {colourOf, legend} from "./colours.js";
import {distribution} from "./distribution.js";
import {choice, element, tabs, redraw} from "./dom.js";
import {callerSource, flatSource, metricSource, pathSource, systemSource} from "./sources.js";
import {combine} from "./run.js";
import {exports, listDrawing} from "./svg.js";
import {sourcePane} from "./source_pane.js";
import {shellWord, shownName, shownShare, shownValue} from "./text.js";
import {topologyPane} from "./topology.js";
import {TreeView} from "./tree_view.js";

const kOrders = [["tree", "Call tree"], ["flat", "Regions"], ["callers", "Callers"]];
const kShares = [["absolute", "absolute"], ["root", "% of the metric's root"], ["selection", "% of the selection"]];
const kOfFirst = ["first", "% of the first run"];
const kShareColours = {low: 0, high: 1, colour: colourOf};
const kLeast = [[0, "all nodes"], [0.001, "≥ 0.1 %"], [0.01, "≥ 1 %"], [0.05, "≥ 5 %"]];
const kMostDrawn = 2000;  // nodes in a picture
const kSources = {tree: pathSource, flat: flatSource, callers: callerSource};

export class ExploreView {
  constructor(state) {
    this.state = state;
    this.pathNodes = new Set();  // open nodes of the orders that are no call tree
    this.pathNode = null;        // the selected one
    this.systemNode = "";
    this.metricTree = this.tree("Metrics", "metrics", {
      isOpen: (id) => state.open.metrics.has(id),
      onToggle: (id, isOpen) => state.toggle("metrics", id, isOpen),
      onSelect: (id) => state.set({metric: id}),
      text: (value, id) => this.shown(value, id, this.rootTotal(id)),
      colour: (value, id) => colourOf(value / state.run.totalOf({metric: state.run.rootOf(id), own: false})),
      detail: (id) => `${shownName(state.run.metrics[id].name)}: ${shownName(state.run.metrics[id].what ?? "", 700)}`,
    });
    this.pathTree = this.tree("Call paths", "paths", {
      isOpen: (id) => this.isPathOpen(id),
      onToggle: (id, isOpen) => this.togglePath(id, isOpen),
      onSelect: (id) => this.selectPath(id),
      text: (value) => this.shown(value, state.values.metric, this.reference()),
      colour: (value) => colourOf(value / (state.run.totalOf(state.measure) || 1)),
      detail: (id) => this.describePath(id),
    });
    this.systemTree = this.tree("System", "system", {
      isOpen: (id) => state.open.system.has(id),
      onToggle: (id, isOpen) => state.toggle("system", id, isOpen),
      onSelect: (id) => this.selectSystem(id),
      text: (value) => this.shown(value, state.values.metric, this.reference()),
      colour: (value) => colourOf(value / (this.largestLocation || 1)),
      detail: (id) => this.systemSource.label(id),
    });
    this.side = element("div", {class: "side"});
    this.command = element("code", {class: "command"});
    this.bars = {metrics: element("div", {class: "bar"}), paths: element("div", {class: "bar"}), side: element("div", {class: "bar"})};
    this.host = element("section", {class: "explore", "aria-label": "Metrics, call paths, system"},
      this.panel("Metric: what", this.bars.metrics, this.metricTree.host),
      this.panel("Call path: where", this.bars.paths, this.pathTree.host),
      this.panel("System: who", this.bars.side, this.side),
      element("footer", {}, legend(kShareColours, shownShare), "Squares: share of the metric in the whole run; of the largest location in the system tree. ", "The same by a command: ", this.command));
  }

  tree(label, name, facts) {
    return new TreeView({label, ...facts});
  }

  panel(title, bar, body) {
    return element("section", {class: "panel", "aria-label": title}, element("h2", {}, title), bar, body);
  }

  // Opens what has the value: called once for each run.
  openRun() {
    const {run, open} = this.state;
    for (let metric = run.metrics[this.state.values.metric].parent; metric >= 0; metric = run.metrics[metric].parent) open.metrics.add(metric);
    if (open.system.size === 0) run.nodes.forEach((_, i) => open.system.add(`n${i}`));
    for (let path = this.state.values.path; run.paths.parent[path] >= 0; path = run.paths.parent[path]) open.paths.add(run.paths.parent[path]);
  }

  // Draws what depends on what changed.
  update(changed) {
    const all = changed.has("run") || changed.has("view");
    if (all) this.openRun();
    if (all || changed.has("share")) this.drawBars();
    if (all || changed.has("open-metrics") || changed.has("share")) this.metricTree.show(metricSource(this.state.run), this.state.values.metric);
    else this.metricTree.select(this.state.values.metric);
    const isOther = all || changed.has("metric") || changed.has("open-metrics") || changed.has("order");
    if (isOther) this.showPaths();
    else if (changed.has("open-paths") || changed.has("share")) this.pathTree.update();
    if (changed.has("path") && !isOther) this.followPath();
    this.showSide();
    this.command.textContent = this.commandText();
  }

  drawBars() {
    const {state} = this;
    const filter = (tree) => [
      choice("Hide small nodes", kLeast.map(([v, t]) => [String(v), t]), String(tree.least), (value) => { tree.least = Number(value); tree.update(); }),
      element("label", {}, element("input", {type: "checkbox", on: {change: (e) => { tree.isSorted = e.target.checked; tree.update(); }}}), "sort"),
    ];
    redraw(this.bars.metrics,
      choice("Values", state.runs.length > 1 ? [...kShares, kOfFirst] : kShares, state.values.share, (share) => state.set({share})), this.search(this.metricTree, () => state.run.metrics.map((m) => m.id),
        (id) => `${state.run.metrics[id].title} ${state.run.metrics[id].name}`, (metric) => state.goTo({metric})));
    redraw(this.bars.paths, choice("Order", kOrders, state.values.order, (order) => state.set({order})), ...filter(this.pathTree),
      this.search(this.pathTree, () => Array.from({length: state.run.paths.count}, (_, p) => p), (path) => state.run.paths.nameOf(path),
        (path) => state.goTo({path, order: "tree"})),
      exports("callpaths", () => this.treePicture(this.pathTree, `${state.run.metrics[state.values.metric].title}: call paths`), () => this.pathTable()));
    redraw(this.bars.side, tabs("What the panel shows",
      [["system", "System"], ["spread", "Distribution"], ...(state.run.topologies.length ? [["topology", "Topology"]] : []), ["source", "Source"], ["about", "About"]],
      state.values.side, (side) => { state.set({side}); this.drawBars(); }));
  }

  // A field that goes to the next name with the text in it.
  search(tree, ids, nameOf, go) {
    let last = -1;
    const find = (text) => {
      const sought = text.toLowerCase();
      tree.sought = sought;
      if (!sought) return tree.update();
      const all = ids();
      const order = [...all.slice(last + 1), ...all.slice(0, last + 1)];
      const found = order.find((id) => nameOf(id).toLowerCase().includes(sought));
      if (found === undefined) return tree.update();
      last = all.indexOf(found);
      go(found);
      tree.reveal(found);
    };
    return element("input", {type: "search", placeholder: "search", "aria-label": `Search ${tree.facts.label}`,
      on: {keydown: (event) => event.key === "Enter" && find(event.target.value), search: (event) => !event.target.value && find("")}});
  }

  shown(value, metric, reference) {
    if (this.state.values.share === "absolute" || this.state.run.metrics[metric].kind === "ratio") return shownValue(value, this.state.run.metrics[metric].unit);
    return reference ? shownShare(value / reference) : "0 %";
  }

  // What shares are of.
  reference() {
    const {run, values, measure} = this.state;
    return values.share === "selection" ? run.totalOf(measure) : this.rootTotal(values.metric);
  }

  // Of the root above a metric, in this run or in the first one.
  rootTotal(metric) {
    const {runs, run, values} = this.state;
    const root = run.rootOf(metric);
    if (values.share !== "first") return run.totalOf({metric: root, own: false});
    const other = runs[0].metricNamed(run.metrics[root].name);
    return other < 0 ? 0 : runs[0].totalOf({metric: other, own: false});
  }

  showPaths() {
    const {run, measure, values} = this.state;
    this.pathSource = kSources[values.order](run, measure);
    this.pathNode = this.pathSource.nodeOf(values.path);
    this.pathTree.hasOrder = values.order === "tree";
    this.pathTree.show(this.pathSource, this.pathNode);
  }

  followPath() {
    if (this.pathSource.pathOf(this.pathNode) !== this.state.values.path) this.pathNode = this.pathSource.nodeOf(this.state.values.path);
    this.pathTree.select(this.pathNode);
  }

  isPathOpen(id) {
    return typeof id === "number" ? this.state.open.paths.has(id) : this.pathNodes.has(id);
  }

  togglePath(id, isOpen) {
    if (typeof id === "number") return this.state.toggle("paths", id, isOpen);
    if (isOpen) this.pathNodes.add(id);
    else this.pathNodes.delete(id);
    this.state.tell(new Set(["open-paths"]));
  }

  selectPath(id) {
    this.pathNode = id;
    const path = this.pathSource.pathOf(id);
    if (path !== this.state.values.path) return this.state.set({path});
    this.pathTree.select(id);
    this.showSide();
  }

  selectSystem(id) {
    this.systemNode = id;
    this.systemTree.select(id);
    const [first] = this.systemSource.locationsOf(id);
    this.state.set({location: first ?? -1});
  }

  describePath(id) {
    const {paths} = this.state.run;
    const path = this.pathSource.pathOf(id);
    const place = paths.placeOf(path);
    const text = paths.shortTextOf(path);
    return place ? `${text}\n${shownName(place.file)}:${place.line}` : text;
  }

  // Call paths of the selection.
  selectedParts() {
    return this.pathSource.parts(this.pathNode, this.isPathOpen(this.pathNode) && this.pathSource.children(this.pathNode).length > 0);
  }

  async showSide() {
    const {run, values} = this.state;
    const asked = (this.asked = {});
    const parts = this.selectedParts(), {measure} = this.state;
    const [vector, spread, sums, unknown] = await Promise.all([run.vector(measure, parts), run.spread(measure, parts), run.groupSums(measure, parts), run.whyUnknown(measure.metric, parts)]);
    if (asked !== this.asked) return;  // something else was chosen meanwhile
    const {kind, unit} = run.metrics[values.metric];
    const title = `${shownName(run.metrics[values.metric].title, 60)} in ${shownName(this.pathSource.label(this.pathNode), 60)}`;
    const text = (value) => shownValue(value, unit);
    const panes = {
      system: () => this.showSystem(vector, kind, sums),
      spread: () => distribution(run, vector, spread, title, text),
      topology: () => topologyPane(run, vector, title, text),
      source: () => sourcePane(run, values.path),
      about: () => aboutMetric(this.state),
    };
    const ofValues = ["system", "spread", "topology"].includes(values.side);
    const notes = ofValues ? [run.kept?.reason, unknown].filter(Boolean) : [];
    const pane = unknown && ["spread", "topology"].includes(values.side) ? null : (panes[values.side] ?? panes.system)();
    this.side.replaceChildren(...[...notes.map((note) => element("p", {class: "note"}, shownName(note, 1000))), pane].filter(Boolean));
    if (values.side === "system") this.systemTree.draw();
  }

  showSystem(vector, kind, sums) {
    const {run} = this.state;
    this.largestLocation = vector.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
    this.systemSource = systemSource(run, vector, kind, sums);
    this.systemTree.show(this.systemSource, this.systemNode);
    const rows = () => Array.from(run.listed, (location) => [run.locations.rankOf(location), run.locations.thread[location], vector[location]]);
    return element("div", {class: "system"}, exports("system", () => this.treePicture(this.systemTree, `${run.metrics[this.state.values.metric].title}: system`), () => ({heads: ["rank", "thread", "value"], rows: rows()})),
      this.systemTree.host);
  }

  // The nodes that are open.
  treePicture(tree, title) {
    return listDrawing(title, tree.rows.slice(0, kMostDrawn).map((row) => ({depth: row.depth, text: tree.source.label(row.id), value: tree.facts.text(row.value, row.id), share: row.value / (tree.total || 1)})));
  }

  pathTable() {
    const {run, measure} = this.state;
    const {exclusive, inclusive} = run.totalsOf(measure);
    const rows = [];
    for (let path = 0; path < run.paths.count; ++path) rows.push([run.paths.textOf(path), inclusive[path], exclusive[path]]);
    return {heads: ["callpath", "inclusive", "exclusive"], rows};
  }

  commandText() {
    const {run, values} = this.state;
    return shownName(`tarry cube calltree -m ${shellWord(run.metrics[values.metric].name)} ${shellWord(run.facts.input)}`, 1000);
  }
}
