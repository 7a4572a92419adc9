// plot.js -- charts of lines, points, bands and stacked columns, with a legend. Shapes tell series apart where colours do not.

import {scaleLinear, scaleLog} from "d3-scale";
import {axis, drawing, svg} from "./svg.js";
import {shownName} from "./text.js";

export const kColours = 7;
const kLeft = 74, kTop = 28, kBottom = 44, kLegend = 230, kLine = 18, kLegendText = 34, kMostMarks = 12;

// From the smallest to the largest of some values, with what lies between as marks.
function makeScale({log = false, values, zero = false, marks = null}, range) {
  let least = Infinity, most = -Infinity;
  for (const value of values) {
    if (!Number.isFinite(value) || (log && value <= 0)) continue;
    least = Math.min(least, value);
    most = Math.max(most, value);
  }
  if (!(least <= most)) [least, most] = log ? [1, 10] : [0, 1];
  if (log) {
    if (least === most) [least, most] = [least / 2, most * 2];
    return {scale: scaleLog([least, most], range), shows: (value) => value > 0 && Number.isFinite(value), marks: marks ?? logMarks(least, most)};
  }
  if (zero) [least, most] = [Math.min(0, least), Math.max(0, most)];
  if (least === most) most = least + (Math.abs(least) || 1);
  const scale = scaleLinear([least, most], range);
  return {scale, shows: Number.isFinite, marks: marks ?? scale.ticks(5)};
}

function logMarks(least, most) {
  const first = Math.floor(Math.log10(least)), last = Math.floor(Math.log10(most)), stride = Math.max(1, Math.ceil((last - first) / 8)), found = [];
  for (let power = first; power <= last; power += stride)
    for (const factor of last - first < 4 ? [1, 2, 5] : [1]) {
      const mark = factor * 10 ** power;
      if (mark >= least * 0.999999 && mark <= most * 1.000001) found.push(Number(mark.toPrecision(1)));
    }
  return found;
}

// Marks where runs were measured, as long as there are few.
export function measuredMarks(values) {
  const distinct = [...new Set(values)].sort((a, b) => a - b);
  return distinct.length <= kMostMarks ? distinct : null;
}

function marker(shape, x, y, size, facts, title) {
  const paths = {
    1: `M${x},${y - size}l${size},${size}l${-size},${size}l${-size},${-size}z`,
    2: `M${x - size},${y - size}h${2 * size}v${2 * size}h${-2 * size}z`,
    3: `M${x},${y - size}l${size},${1.8 * size}h${-2 * size}z`,
  };
  const hint = title && svg("title", {}, title);
  return paths[shape % 4] ? svg("path", {d: paths[shape % 4], ...facts}, hint) : svg("circle", {cx: x, cy: y, r: size, ...facts}, hint);
}

function pathOf(points) {
  return points.map(([x, y]) => `${x.toFixed(1)},${y.toFixed(1)}`).join(" ");
}

// One series: {name, points: [[x, y]], repeats: [[x, y]], line: [[x, y]], band: [[x, lower, upper]], ideal: dashed}.
function drawSeries(series, index, x, y, text) {
  const shown = (points) => (points ?? []).filter(([a, b]) => x.shows(a) && y.shows(b)).map(([a, b]) => [x.scale(a), y.scale(b), a, b]);
  const band = (series.band ?? []).filter(([a, low, high]) => x.shows(a) && Number.isFinite(low) && Number.isFinite(high));
  const [bottom, top] = y.scale.domain();
  const inside = (value) => y.scale(Math.min(Math.max(value, Math.min(bottom, top)), Math.max(bottom, top)));
  const outline = [...band.map(([a, low]) => [x.scale(a), inside(low)]), ...band.map(([a, , high]) => [x.scale(a), inside(high)]).reverse()];
  return svg("g", {class: series.ideal ? "ideal" : `series c${index % kColours}`},
    band.length > 1 && svg("polygon", {class: "band", points: pathOf(outline)}),
    svg("polyline", {class: "line", points: pathOf(shown(series.line ?? series.points)), "stroke-dasharray": series.ideal ? "5 4" : null}),
    shown(series.repeats).map(([px, py, a, b]) => marker(index, px, py, 2.5, {class: "dot repeat"}, `${shownName(series.name, 60)}: ${text(a, b)}`)),
    !series.ideal && shown(series.points).map(([px, py, a, b]) => marker(index, px, py, 4.5, {class: "dot"}, `${shownName(series.name, 60)}: ${text(a, b)}`)));
}

function legendOf(series, x, texts) {
  return series.map(({name, ideal, points}, i) => svg("g", {class: ideal ? "ideal" : `series c${i % kColours}`},
    svg("line", {class: "line", x1: x, x2: x + 20, y1: kTop + i * kLine + 4, y2: kTop + i * kLine + 4, "stroke-dasharray": ideal ? "5 4" : null}),
    !ideal && points?.length > 0 && marker(i, x + 10, kTop + i * kLine + 4, 4, {class: "dot"}),
    svg("text", {x: x + 26, y: kTop + i * kLine + 8}, shownName(texts?.[i] ?? name, kLegendText), svg("title", {}, shownName(name, 400)))));
}

// How far a band is shown: it may be much wider than all that is known.
const kBandRoom = 10;

function bandEnds(series, values, isLog) {
  const known = values.filter((value) => Number.isFinite(value) && (!isLog || value > 0));
  if (!isLog || known.length === 0) return [];
  const least = Math.min(...known) / kBandRoom, most = Math.max(...known) * kBandRoom;
  return series.flatMap(({band = []}) => band.flatMap(([, low, high]) => [Math.max(low, least), Math.min(high, most)])).filter(Number.isFinite);
}

// Lines over x. `x` and `y`: {name, log, zero, marks, text}; `at`: a place on x that is marked.
export function lineChart({title, width = 640, height = 300, x, y, series, at = null}) {
  const all = (pick) => series.flatMap((each) => [...(each.points ?? []), ...(each.repeats ?? []), ...(each.line ?? [])].map((point) => point[pick]));
  const right = width - (series.length > 1 ? kLegend : 14);
  const xs = makeScale({...x, values: at === null ? all(0) : [...all(0), at]}, [kLeft, right]);
  const ys = makeScale({...y, values: [...all(1), ...bandEnds(series, all(1), y.log)]}, [height - kBottom, kTop]);
  const text = (a, b) => `${x.name} ${x.text(a)}: ${y.text(b)}`;
  return drawing(title, width, height,
    ys.marks.map((mark) => svg("line", {class: "grid", x1: kLeft, x2: right, y1: ys.scale(mark), y2: ys.scale(mark)})),
    at !== null && xs.shows(at) && svg("line", {class: "here", x1: xs.scale(at), x2: xs.scale(at), y1: kTop, y2: height - kBottom, "stroke-dasharray": "2 3"}),
    series.map((each, i) => drawSeries(each, i, xs, ys, text)),
    axis("x", xs.scale, height - kBottom, xs.marks, x.text), axis("y", ys.scale, kLeft, ys.marks, y.text),
    svg("text", {x: (kLeft + right) / 2, y: height - 8, "text-anchor": "middle"}, shownName(x.name, 60)),
    svg("text", {x: 4, y: 14, class: "title"}, shownName(title, 110)),
    series.length > 1 && legendOf(series, right + 14));
}

// The look of a part of a stack: colours come again, fainter each time.
export function partClass(i) {
  return `part c${i % kColours} round${Math.min(2, Math.floor(i / kColours))}`;
}

// Columns of parts that add up: `parts` are {name, values}, the first one at the bottom.
export function stackChart({title, width = 760, height = 340, columns, xName, parts, isShare, text}) {
  const wholes = columns.map((_, c) => parts.reduce((sum, part) => sum + Math.max(0, part.values[c]), 0));
  const right = width - kLegend - 40, most = isShare ? 1 : Math.max(...wholes, 1e-300), base = height - kBottom;
  const y = scaleLinear([0, most], [base, kTop]), each = (right - kLeft) / columns.length;
  const below = columns.map(() => 0), stride = Math.ceil(columns.length / kMostMarks);
  const bars = parts.map((part, i) => columns.map((name, c) => {
    const size = Math.max(0, part.values[c]) / (isShare ? wholes[c] || 1 : 1), from = below[c];
    below[c] += size;
    return size > 0 && svg("rect", {class: partClass(i), x: (kLeft + (c + 0.12) * each).toFixed(1), width: (each * 0.76).toFixed(1), y: y(from + size).toFixed(2), height: (y(from) - y(from + size)).toFixed(2)},
      svg("title", {}, `${shownName(part.name, 80)}, ${name}: ${text(part.values[c])}, ${((100 * part.values[c]) / (wholes[c] || 1)).toFixed(1)} %`));
  }));
  return drawing(title, width, height,
    y.ticks(5).map((mark) => svg("line", {class: "grid", x1: kLeft, x2: right, y1: y(mark), y2: y(mark)})), bars,
    axis("y", y, kLeft, y.ticks(5), isShare ? (v) => `${Math.round(v * 100)} %` : text),
    columns.map((name, c) => c % stride === 0 && svg("text", {x: kLeft + (c + 0.5) * each, y: base + 15, "text-anchor": "middle"}, shownName(name, 14), svg("title", {}, shownName(name, 200)))),
    svg("line", {x1: kLeft, x2: right, y1: base, y2: base}), svg("text", {x: (kLeft + right) / 2, y: height - 8, "text-anchor": "middle"}, xName),
    svg("text", {x: 4, y: 14, class: "title"}, shownName(title, 110)),
    parts.map((part, i) => { const row = kTop + (parts.length - 1 - i) * 15; return [
      svg("rect", {class: partClass(i), x: right + 14, y: row, width: 12, height: 11}),
      svg("text", {x: right + 32, y: row + 10}, shownName(part.name, 40), svg("title", {}, shownName(part.name, 400)))]; }));
}
