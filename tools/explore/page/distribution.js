// distribution.js -- how values spread over locations: by rank, as histogram, box plot and Lorenz curve.

import {scaleLinear} from "d3-scale";
import {element} from "./dom.js";
import {describe, histogram, lorenz} from "./statistics.js";
import {axis, drawing, exports, svg} from "./svg.js";

const kWidth = 360, kLeft = 64, kRight = 12;

// `spread`: of all locations, where the page has single values of some only; else null.
export function distribution(run, vector, spread, title, text) {
  const listed = run.listed;
  const values = run.kept ? Float64Array.from(listed, (location) => vector[location]) : vector;
  const known = describe(values);
  const facts = spread ? {...spread, mean: spread.sum / run.locations.count} : known;
  const pictures = [byLocation(run, values, listed, facts, title, text), boxPlot(facts, title, text),
    histogramPlot(spread ? spread.counts : histogram(facts, binsFor(facts)).counts, facts, title, text)];
  if (!run.kept && facts.least >= 0) pictures.push(lorenzPlot(facts, title));
  const host = element("div", {class: "distribution"});
  host.append(
    element("h3", {}, title),
    element("p", {class: "facts"}, `sum ${text(facts.sum)} · mean ${text(facts.mean)} · ` + (spread ? "" : `deviation ${text(facts.deviation)} · `) +
      `least ${text(facts.least)} · median ${text(facts.median)} · most ${text(facts.most)}`),
    exports("distribution", () => host.querySelector("svg"), () => table(run, vector)),
    ...pictures);
  return host;
}

function table(run, vector) {
  return {heads: ["rank", "thread", "value"],
    rows: Array.from(run.listed, (l) => [run.locations.rankOf(l), run.locations.thread[l], vector[l]])};
}

function marksOf(least, most) {
  return most > least ? [least, (least + most) / 2, most] : [least];
}

const kMostBars = 512;

// A bar for each location; where there are too many, one for the largest of some neighbours.
function byLocation(run, vector, listed, facts, title, text) {
  const height = 130, base = height - 24;
  const group = Math.ceil(vector.length / kMostBars);
  const bars = Array.from({length: Math.ceil(vector.length / group)}, (_, i) => i * group);
  const low = Math.min(0, facts.least), high = Math.max(0, facts.most) || 1;
  const y = scaleLinear([low, high], [base, 8]), x = scaleLinear([0, bars.length], [kLeft, kWidth - kRight]);
  const width = Math.max(0.5, x(1) - x(0) - (bars.length < 100 ? 1 : 0));
  return drawing(`${title} by location`, kWidth, height,
    bars.map((first, i) => {
      let value = vector[first];
      for (let l = first; l < Math.min(first + group, vector.length); ++l) if (Math.abs(vector[l]) > Math.abs(value)) value = vector[l];
      return svg("rect", {x: x(i), y: Math.min(y(value), y(0)), width, height: Math.abs(y(value) - y(0)), class: "mark"},
        svg("title", {}, `${run.locations.nameOf(listed[first])}: ${text(value)}`));
    }),
    svg("line", {x1: kLeft, x2: kWidth - kRight, y1: y(facts.mean), y2: y(facts.mean), class: "mean"}, svg("title", {}, `mean ${text(facts.mean)}`)),
    axis("y", y, kLeft, marksOf(low, high), text),
    axis("x", (l) => x(l / group + 0.5), base, vector.length > 1 ? [0, vector.length - 1] : [0], (l) => run.locations.nameOf(listed[l])));
}

function boxPlot(facts, title, text) {
  const height = 64, middle = 22;
  const x = scaleLinear([facts.least, facts.most > facts.least ? facts.most : facts.least + 1], [kLeft, kWidth - kRight]);
  return drawing(`Box plot of ${title}: quartiles ${text(facts.low)}, ${text(facts.median)}, ${text(facts.high)}`, kWidth, height,
    svg("line", {x1: x(facts.least), x2: x(facts.most), y1: middle, y2: middle, class: "whisker"}),
    svg("rect", {x: x(facts.low), y: middle - 12, width: Math.max(1, x(facts.high) - x(facts.low)), height: 24, class: "box"}),
    svg("line", {x1: x(facts.median), x2: x(facts.median), y1: middle - 12, y2: middle + 12, class: "median"}),
    axis("x", x, middle + 18, marksOf(facts.least, facts.most), text));
}

function binsFor(facts) {
  return Math.max(1, Math.min(40, Math.ceil(Math.sqrt(facts.sorted.length)) * 2));
}

function histogramPlot(counts, facts, title, text) {
  const height = 120, base = height - 24, bins = counts.length;
  const y = scaleLinear([0, Math.max(...counts, 1)], [base, 8]), x = scaleLinear([0, bins], [kLeft, kWidth - kRight]);
  return drawing(`Histogram of ${title}`, kWidth, height,
    Array.from(counts, (count, i) => svg("rect", {x: x(i), y: y(count), width: Math.max(0.5, x(1) - x(0) - 1), height: base - y(count), class: "mark"},
      svg("title", {}, `${count} locations`))),
    axis("y", y, kLeft, [0, Math.max(...counts, 1)], String),
    axis("x", (i) => x(i), base, [0, bins], (i) => text(i === 0 ? facts.least : facts.most)));
}

function lorenzPlot(facts, title) {
  const size = 150, base = size - 24;
  const {points, gini} = lorenz(facts);
  const x = scaleLinear([0, 1], [kLeft, kLeft + 160]), y = scaleLinear([0, 1], [base, 8]);
  const step = Math.ceil(points.length / 400);
  const path = points.filter((_, i) => i % step === 0 || i === points.length - 1).map(([a, b]) => `${x(a).toFixed(1)},${y(b).toFixed(1)}`).join(" ");
  return drawing(`Lorenz curve of ${title}, Gini coefficient ${gini.toFixed(3)}`, kWidth, size,
    svg("line", {x1: x(0), y1: y(0), x2: x(1), y2: y(1), class: "mean"}),
    svg("polyline", {points: path, class: "curve"}),
    axis("x", x, base, [0, 0.5, 1], (v) => `${v * 100} %`), axis("y", y, kLeft, [0, 0.5, 1], (v) => `${v * 100} %`),
    svg("text", {x: kLeft + 172, y: 24, class: "note"}, `Gini ${gini.toFixed(3)}`));
}

