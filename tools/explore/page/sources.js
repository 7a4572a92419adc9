// sources.js -- what trees show: metrics, call paths in three orders, and the system.
//
// Each has roots, children, label, value and total for a TreeView. Those of call paths also tell which call paths a node
// stands for: parts(id, isOpen) are [path, inclusive].

import {combine} from "./run.js";

export function metricSource(run) {
  return {
    roots: () => run.metrics.filter((metric) => metric.parent < 0).map((metric) => metric.id),
    children: (id) => run.metrics[id].children,
    label: (id) => run.metrics[id].title || run.metrics[id].name,
    value: (id, isOpen) => run.totalOf({metric: id, own: isOpen}),
    total: () => 0,
  };
}

// The call tree as it was walked.
export function pathSource(run, measure) {
  const {exclusive, inclusive} = run.totalsOf(measure);
  return {
    roots: () => run.paths.roots,
    children: (id) => run.paths.children[id],
    label: (id) => run.paths.nameOf(id),
    value: (id, isOpen) => (isOpen ? exclusive[id] : inclusive[id]),
    total: () => run.totalOf(measure),
    parts: (id, isOpen) => [[id, !isOpen]],
    pathOf: (id) => id,
    nodeOf: (path) => path,
  };
}

// Regions, whatever called them; below each, the call paths that end there.
export function flatSource(run, measure) {
  const {exclusive} = run.totalsOf(measure);
  const kind = run.metrics[measure.metric].kind;
  const ofRegion = new Map();
  for (let path = 0; path < run.paths.count; ++path) {
    const region = run.paths.region[path];
    if (!ofRegion.has(region)) ofRegion.set(region, []);
    ofRegion.get(region).push(path);
  }
  const sums = new Map([...ofRegion].map(([region, paths]) => [region, combine(kind, paths.map((path) => exclusive[path]))]));
  const regions = [...ofRegion.keys()];
  const isPath = (id) => typeof id === "number";
  return {
    roots: () => regions.map((region) => `r${region}`),
    children: (id) => (isPath(id) ? [] : ofRegion.get(Number(id.slice(1)))),
    label: (id) => (isPath(id) ? run.paths.shortTextOf(id) : run.regions[Number(id.slice(1))].name),
    value: (id, isOpen) => (isPath(id) ? exclusive[id] : isOpen ? 0 : sums.get(Number(id.slice(1)))),
    total: () => run.totalOf(measure),
    parts: (id, isOpen) => (isPath(id) ? [[id, false]] : isOpen ? [] : ofRegion.get(Number(id.slice(1))).map((path) => [path, false])),
    pathOf: (id) => (isPath(id) ? id : ofRegion.get(Number(id.slice(1)))[0]),
    nodeOf: (path) => `r${run.paths.region[path]}`,
  };
}

// Regions; below each, those that called it, and so on. A node stands for the paths that go through it.
export function callerSource(run, measure) {
  const {exclusive} = run.totalsOf(measure);
  const kind = run.metrics[measure.metric].kind;
  const nodes = new Map();  // by id: {region, walks: [[path, the ancestor at this node]]}
  const group = (prefix, walks) => {
    const byRegion = new Map();
    for (const walk of walks) {
      const region = run.paths.region[walk[1]];
      if (!byRegion.has(region)) byRegion.set(region, []);
      byRegion.get(region).push(walk);
    }
    return [...byRegion].map(([region, members]) => {
      const id = `${prefix}/${region}`;
      if (!nodes.has(id)) nodes.set(id, {region, walks: members});
      return id;
    });
  };
  const sum = (walks) => combine(kind, walks.map(([path]) => exclusive[path]));
  const above = (walks) => walks.filter(([, at]) => run.paths.parent[at] >= 0).map(([path, at]) => [path, run.paths.parent[at]]);
  const ends = (walks) => walks.filter(([, at]) => run.paths.parent[at] < 0);
  const every = Array.from({length: run.paths.count}, (_, path) => [path, path]).filter(([path]) => exclusive[path] !== 0);
  const roots = group("c", every);
  return {
    roots: () => roots,
    children: (id) => (nodes.get(id).callers ??= group(id, above(nodes.get(id).walks))),
    label: (id) => run.regions[nodes.get(id).region].name,
    value: (id, isOpen) => sum(isOpen ? ends(nodes.get(id).walks) : nodes.get(id).walks),
    total: () => run.totalOf(measure),
    parts: (id, isOpen) => (isOpen ? ends(nodes.get(id).walks) : nodes.get(id).walks).map(([path]) => [path, false]),
    pathOf: (id) => nodes.get(id).walks[0]?.[0] ?? nodes.get(id).path,
    nodeOf: (path) => {
      const region = run.paths.region[path], id = `c/${region}`;
      if (!nodes.has(id)) nodes.set(id, {region, walks: [], path});  // one without a value, which the tree leaves out
      return id;
    },
  };
}

// Nodes, processes, threads with the values of a vector. Ids: "n3", "p7", "l12". In a large report only the listed
// locations have values; `sums` are those of all processes or nodes then, or null.
export function systemSource(run, vector, kind, sums) {
  const children = new Map();
  const add = (above, id) => {
    if (!children.has(above)) children.set(above, []);
    children.get(above).push(id);
  };
  run.nodes.forEach((node, i) => add(node.parent >= 0 ? `n${node.parent}` : "", `n${i}`));
  const groups = sums ? run.kept.groups : "";
  const listed = new Set(run.listed);
  const below = run.locations.ofProcess.map((locations) => locations.filter((l) => listed.has(l)));
  run.processes.forEach((process, i) => {
    if (below[i].length > 0 || groups === "process") add(process.node >= 0 ? `n${process.node}` : "", `p${i}`);
  });
  below.forEach((locations, i) => run.locations.ofProcess[i].length > 1 && locations.forEach((l) => add(`p${i}`, `l${l}`)));
  const memo = new Map();
  const total = (id) => {
    if (!memo.has(id)) {
      const index = Number(id.slice(1));
      const parts = (children.get(id) ?? []).map(total);
      memo.set(id, id[0] === "l" ? vector[index]
        : groups === "process" && id[0] === "p" ? sums[index]
        : groups === "node" && id[0] === "n" && sums[index] !== 0 ? sums[index]
        : parts.length > 0 ? combine(kind, parts)
        : id[0] === "p" ? combine(kind, run.locations.ofProcess[index].map((l) => vector[l])) : 0);
    }
    return memo.get(id);
  };
  return {
    roots: () => children.get("") ?? [],
    children: (id) => children.get(id) ?? [],
    label: (id) => systemLabel(run, id),
    value: (id, isOpen) => (isOpen ? 0 : total(id)),
    total: () => combine(kind, (children.get("") ?? []).map(total)),
    locationsOf: (id) => (id[0] === "l" ? [Number(id.slice(1))] : id[0] === "p" ? run.locations.ofProcess[Number(id.slice(1))] : []),
  };
}

function systemLabel(run, id) {
  const index = Number(id.slice(1));
  if (id[0] === "n") return `${run.nodes[index].class || "node"} ${run.nodes[index].name}`;
  if (id[0] === "p") return `rank ${run.processes[index].rank}`;
  return `thread ${run.locations.thread[index]}`;
}
