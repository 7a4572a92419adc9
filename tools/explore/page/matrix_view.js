// matrix_view.js -- who sent how much to whom.

import {colourScale, legend} from "./colours.js";
import {Cursor, readBlock} from "./blocks.js";
import {choice, element, redraw} from "./dom.js";
import {cells, drawing, exports, svg} from "./svg.js";
import {shellWord, shownValue} from "./text.js";

const kSize = 560, kEdge = 44, kMostCells = 512, kMostListed = 20;

export class MatrixView {
  constructor(state) {
    this.state = state;
    this.unit = "bytes";
    this.matrices = new Map();
    this.host = element("section", {class: "matrix", "aria-label": "Communication"});
  }

  async read(run) {
    if (!this.matrices.has(run)) {
      const bytes = await readBlock(run.facts.blocks.matrix);
      this.matrices.set(run, bytes ? parse(bytes) : null);
    }
    return this.matrices.get(run);
  }

  async update() {
    const {run} = this.state;
    const matrix = await this.read(run);
    if (!matrix || matrix.sender.length === 0)
      return redraw(this.host, element("h2", {}, "Communication"), element("p", {class: "note"}, "The report holds no messages between processes."));
    const values = matrix[this.unit];
    const text = (value) => shownValue(value, this.unit === "bytes" ? "bytes" : "occ");
    const title = `${this.unit === "bytes" ? "Bytes" : "Messages"} by sender (down) and receiver (across)`;
    const group = Math.ceil(matrix.ranks / kMostCells), side = Math.ceil(matrix.ranks / group);
    const sums = new Float64Array(side * side);
    matrix.sender.forEach((sender, i) => { sums[Math.floor(sender / group) * side + Math.floor(matrix.receiver[i] / group)] += values[i]; });
    const scale = colourScale(sums.filter((value) => value > 0));
    const hint = element("p", {class: "hint", "aria-live": "polite"}, "\u00a0");
    const picture = drawing(title, kSize + kEdge, kSize + 20,
      svg("rect", {x: kEdge, y: 0, width: kSize, height: kSize, class: "frame"}),
      cells(side, side, kEdge, 0, kSize, kSize, (column, row) => { const value = sums[row * side + column]; return value > 0 ? scale.colour(value) : null; }),
      svg("text", {x: kEdge - 4, y: 12, "text-anchor": "end", class: "axis"}, "0"), svg("text", {x: kEdge - 4, y: kSize, "text-anchor": "end", class: "axis"}, String(matrix.ranks - 1)),
      svg("text", {x: kEdge, y: kSize + 15, class: "axis"}, "0"), svg("text", {x: kEdge + kSize, y: kSize + 15, "text-anchor": "end", class: "axis"}, String(matrix.ranks - 1)));
    picture.addEventListener("mousemove", (event) => {
      const box = picture.getBoundingClientRect();
      const column = Math.floor((((event.clientX - box.left) / box.width) * (kSize + kEdge) - kEdge) / kSize * side);
      const row = Math.floor((((event.clientY - box.top) / box.height) * (kSize + 20)) / kSize * side);
      if (column < 0 || column >= side || row < 0 || row >= side) return;
      const name = (cell) => (group === 1 ? `rank ${cell}` : `ranks ${cell * group}-${Math.min(matrix.ranks, (cell + 1) * group) - 1}`);
      hint.textContent = `${name(row)} to ${name(column)}: ${text(sums[row * side + column])}`;
    });
    redraw(this.host, element("h2", {}, "Communication"),
      element("div", {class: "bar"}, choice("Unit", [["bytes", "bytes"], ["messages", "messages"]], this.unit, (unit) => { this.unit = unit; this.update(); }),
        exports("communication", () => picture, () => ({heads: ["sender", "receiver", "messages", "bytes"], rows: Array.from(matrix.sender, (s, i) => [s, matrix.receiver[i], matrix.messages[i], matrix.bytes[i]])}))),
      legend(scale, text), picture, hint, pairs(matrix, values, text),
      element("footer", {}, "The same by a command: ", element("code", {class: "command"}, `tarry cube matrix ${shellWord(run.facts.input)}`)));
  }
}

function parse(bytes) {
  const cursor = new Cursor(bytes);
  const ranks = cursor.u32(), count = cursor.u32();
  const sender = cursor.u32s(count), receiver = cursor.u32s(count);
  return {ranks, sender, receiver, messages: cursor.f64s(count), bytes: cursor.f64s(count)};
}

function pairs(matrix, values, text) {
  const order = Array.from(values.keys()).sort((a, b) => values[b] - values[a]).slice(0, kMostListed);
  return element("table", {}, element("caption", {}, "Largest pairs"),
    element("thead", {}, element("tr", {}, ["sender", "receiver", "messages", "bytes"].map((head) => element("th", {scope: "col"}, head)))),
    element("tbody", {}, order.map((i) => element("tr", {}, element("td", {}, String(matrix.sender[i])), element("td", {}, String(matrix.receiver[i])),
      element("td", {}, shownValue(matrix.messages[i], "occ")), element("td", {}, shownValue(matrix.bytes[i], "bytes"))))));
}
