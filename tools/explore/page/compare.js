// compare.js -- repeats of an old run and of a new one: means, spreads, and what has moved. The words and the rule are
// those of `tarry cube cmp`.

// Values of a run over all locations under names that other runs have too: by "metric" (one item ""), "region" or
// "callpath". Call paths of the same names add up. An inclusive value of a region counts outermost calls only.
export function itemsOf(run, metricName, per, isInclusive) {
  const metric = run.metricNamed(metricName), values = new Map();
  if (metric < 0) return {values, whole: 0};
  const {paths} = run, totals = run.totalsOf({metric, own: false}), whole = run.totalOf({metric, own: false});
  if (per === "metric") return {values: values.set("", whole), whole};
  const flavour = isInclusive ? totals.inclusive : totals.exclusive;
  const nested = per === "region" && isInclusive ? nestedPaths(paths) : null;
  for (let path = 0; path < paths.count; ++path) {
    if (nested?.[path]) continue;
    const name = per === "region" ? paths.nameOf(path) : paths.textOf(path);
    values.set(name, (values.get(name) ?? 0) + flavour[path]);
  }
  return {values, whole};
}

// Whether a region of the same name is above.
function nestedPaths(paths) {
  const nested = new Uint8Array(paths.count);
  for (let path = 0; path < paths.count; ++path)
    for (let above = paths.parent[path]; above >= 0 && !nested[path]; above = paths.parent[above]) if (paths.nameOf(above) === paths.nameOf(path)) nested[path] = 1;
  return nested;
}

function describeSide(values) {
  return {values, mean: values.reduce((sum, value) => sum + value, 0) / values.length, least: Math.min(...values), most: Math.max(...values)};
}

// "moved": all new values lie on one side of the old ones, and the means differ by more than the tolerance.
function verdictOf(before, now, tolerance) {
  if (now.most >= before.least && now.least <= before.most) return "within the spread";
  return Math.abs(now.mean - before.mean) > tolerance * Math.abs(before.mean) ? "moved" : "within the tolerance";
}

// Items of old and new runs, the largest change first: {name, before, now, change, verdict}.
export function compare(before, now, {metric, per, isInclusive, tolerance, floor}) {
  const sides = [before, now].map((runs) => runs.map((run) => itemsOf(run, metric, per, isInclusive)));
  const names = new Set(sides.flat().flatMap(({values}) => [...values.keys()]));
  const whole = Math.max(...sides[0].map((items) => Math.abs(items.whole)));
  const found = [];
  for (const name of names) {
    const [old, fresh] = sides.map((side) => describeSide(side.map(({values}) => values.get(name) ?? 0)));
    if (Math.max(Math.abs(old.mean), Math.abs(fresh.mean)) < floor * whole) continue;
    found.push({name, before: old, now: fresh, change: fresh.mean - old.mean, verdict: verdictOf(old, fresh, tolerance)});
  }
  return found.sort((a, b) => Math.abs(b.change) - Math.abs(a.change));
}

// Metrics that all runs add up.
export function comparedMetrics(runs) {
  return runs[0].metrics.filter((metric) => metric.kind === "sum" && runs.every((run) => run.metricNamed(metric.name) >= 0));
}
