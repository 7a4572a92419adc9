// svg.js -- drawings, and their files.

import {element} from "./dom.js";

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

// An axis along the bottom ("x") or the left ("y") of scale(value) with some marks.
export function axis(side, scale, at, marks, text) {
  const isX = side === "x";
  return svg("g", {class: "axis"}, marks.map((mark) => {
    const place = scale(mark);
    return [
      svg("line", isX ? {x1: place, x2: place, y1: at, y2: at + 4} : {x1: at - 4, x2: at, y1: place, y2: place}),
      svg("text", isX ? {x: place, y: at + 15, "text-anchor": "middle"} : {x: at - 6, y: place + 4, "text-anchor": "end"}, text(mark)),
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
  const copy = shown.cloneNode(true);
  const from = [shown, ...shown.querySelectorAll("*")], to = [copy, ...copy.querySelectorAll("*")];
  from.forEach((source, i) => {
    const style = getComputedStyle(source);
    for (const name of kCopied) if (to[i].tagName !== "image") to[i].setAttribute(name, style.getPropertyValue(name));
  });
  copy.setAttribute("xmlns", kSpace);
  return new XMLSerializer().serializeToString(copy);
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

// Buttons that save what is shown. `table()` gives {heads, rows}.
export function exports(name, findDrawing, table) {
  return element("span", {class: "exports"},
    findDrawing && element("button", {type: "button", title: "Save the picture",
      on: {click: () => findDrawing() && save(`${name}.svg`, "image/svg+xml", svgText(findDrawing()))}}, "SVG"),
    table && element("button", {type: "button", title: "Save the values",
      on: {click: async () => { const {heads, rows} = await table(); save(`${name}.csv`, "text/csv", csvText(heads, rows)); }}}, "CSV"));
}
