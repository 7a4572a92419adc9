// state.js -- what is selected and how it is shown, and the link that says so.

const kLinked = ["view", "run", "metric", "path", "order", "share", "side", "location", "from", "to"];
const kLinkDelay = 200;  // milliseconds; browsers complain of a link that changes all the time

// view: which page; run, metric, path: numbers; metricOpen, pathOpen: without what is below; share: of what values are
// shown; order: of the call paths (tree, flat, callers); side: what the third panel shows; from, to: seconds that the
// timeline shows, null for the whole run.
export class State {
  constructor(runs) {
    this.runs = runs;
    this.listeners = [];
    this.values = {view: "overview", run: 0, metric: 0, path: 0, location: -1, order: "tree", share: "root", side: "system", from: null, to: null};
    this.open = {metrics: new Set(), paths: new Set(), system: new Set()};
    this.start();
    this.readLink();
    window.addEventListener("hashchange", () => {
      if (location.hash !== this.link()) {
        this.readLink();
        this.tell(new Set(kLinked));
      }
    });
  }

  // Shows the largest wait, or where most of the time goes.
  start() {
    const wait = this.run.findings?.waits?.[0];
    const metric = Math.max(0, this.run.metricNamed(wait?.metric ?? "time"));
    this.showMetric(metric);
    this.showPath(hottestPath(this.run, {metric, own: false}));
  }

  get run() {
    return this.runs[this.values.run];
  }

  // The selected metric; without those below it if its node is open.
  get measure() {
    const {metric} = this.values;
    return {metric, own: this.open.metrics.has(metric)};
  }

  onChange(listener) {
    this.listeners.push(listener);
  }

  // Changes what is selected; tells those who listen what changed.
  set(changes) {
    const changed = new Set(Object.keys(changes).filter((name) => this.values[name] !== changes[name]));
    if (changed.has("run")) this.moveTo(changes.run, changes, changed);
    Object.assign(this.values, changes);
    if (changed.size === 0) return;
    this.writeLink();
    this.tell(changed);
  }

  // What part of the run the timeline shows, which has drawn it already.
  showPart(from, to) {
    Object.assign(this.values, {from, to});
    clearTimeout(this.linkTimer);
    this.linkTimer = setTimeout(() => this.writeLink(), kLinkDelay);
  }

  // Goes to a metric or call path and opens what is above it.
  goTo({run = this.values.run, metric, path, ...others}) {
    this.set({run});
    if (metric !== undefined) this.showMetric(metric);
    if (path !== undefined) this.showPath(path);
    Object.assign(this.values, others);
    this.writeLink();
    this.tell(new Set([...kLinked, "open-metrics", "open-paths"]));
  }

  // Opens or closes nodes of a tree.
  toggle(tree, id, isOpen) {
    if (isOpen) this.open[tree].add(id);
    else this.open[tree].delete(id);
    this.tell(new Set([`open-${tree}`]));
  }

  tell(changed) {
    for (const listener of this.listeners) listener(changed);
  }

  // The same metric and call path in another run, by name.
  moveTo(run, changes, changed) {
    const from = this.run, to = this.runs[run];
    const metric = to.metricNamed(from.metrics[this.values.metric]?.name);
    const text = from.paths.count > 0 ? from.paths.textOf(this.values.path) : "";
    changes.metric ??= Math.max(metric, 0);
    changes.path ??= Math.max(findPath(to, text), 0);
    changes.location = -1;
    Object.assign(changes, {from: null, to: null});
    this.open = {metrics: renumbered(this.open.metrics, from.metrics, (name) => to.metricNamed(name)), paths: new Set(), system: new Set()};
    for (let p = to.paths.parent[changes.path] ?? -1; p >= 0; p = to.paths.parent[p]) this.open.paths.add(p);
    for (const name of ["metric", "path", "location", "from", "to"]) changed.add(name);
  }

  link() {
    const {view, run, metric, path, order, share, side, location, from, to} = this.values;
    const facts = {view, run: run > 0 ? run : "", metric: linkedMetric(this.run, metric), path: linkedPath(this.run, path),
      order: order === "tree" ? "" : order, share: share === "root" ? "" : share, side: side === "system" ? "" : side,
      location: location >= 0 ? location : "", from: view === "timeline" ? from ?? "" : "", to: view === "timeline" ? to ?? "" : ""};
    return "#" + kLinked.filter((name) => facts[name] !== "").map((name) => `${name}=${encodeURIComponent(facts[name])}`).join("&");
  }

  writeLink() {
    history.replaceState(null, "", this.link());
  }

  readLink() {
    const facts = new URLSearchParams(location.hash.slice(1));
    const run = Number(facts.get("run") ?? 0);
    if (run in this.runs) this.values.run = run;
    for (const name of ["view", "order", "share", "side"]) if (facts.get(name)) this.values[name] = facts.get(name);
    const metric = findMetric(this.run, facts.get("metric") ?? "");
    if (metric >= 0) this.showMetric(metric);
    const path = facts.get("path") ? findPath(this.run, facts.get("path")) : -1;
    if (path >= 0) this.showPath(path);
    else if (metric >= 0) this.showPath(hottestPath(this.run, {metric, own: false}));
    const place = Number(facts.get("location") ?? -1);
    if (place >= 0 && place < this.run.locations.count) this.values.location = place;
    const [from, to] = ["from", "to"].map((name) => Number.parseFloat(facts.get(name) ?? ""));
    Object.assign(this.values, from < to ? {from, to} : {from: null, to: null});
  }

  // Selects it and opens what is above.
  showMetric(metric) {
    this.values.metric = metric;
    for (let m = this.run.metrics[metric].parent; m >= 0; m = this.run.metrics[m].parent) this.open.metrics.add(m);
  }

  showPath(path) {
    this.values.path = path;
    for (let p = this.run.paths.parent[path]; p >= 0; p = this.run.paths.parent[p]) this.open.paths.add(p);
  }
}

function renumbered(ids, metrics, find) {
  return new Set([...ids].map((id) => find(metrics[id]?.name)).filter((id) => id >= 0));
}

const kLongestLink = 300;

// By name; by number where the name is long.
function linkedMetric(run, metric) {
  const name = run.metrics[metric]?.name ?? "";
  return name.length <= kLongestLink ? name : `@${metric}`;
}

function findMetric(run, text) {
  return /^@\d+$/.test(text) ? (Number(text.slice(1)) in run.metrics ? Number(text.slice(1)) : -1) : run.metricNamed(text);
}

// By name; by number where names are long, or two paths have the same.
function linkedPath(run, path) {
  if (path < 0 || path >= run.paths.count) return "";
  const text = run.paths.textOf(path);
  return text.length <= kLongestLink && findPath(run, text) === path ? text : `@${path}`;
}

// From the root down, as long as most of the value lies below one call path.
export function hottestPath(run, measure) {
  const {inclusive} = run.totalsOf(measure);
  const largest = (paths) => paths.reduce((best, path) => (best < 0 || Math.abs(inclusive[path]) > Math.abs(inclusive[best]) ? path : best), -1);
  let path = largest(run.paths.roots);
  for (;;) {
    const next = path < 0 ? -1 : largest(run.paths.children[path]);
    if (next < 0 || Math.abs(inclusive[next]) < Math.abs(inclusive[path]) / 2) return Math.max(path, 0);
    path = next;
  }
}

export function findPath(run, text) {
  const {paths} = run;
  if (/^@\d+$/.test(text)) return Number(text.slice(1)) < paths.count ? Number(text.slice(1)) : -1;
  const names = text.split(/(?<!\\)(?:\\\\)*\//);
  let found = -1;
  let candidates = paths.roots;
  for (const name of names) {
    const plain = name.replace(/\\([\\/])/g, "$1");
    found = candidates.find((path) => paths.nameOf(path) === plain) ?? -1;
    if (found < 0) return -1;
    candidates = paths.children[found];
  }
  return found;
}
