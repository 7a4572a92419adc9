// statistics.js -- what describes the values of many locations.

// Quantile of sorted values, between neighbours as a straight line.
export function quantile(sorted, share) {
  if (sorted.length === 0) return 0;
  const at = (sorted.length - 1) * share, below = Math.floor(at);
  const above = Math.min(below + 1, sorted.length - 1);
  return sorted[below] + (sorted[above] - sorted[below]) * (at - below);
}

export function describe(values) {
  const sorted = Float64Array.from(values).sort();
  const sum = sorted.reduce((total, value) => total + value, 0);
  const mean = sorted.length ? sum / sorted.length : 0;
  const variance = sorted.length ? sorted.reduce((total, value) => total + (value - mean) ** 2, 0) / sorted.length : 0;
  return {
    sorted, sum, mean, deviation: Math.sqrt(variance),
    least: sorted[0] ?? 0, low: quantile(sorted, 0.25), median: quantile(sorted, 0.5), high: quantile(sorted, 0.75), most: sorted[sorted.length - 1] ?? 0,
  };
}

// Points of the Lorenz curve of sorted values that are not negative: which share the smallest have; and the Gini
// coefficient, 0 if all are equal.
export function lorenz({sorted, sum}) {
  const points = [[0, 0]];
  let below = 0, area = 0;
  sorted.forEach((value, i) => {
    const before = below;
    below += value;
    if (sum > 0) area += (before + below) / 2 / sum / sorted.length;
    points.push([(i + 1) / sorted.length, sum > 0 ? below / sum : (i + 1) / sorted.length]);
  });
  return {points, gini: sum > 0 ? 1 - 2 * area : 0};
}

// How many values lie in each of some equal parts of their range.
export function histogram({sorted, least, most}, bins) {
  const counts = new Array(bins).fill(0);
  const width = (most - least) / bins || 1;
  for (const value of sorted) ++counts[Math.min(bins - 1, Math.floor((value - least) / width))];
  return {counts, width};
}
