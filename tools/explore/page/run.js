// run.js -- a run: its metrics, call paths and locations, and the values of each.
//
// Values are inclusive along the metric tree. A measure is a metric as a tree shows it: with what is below it, or its
// own share alone.

import {Cursor, readBlock, readJson} from "./blocks.js";
import {shownName} from "./text.js";

const kMostNames = 64, kLongestPart = 80;  // of a call path as people read it

export class Run {
  static async read(facts) {
    const structure = await readJson(facts.blocks.structure);
    return new Run(facts, structure, new Totals(await readBlock(facts.blocks.totals)));
  }

  constructor(facts, structure, totals) {
    this.facts = facts;
    this.name = facts.name;
    this.metrics = structure.metrics.map((metric, id) => ({...metric, id, children: []}));
    for (const metric of this.metrics) if (metric.parent >= 0) this.metrics[metric.parent].children.push(metric.id);
    this.regions = structure.regions;
    this.paths = new Paths(structure.paths, this.regions);
    this.nodes = structure.nodes;
    this.processes = structure.processes;
    this.locations = new Locations(structure);
    this.topologies = structure.topologies ?? [];
    this.attributes = structure.attributes ?? [];
    this.totals = totals;
    this.rows = new Map();     // of a metric: a promise
    this.kept = facts.kept ? {...facts.kept, locations: Uint32Array.from(facts.kept.locations)} : null;  // in a large report
    this.listed = this.kept ? this.kept.locations : Uint32Array.from({length: this.locations.count}, (_, i) => i);
    this.spreads = new Map();  // of a metric: a promise
    this.measured = new Map(); // totals of a metric without its children
  }

  metricNamed(name) {
    return this.metrics.findIndex((metric) => metric.name === name);
  }

  isRoot(metric) {
    return this.metrics[metric].parent < 0;
  }

  rootOf(metric) {
    while (this.metrics[metric].parent >= 0) metric = this.metrics[metric].parent;
    return metric;
  }

  // Whether what is below the metric can be taken from it.
  canSplit(metric) {
    const {kind, unit, children} = this.metrics[metric];
    return kind === "sum" && children.length > 0 &&
      children.every((child) => this.metrics[child].kind === "sum" && this.metrics[child].unit === unit);
  }

  // Values over all locations, by call path: {exclusive, inclusive}. `own`: without the metrics below.
  totalsOf({metric, own}) {
    if (!own || !this.canSplit(metric)) return this.totals.of(metric, this.paths.count);
    if (!this.measured.has(metric)) {
      const whole = this.totals.of(metric, this.paths.count);
      const rest = {exclusive: whole.exclusive.slice(), inclusive: whole.inclusive.slice()};
      for (const child of this.metrics[metric].children) {
        const part = this.totals.of(child, this.paths.count);
        for (let path = 0; path < this.paths.count; ++path) {
          rest.exclusive[path] -= part.exclusive[path];
          rest.inclusive[path] -= part.inclusive[path];
        }
      }
      this.measured.set(metric, cleaned(rest, whole));
    }
    return this.measured.get(metric);
  }

  // Of the whole run.
  totalOf(measure) {
    const {inclusive} = this.totalsOf(measure);
    return combine(this.metrics[measure.metric].kind, this.paths.roots.map((root) => inclusive[root]));
  }

  rowsOf(metric) {
    if (!this.rows.has(metric)) this.rows.set(metric, this.readRows(metric));
    return this.rows.get(metric);
  }

  async readRows(metric) {
    const bytes = await readBlock(this.facts.values[metric]);
    return bytes ? new Rows(bytes, this.kept?.locations ?? null) : Rows.empty(this.locations.count);
  }

  // How the values of a metric spread, where single ones are not kept for all locations.
  spreadOf(metric) {
    if (!this.spreads.has(metric))
      this.spreads.set(metric, readBlock(this.kept?.spread?.[metric]).then((bytes) => (bytes ? new Spread(bytes) : null)));
    return this.spreads.get(metric);
  }

  // Quartiles and histogram of the values at one call path; null if the page cannot tell.
  async spread({metric, own}, parts) {
    if (!this.kept || (own && this.canSplit(metric)) || parts.length !== 1) return null;
    const [path, inclusive] = parts[0];
    return (await this.spreadOf(metric))?.find(path, inclusive && this.paths.children[path].length > 0) ?? null;
  }

  // Sums of processes or nodes, whatever single values are kept; null if the page has none.
  async groupSums({metric, own}, parts) {
    if (!this.kept?.groups) return null;
    const sums = await this.wholeGroupSums(metric, parts);
    if (sums && own && this.canSplit(metric))
      for (const child of this.metrics[metric].children) (await this.wholeGroupSums(child, parts))?.forEach((value, i) => { sums[i] -= value; });
    return sums;
  }

  async wholeGroupSums(metric, parts) {
    const spread = await this.spreadOf(metric);
    return spread ? spread.groupSums(parts.map(([path, inclusive]) => [path, inclusive && this.paths.children[path].length > 0])) : null;
  }

  // Why single values of these parts cannot be told; null: they can. Ratios do not add up, and those of very deep call
  // trees are in the page for call paths without what is below.
  async whyUnknown(metric, parts) {
    if (this.metrics[metric].kind !== "ratio") return null;
    if (parts.length > 1) return "Values of this metric do not add up over several call paths. Those of single call paths are right.";
    const hasBelow = parts.some(([path, inclusive]) => inclusive && this.paths.children[path].length > 0);
    if (!hasBelow || (await this.rowsOf(metric)).inclusive) return null;
    return "Values of this metric do not add up, and the call tree is too deep for the page to hold each one. The value of all threads together is right; so are those of a call path without what is below it.";
  }

  // By location. `parts` are [path, inclusive]; they are combined as the metric demands.
  async vector({metric, own}, parts) {
    const kind = this.metrics[metric].kind;
    const sum = await this.wholeVector(metric, kind, parts);
    if (!own || !this.canSplit(metric)) return sum;
    const rest = sum.slice();
    for (const child of this.metrics[metric].children) {
      const part = await this.wholeVector(child, kind, parts);
      for (let i = 0; i < rest.length; ++i) rest[i] -= part[i];
    }
    for (let i = 0; i < rest.length; ++i) if (Math.abs(rest[i]) < 1e-12 * Math.abs(sum[i])) rest[i] = 0;
    return rest;
  }

  async wholeVector(metric, kind, parts) {
    const rows = await this.rowsOf(metric);
    if (await this.whyUnknown(metric, parts)) return new Float64Array(this.locations.count).fill(NaN);
    const into = new Float64Array(this.locations.count).fill(neutralOf(kind));
    for (const [path, inclusive] of parts) {
      if (inclusive && rows.inclusive) rows.inclusive.add(path, kind, into);
      else if (inclusive) for (let p = path; p < this.paths.end[path]; ++p) rows.exclusive.add(p, kind, into);
      else rows.exclusive.add(path, kind, into);
    }
    if (kind !== "sum") for (let i = 0; i < into.length; ++i) if (!Number.isFinite(into[i])) into[i] = 0;
    return into;
  }
}

// Differences of nearly equal sums leave crumbs, which are no values.
function cleaned(rest, whole) {
  for (const flavour of ["exclusive", "inclusive"])
    for (let i = 0; i < rest[flavour].length; ++i)
      if (Math.abs(rest[flavour][i]) < 1e-12 * Math.abs(whole[flavour][i])) rest[flavour][i] = 0;
  return rest;
}

export function neutralOf(kind) {
  return kind === "min" ? Infinity : kind === "max" ? -Infinity : 0;
}

export function combine(kind, values) {
  if (kind === "min" || kind === "max") {
    const there = values.filter((value) => value !== 0 && Number.isFinite(value));
    return there.length ? Math[kind](...there) : 0;
  }
  if (kind === "ratio" && values.length > 1) return NaN;  // neither add up nor have a smallest one
  return values.reduce((sum, value) => sum + value, 0);
}

// The call tree: paths in preorder, so that those below one lie behind it.
class Paths {
  constructor({region, parent, line, module = {}, parameters = {}}, regions) {
    this.count = region.length;
    this.region = region;
    this.parent = parent;
    this.line = line;
    this.module = module;
    this.parameters = parameters;
    this.regions = regions;
    this.children = Array.from(region, () => []);
    this.roots = [];
    this.end = new Int32Array(this.count);
    for (let path = 0; path < this.count; ++path) (parent[path] < 0 ? this.roots : this.children[parent[path]]).push(path);
    for (let path = this.count - 1; path >= 0; --path) {
      const last = this.children[path][this.children[path].length - 1];
      this.end[path] = last === undefined ? path + 1 : this.end[last];
    }
  }

  nameOf(path) {
    return this.regions[this.region[path]].name;
  }

  // As `tarry cube dump` writes it.
  textOf(path) {
    const names = [];
    for (let p = path; p >= 0; p = this.parent[p]) names.push(this.nameOf(p).replace(/\\/g, "\\\\").replace(/\//g, "\\/"));
    return names.reverse().join("/");
  }

  // For people: long names are cut.
  shortTextOf(path) {
    const names = [];
    for (let p = path; p >= 0 && names.length < kMostNames; p = this.parent[p]) names.push(shownName(this.nameOf(p), kLongestPart));
    return names.reverse().join("/");
  }

  // The file and line in which the call stands; null if the report does not tell.
  placeOf(path) {
    const line = this.line[path];
    const caller = this.parent[path] >= 0 ? this.regions[this.region[this.parent[path]]] : null;
    const file = this.module[path] ?? caller?.module;
    return file && line > 0 ? {file, line} : null;
  }
}

class Locations {
  constructor({locations, processes}) {
    this.count = locations.process.length;
    this.process = locations.process;
    this.thread = locations.thread;
    this.names = locations.name ?? {};
    this.types = locations.type ?? {};
    this.processes = processes;
    this.ofProcess = processes.map(() => []);
    this.process.forEach((process, location) => this.ofProcess[process].push(location));
  }

  rankOf(location) {
    return this.processes[this.process[location]].rank;
  }

  // Of an accelerator.
  isQueue(location) {
    return this.types[location] === "accelerator stream";
  }

  nameOf(location) {
    const process = this.process[location];
    const rank = `rank ${this.processes[process].rank}`;
    if (this.isQueue(location)) return `${rank}, ${shownName(this.names[location] ?? `queue ${this.thread[location]}`)}`;
    return this.ofProcess[process].length === 1 ? rank : `${rank}, thread ${this.thread[location]}`;
  }
}

// Values over all locations: by metric and call path.
class Totals {
  constructor(bytes) {
    this.sparse = [];
    this.dense = new Map();
    if (!bytes) return;
    const cursor = new Cursor(bytes);
    const metrics = cursor.u32();
    cursor.u32();
    for (let metric = 0; metric < metrics; ++metric) {
      cursor.align(8);
      const count = cursor.u32();
      cursor.u32();
      this.sparse.push({path: cursor.u32s(count), exclusive: cursor.f64s(count), inclusive: cursor.f64s(count)});
    }
  }

  of(metric, paths) {
    if (!this.dense.has(metric)) {
      const dense = {exclusive: new Float64Array(paths), inclusive: new Float64Array(paths)};
      const {path, exclusive, inclusive} = this.sparse[metric] ?? {path: []};
      for (let i = 0; i < path.length; ++i) {
        dense.exclusive[path[i]] = exclusive[i];
        dense.inclusive[path[i]] = inclusive[i];
      }
      this.dense.set(metric, dense);
    }
    return this.dense.get(metric);
  }
}

// All rows of a metric.
class Rows {
  // `kept`: the locations that columns stand for; null: all.
  constructor(bytes, kept) {
    const cursor = new Cursor(bytes);
    const locations = cursor.u32();
    const rows = cursor.u32();
    const hasInclusive = cursor.u32();
    cursor.u32();
    this.exclusive = new RowTable(cursor, locations, rows, kept);
    this.inclusive = null;
    if (!hasInclusive) return;
    cursor.align(8);
    const others = cursor.u32();
    cursor.u32();
    this.inclusive = new RowTable(cursor, locations, others, kept);
  }

  static empty(locations) {
    const rows = Object.create(Rows.prototype);
    rows.exclusive = new RowTable(null, locations, 0, null);
    rows.inclusive = null;
    return rows;
  }
}

class RowTable {
  constructor(cursor, locations, rows, kept) {
    this.kept = kept;
    this.place = new Map();  // of a path: {first, count, columns}
    if (!cursor) return;
    const path = cursor.u32s(rows);
    const count = cursor.u32s(rows);
    cursor.align(8);
    const columns = cursor.u32s(count.reduce((sum, n) => sum + (n === locations ? 0 : n), 0));
    cursor.align(8);
    this.values = cursor.planes(count.reduce((sum, n) => sum + n, 0));
    let first = 0, column = 0;
    for (let row = 0; row < rows; ++row) {
      const isDense = count[row] === locations;
      this.place.set(path[row], {first, count: count[row], columns: isDense ? null : columns.subarray(column, column + count[row])});
      first += count[row];
      if (!isDense) column += count[row];
    }
  }

  value(path, location) {
    const row = this.place.get(path);
    const column = this.kept ? this.kept.indexOf(location) : location;
    if (column < 0) return NaN;
    if (!row) return 0;
    if (!row.columns) return this.values[row.first + column];
    const at = row.columns.indexOf(column);
    return at < 0 ? 0 : this.values[row.first + at];
  }

  add(path, kind, into) {
    const row = this.place.get(path);
    if (!row) return;
    const {first, count, columns} = row;
    for (let i = 0; i < count; ++i) {
      const column = columns ? columns[i] : i;
      const location = this.kept ? this.kept[column] : column;
      const value = this.values[first + i];
      into[location] = kind === "min" ? Math.min(into[location], value)
        : kind === "max" ? Math.max(into[location], value) : into[location] + value;
    }
  }
}

const kSpreadArrays = ["sum", "least", "low", "median", "high", "most"];

// How the values of each row are spread over all locations.
class Spread {
  constructor(bytes) {
    const cursor = new Cursor(bytes);
    cursor.u32();
    this.groups = cursor.u32();
    this.bins = cursor.u32();
    const hasInclusive = cursor.u32();
    this.exclusive = this.readTable(cursor);
    this.inclusive = this.readTable(cursor);
    if (!hasInclusive) this.inclusive = this.exclusive;
  }

  readTable(cursor) {
    cursor.align(8);
    const rows = cursor.u32();
    cursor.u32();
    const path = cursor.u32s(rows);
    const table = {place: new Map(), count: cursor.u32s(rows), bins: cursor.u32s(rows * this.bins)};
    path.forEach((p, row) => table.place.set(p, row));
    for (const name of kSpreadArrays) table[name] = cursor.planes(rows);
    table.groupSums = cursor.planes(rows * this.groups);
    return table;
  }

  find(path, inclusive) {
    const table = inclusive ? this.inclusive : this.exclusive;
    const row = table.place.get(path);
    if (row === undefined) return null;
    const found = {counts: table.bins.subarray(row * this.bins, (row + 1) * this.bins)};
    for (const name of kSpreadArrays) found[name] = table[name][row];
    return found;
  }

  groupSums(parts) {
    const sums = new Float64Array(this.groups);
    for (const [path, inclusive] of parts) {
      const table = inclusive ? this.inclusive : this.exclusive;
      const row = table.place.get(path);
      if (row !== undefined) for (let g = 0; g < this.groups; ++g) sums[g] += table.groupSums[row * this.groups + g];
    }
    return sums;
  }
}
