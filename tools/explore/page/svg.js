// svg.js -- drawings, and their files.

import {element} from "./dom.js";
import {shownName} from "./text.js";

const kSpace = "http://www.w3.org/2000/svg";

export function svg(tag, facts = {}, ...children) {
  const made = document.createElementNS(kSpace, tag);
  for (const [name, value] of Object.entries(facts)) if (value !== null && value !== undefined) made.setAttribute(name, value);
  made.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false));
  return made;
}

// A picture of some size with a title that screen readers read.
export function drawing(title, width, height, ...children) {
  return svg("svg", {viewBox: `0 0 ${width} ${height}`, width, height, role: "img", "aria-label": title, class: "drawing"},
    svg("title", {}, title), ...children);
}

const kBeyond = 12;  // so far a text may reach behind the end of an axis

// An axis along the bottom ("x") or the left ("y") of scale(value) with some marks, the last one at its end.
export function axis(side, scale, at, marks, text) {
  const isX = side === "x";
  return svg("g", {class: "axis"}, marks.map((mark, i) => {
    const place = scale(mark), isLast = i > 0 && i === marks.length - 1;
    return [
      svg("line", isX ? {x1: place, x2: place, y1: at, y2: at + 4} : {x1: at - 4, x2: at, y1: place, y2: place}),
      svg("text", isX ? {x: isLast ? place + kBeyond : place, y: at + 15, "text-anchor": isLast ? "end" : "middle"} : {x: at - 6, y: place + 4, "text-anchor": "end"}, text(mark)),
    ];
  }));
}

// A grid of coloured cells as one picture: colourOf(column, row) is a CSS colour.
export function cells(columns, rows, x, y, width, height, colourOf) {
  const canvas = document.createElement("canvas");
  canvas.width = columns;
  canvas.height = rows;
  const context = canvas.getContext("2d");
  for (let row = 0; row < rows; ++row)
    for (let column = 0; column < columns; ++column) {
      const colour = colourOf(column, row);
      if (!colour) continue;
      context.fillStyle = colour;
      context.fillRect(column, row, 1, 1);
    }
  return svg("image", {x, y, width, height, preserveAspectRatio: "none", href: canvas.toDataURL(), style: null, class: "cells"});
}

function save(name, type, text) {
  const url = URL.createObjectURL(new Blob([text], {type}));
  element("a", {href: url, download: name}).click();
  setTimeout(() => URL.revokeObjectURL(url), 1000);
}

const kCopied = ["fill", "stroke", "stroke-width", "font-size", "font-family", "opacity"];

// A drawing as a file of its own: what the style sheet says goes into it.
export function svgText(shown) {
  if (!shown.isConnected) return whileShown(shown, () => svgText(shown));
  const copy = shown.cloneNode(true);
  const from = [shown, ...shown.querySelectorAll("*")], to = [copy, ...copy.querySelectorAll("*")];
  from.forEach((source, i) => {
    const style = getComputedStyle(source);
    for (const name of kCopied) if (to[i].tagName !== "image") to[i].setAttribute(name, style.getPropertyValue(name));
  });
  copy.setAttribute("xmlns", kSpace);
  return new XMLSerializer().serializeToString(copy);
}

// Only what is in the page has a style.
function whileShown(drawn, make) {
  const host = element("div", {class: "aside", "aria-hidden": "true"}, drawn);
  document.body.append(host);
  try {
    return make();
  } finally {
    host.remove();
  }
}

// A cell of a table; one that a spreadsheet would take for a formula is quoted as text.
function csvCell(value) {
  const text = String(value);
  const safe = typeof value === "string" && /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\n\r]/.test(safe) ? `"${safe.replace(/"/g, '""')}"` : safe;
}

export function csvText(heads, rows) {
  return [heads, ...rows].map((row) => row.map(csvCell).join(",")).join("\n") + "\n";
}

const kLine = 18, kListWidth = 900, kIndent = 14, kLongestText = 110;

// A list as a drawing: each row is {value, text, depth, share}; a bar shows the share.
export function listDrawing(title, rows) {
  return drawing(title, kListWidth, (rows.length + 2) * kLine,
    svg("text", {x: 4, y: kLine - 4, class: "title"}, shownName(title, kLongestText)),
    rows.map(({value, text, depth = 0, share = 0}, i) => [
      svg("rect", {x: 4, y: (i + 1) * kLine + 3, width: Math.max(0, Math.min(1, Math.abs(share))) * 90, height: kLine - 5, class: "mark"}),
      svg("text", {x: 180, y: (i + 2) * kLine - 5, "text-anchor": "end"}, value),
      svg("text", {x: 190 + Math.min(depth, 20) * kIndent, y: (i + 2) * kLine - 5}, shownName(text, kLongestText))]));
}

// A button that saves a table.
export function csvButton(name, table) {
  return exports(name, null, table);
}

// Buttons that save what is shown. `table()` gives {heads, rows}.
export function exports(name, findDrawing, table) {
  return element("span", {class: "exports"},
    findDrawing && element("button", {type: "button", title: "Save the picture", "aria-label": `Save ${name} as SVG`,
      on: {click: () => { const shown = findDrawing(); if (shown) save(`${name}.svg`, "image/svg+xml", svgText(shown)); }}}, "SVG"),
    table && element("button", {type: "button", title: "Save the values", "aria-label": `Save ${name} as CSV`,
      on: {click: async () => { const {heads, rows} = await table(); save(`${name}.csv`, "text/csv", csvText(heads, rows)); }}}, "CSV"));
}
