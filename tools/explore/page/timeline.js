// timeline.js -- ranks against time: what each does, messages, waits and what delays them, the critical path.
//
// Far away, bins of the run are shown. Near by, where the page holds the events, each call is. Keys: + and - zoom, arrows
// move, 0 shows all, n goes to the next window with events.

import {scaleLinear} from "d3-scale";
import {choice, element, redraw} from "./dom.js";
import {drawing, exports, svg} from "./svg.js";
import {shellWord, shownName, shownValue} from "./text.js";
import {TimelineData} from "./timeline_data.js";
import {Reasons, chainOf} from "./timeline_why.js";

// Calls are drawn one by one as long as they have some pixels each, and messages as long as they can be told apart.
const kLeft = 90, kTop = 22, kPixelsPerCall = 2.5, kFewCalls = 4000, kMostDrawn = 40000, kMostLines = 1500, kLeastRow = 3, kMostRow = 26;

// Colours of what is done, by metric; told apart with any colour vision (after Okabe and Ito).
const kColours = {comp: "#bfc7d1", mpi_point2point: "#e69f00", mpi_collective: "#0072b2", mpi_synchronization: "#56b4e9", mpi_rma_communication: "#009e73",
  mpi_io: "#f0e442", mpi_management: "#999999", omp_time: "#cc79a7", pthread_time: "#8c6bb1", accelerator: "#b3cde3", device_kernels: "#66a61e", io_time: "#f0e442", overhead: "#444444", omp_idle_threads: "#eeeeee"};
const kOther = "#a0a0a0", kWait = "#d55e00", kCritical = "#000000";

export class TimelineView {
  constructor(state) {
    this.state = state;
    this.data = new Map();
    this.shown = {messages: true, waits: true, critical: true};
    this.chosen = null;
    this.canvas = element("canvas", {class: "timeline", tabindex: "0", role: "img", "aria-label": "Timeline of all ranks",
      on: {wheel: (e) => this.onWheel(e), keydown: (e) => this.onKey(e), mousedown: (e) => this.onDown(e), mousemove: (e) => this.onMove(e), click: (e) => this.onClick(e)}});
    this.hint = element("p", {class: "hint", "aria-live": "polite"}, "\u00a0");
    this.detail = element("div", {class: "detail"});
    this.bar = element("div", {class: "bar"});
    this.footer = element("footer", {});
    this.scroller = element("div", {class: "timeline-rows"}, this.canvas);
    this.host = element("section", {class: "timeline-view", "aria-label": "Timeline"}, element("h2", {}, "Timeline"), this.bar, this.scroller, this.hint, this.detail, this.footer);
    new ResizeObserver(() => this.draw()).observe(this.scroller);
  }

  async update(changed) {
    const {run} = this.state;
    if (!this.data.has(run)) this.data.set(run, await TimelineData.read(run));
    if (run !== this.state.run) return;  // another one was chosen meanwhile
    this.timeline = this.data.get(run);
    if (!this.timeline) {
      this.run = run;
      this.detail.replaceChildren();
      Object.assign(this.canvas, {width: 0, height: 0});
      return redraw(this.bar, element("p", {class: "note"}, "The page holds no timeline of this run: it was made of a report alone. tarry explore ARCHIVE takes the trace, too."));
    }
    const {begin, end} = this.timeline;
    const {from, to} = this.state.values;
    if (this.run !== run || this.from !== (from ?? begin) || this.to !== (to ?? end)) {
      this.run = run;
      this.zoomTo(from ?? begin, to ?? end);
    }
    this.drawBar();
    this.footer.replaceChildren("The same by a command: ", element("code", {class: "command"}, `tarry merge ${shellWord(run.facts.trace ?? run.facts.input)} --only-patterns --to csv -o -`));
    if (changed.has("view") || changed.has("run")) this.draw();
  }

  drawBar() {
    const {windows, classes} = this.timeline;
    const flag = (name, text) => element("label", {}, element("input", {type: "checkbox", checked: this.shown[name], on: {change: (e) => { this.shown[name] = e.target.checked; this.draw(); }}}), text);
    redraw(this.bar,
      element("button", {type: "button", on: {click: () => this.zoomTo(this.timeline.begin, this.timeline.end)}}, "whole run"),
      element("button", {type: "button", "aria-label": "zoom in", on: {click: () => this.zoom(0.5)}}, "+"), element("button", {type: "button", "aria-label": "zoom out", on: {click: () => this.zoom(2)}}, "−"),
      windows.length > 0 && choice("Windows with single events", [["", "go to …"], ...windows.map((w, i) => [String(i), shownName(w.why ?? `${shownValue(w.begin, "sec")} to ${shownValue(w.end, "sec")}`, 80)])], "",
        (i) => i !== "" && this.zoomTo(windows[i].begin, windows[i].end)),
      flag("messages", this.timeline.rows.some((location) => this.run.locations.isQueue(location)) ? "messages and launches" : "messages"), flag("waits", "waits"), flag("critical", "critical path"),
      element("span", {class: "keys"}, classes.map(({name, title}) => [element("i", {class: "swatch", style: {background: kColours[name] ?? kOther}}), ` ${shownName(title)} `]),
        element("i", {class: "swatch", style: {background: kWait}}), " waiting ", element("i", {class: "swatch", style: {background: kCritical}}), " critical path"),
      exports("timeline", () => this.picture(), () => this.table()));
  }

  // ---- what part is shown

  zoomTo(begin, end) {
    const {begin: first, end: last} = this.timeline;
    const span = Math.min(Math.max(end - begin, 1e-8), last - first);
    this.from = Math.min(Math.max(begin, first), last - span);
    this.to = Math.min(this.from + span, last);
    const isWhole = this.from === first && this.to === last;
    this.state.showPart(isWhole ? null : this.from, isWhole ? null : this.to);
    this.draw();
  }

  zoom(factor, at = (this.from + this.to) / 2) {
    this.zoomTo(at - (at - this.from) * factor, at + (this.to - at) * factor);
  }

  move(share) {
    const by = (this.to - this.from) * share;
    this.zoomTo(this.from + by, this.to + by);
  }

  timeAt(event) {
    return this.x.invert(event.offsetX);
  }

  rowAt(event) {
    const row = Math.floor((event.offsetY - kTop) / this.rowHeight);
    return row >= 0 && row < this.timeline.rows.length ? row : -1;
  }

  onWheel(event) {
    if (!this.timeline || event.offsetX < kLeft || !(event.ctrlKey || event.shiftKey || event.altKey)) return;
    event.preventDefault();
    this.zoom(event.deltaY > 0 ? 1.25 : 0.8, this.timeAt(event));
  }

  onKey(event) {
    if (!this.timeline) return;
    const {begin, end, windows} = this.timeline;
    const keys = {"+": () => this.zoom(0.5), "-": () => this.zoom(2), ArrowLeft: () => this.move(-0.25), ArrowRight: () => this.move(0.25), 0: () => this.zoomTo(begin, end),
      n: () => { const next = windows.find((w) => w.begin > this.from) ?? windows[0]; if (next) this.zoomTo(next.begin, next.end); }};
    if (!keys[event.key] || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    keys[event.key]();
  }

  // Dragging chooses the part to show.
  onDown(event) {
    if (!this.timeline || event.offsetX < kLeft) return;
    const start = event.offsetX;
    const up = (end) => {
      window.removeEventListener("mouseup", up);
      const stop = end.clientX - this.canvas.getBoundingClientRect().left;
      if (Math.abs(stop - start) > 8) {
        this.wasDragged = true;
        this.zoomTo(this.x.invert(Math.min(start, stop)), this.x.invert(Math.max(start, stop)));
      }
    };
    window.addEventListener("mouseup", up);
  }

  // ---- drawing

  async draw() {
    if (!this.timeline || !this.canvas.isConnected) return;
    const asked = (this.asked = {});
    const width = Math.max(400, this.scroller.clientWidth);
    const rows = this.timeline.rows.length;
    this.rowHeight = Math.max(kLeastRow, Math.min(kMostRow, Math.floor(480 / rows)));
    const height = Math.min(16000, kTop + rows * this.rowHeight + 4);
    const {timeline} = this;
    const part = timeline.windowOf(this.from, this.to);
    const events = part ? await timeline.readWindow(part) : null;
    const bins = await timeline.readBins(timeline.levelFor((this.to - this.from) / (width - kLeft)));
    if (asked !== this.asked || timeline !== this.timeline) return;  // something else was chosen meanwhile
    const ratio = window.devicePixelRatio || 1;
    Object.assign(this.canvas, {width: width * ratio, height: height * ratio});
    this.canvas.style.setProperty("width", `${width}px`);
    this.canvas.style.setProperty("height", `${height}px`);
    this.x = scaleLinear([this.from, this.to], [kLeft, width - 4]);
    const room = Math.min(kMostDrawn, Math.max(kFewCalls, (rows * (width - kLeft)) / kPixelsPerCall));
    this.part = part;
    this.events = events && this.countShown(events) <= room ? events : null;
    if (this.lastEvents !== this.events) this.chosen = null;
    this.lastEvents = this.events;
    const pen = this.canvas.getContext("2d");
    pen.scale(ratio, ratio);
    pen.save();
    pen.beginPath();
    pen.rect(kLeft, kTop, width, height);
    pen.clip();
    if (this.events) this.drawEvents(pen, this.events);
    else this.drawBins(pen, bins);
    pen.restore();
    this.drawNames(pen, width);
    this.tell();
    performance.mark("tarry-timeline-drawn");
  }

  // What is below the picture: the chosen call and wait, or what can be chosen.
  tell() {
    const left = this.events ? Object.entries(this.part.leftOut ?? {}).filter(([, count]) => count > 0).map(([what, count]) => `${shownValue(count, "occ")} ${what}`) : [];
    this.detail.replaceChildren(...[
      left.length > 0 && element("p", {class: "note"}, `The shortest are left out here, to keep the page small: ${left.join(", ")}. tarry explore --window A:B takes a part in full.`),
      this.events ? this.chosen && this.describe() : element("p", {class: "hint"}, this.timeline.windows.length > 0 ? "Zoom in (drag, +, or a window of the list) to see single calls, messages, and why a rank waits." : ""),
      this.events && this.reasons().longest(this.from, this.to, (wait) => this.choose(wait)),
    ].filter((part) => part));
  }

  reasons() {
    return new Reasons(this.run, this.timeline.rows, this.events.waits, (path, facts) => this.pathLink(path, facts));
  }

  // Shows a wait with what it comes from.
  choose(wait) {
    const {waits} = this.events;
    const events = this.events;
    let begin = waits.begin[wait];
    for (const i of chainOf(waits, wait)) begin = Math.min(begin, waits.begin[i], waits.causeRow[i] >= 0 ? waits.causeBegin[i] : begin);
    const longest = 12 * (waits.end[wait] - waits.begin[wait]);
    begin = Math.max(begin, waits.end[wait] - longest);
    const margin = (waits.end[wait] - begin) * 0.15;
    this.chosen = {...this.find(waits.row[wait], (waits.begin[wait] + waits.end[wait]) / 2), wait};
    this.lastEvents = events;
    this.zoomTo(begin - margin, waits.end[wait] + margin);
  }

  countShown({calls}) {
    let count = 0;
    for (let i = 0; i < calls.count; ++i) if (calls.enter[i] < this.to && calls.leave[i] > this.from) ++count;
    return count;
  }

  top(row) {
    return kTop + row * this.rowHeight;
  }

  drawNames(pen, width) {
    const ink = getComputedStyle(this.canvas).color;
    pen.fillStyle = ink;
    pen.font = "11px system-ui, sans-serif";
    pen.textBaseline = "middle";
    pen.textAlign = "end";
    const every = Math.ceil(13 / this.rowHeight);
    this.timeline.rows.forEach((location, row) => { if (row % every === 0) pen.fillText(this.run.locations.nameOf(location), kLeft - 6, this.top(row) + this.rowHeight / 2, kLeft - 10); });
    pen.textAlign = "center";
    for (const mark of this.x.ticks(Math.max(2, Math.floor(width / 140)))) {
      pen.fillRect(this.x(mark), kTop - 5, 1, 5);
      pen.fillText(`${Number(mark.toPrecision(7))} s`, this.x(mark), kTop - 12);
    }
  }

  drawBins(pen, {bins, classes, wait, critical}) {
    const seconds = (this.timeline.end - this.timeline.begin) / bins;
    const first = Math.max(0, Math.floor((this.from - this.timeline.begin) / seconds)), last = Math.min(bins, Math.ceil((this.to - this.timeline.begin) / seconds));
    this.timeline.rows.forEach((_, row) => {
      const y = this.top(row), height = this.rowHeight - (this.rowHeight > 4 ? 1 : 0);
      for (let bin = first; bin < last; ++bin) {
        const at = row * bins + bin;
        if (classes[at] === 255) continue;
        const x = this.x(this.timeline.begin + bin * seconds), width = Math.max(1, this.x(this.timeline.begin + (bin + 1) * seconds) - x + 0.3);
        pen.fillStyle = this.colourOf(classes[at]);
        pen.fillRect(x, y, width, height);
        if (this.shown.waits && wait[at] > 0) this.fill(pen, kWait, x, y + height * (1 - wait[at] / 255), width, (height * wait[at]) / 255);
        if (this.shown.critical && critical[at] >= 128) this.fill(pen, kCritical, x, y + height / 2 - 1, width, 2);
      }
    });
  }

  colourOf(index) {
    return kColours[this.timeline.classes[index]?.name] ?? kOther;
  }

  fill(pen, colour, x, y, width, height) {
    pen.fillStyle = colour;
    pen.fillRect(x, y, width, height);
  }

  drawEvents(pen, {calls, messages, operations, waits, critical}) {
    const height = this.rowHeight - (this.rowHeight > 4 ? 2 : 0);
    const span = (begin, end) => [this.x(Math.max(begin, this.from)), Math.max(0.6, this.x(Math.min(end, this.to)) - this.x(Math.max(begin, this.from)))];
    const isSeen = (begin, end) => begin < this.to && end > this.from;
    for (let i = 0; i < calls.count; ++i) {
      if (!isSeen(calls.enter[i], calls.leave[i])) continue;
      const [x, width] = span(calls.enter[i], calls.leave[i]);
      this.fill(pen, this.colourOf(calls.class[i]), x, this.top(calls.row[i]), width, height);
    }
    if (this.shown.waits)
      for (let i = 0; i < waits.count; ++i) {
        if (!isSeen(waits.begin[i], waits.end[i])) continue;
        const [x, width] = span(waits.begin[i], waits.end[i]);
        this.fill(pen, kWait, x, this.top(waits.row[i]) + height * 0.55, width, height * 0.45);
      }
    for (let i = 0; height > 10 && i < calls.count; ++i) {
      const isLeaf = i + 1 === calls.count || calls.row[i + 1] !== calls.row[i] || calls.enter[i + 1] >= calls.leave[i];
      if (!isLeaf || !isSeen(calls.enter[i], calls.leave[i])) continue;
      const [x, width] = span(calls.enter[i], calls.leave[i]);
      if (width > 40) this.writeName(pen, this.run.paths.nameOf(calls.path[i]), x, this.top(calls.row[i]) + height / 4 + 1, width);
    }
    if (this.shown.messages) this.drawMessages(pen, messages, operations, height);
    if (this.shown.critical)
      for (let i = 0; i < critical.count; ++i) {
        if (!isSeen(critical.begin[i], critical.end[i])) continue;
        const [x, width] = span(critical.begin[i], critical.end[i]);
        this.fill(pen, kCritical, x, this.top(critical.row[i]) + height * 0.3, width, 2);
      }
    this.drawChain(pen, height);
  }

  writeName(pen, name, x, y, width) {
    pen.fillStyle = "#111";
    pen.font = "10px system-ui, sans-serif";
    pen.textAlign = "start";
    pen.textBaseline = "middle";
    const text = shownName(name, Math.floor(width / 6));
    pen.fillText(text, Math.max(x, kLeft) + 3, y, width - 4);
  }

  drawMessages(pen, messages, operations, height) {
    const middle = (row) => this.top(row) + height / 2;
    pen.strokeStyle = getComputedStyle(this.canvas).color;
    pen.lineWidth = 0.8;
    pen.beginPath();
    const isSeen = (i) => messages.sent[i] <= this.to && messages.received[i] >= this.from;
    let seen = 0;
    for (let i = 0; i < messages.count; ++i) if (isSeen(i)) ++seen;
    for (let i = 0; seen <= kMostLines && i < messages.count; ++i) {
      if (!isSeen(i)) continue;
      pen.moveTo(this.x(messages.sent[i]), middle(messages.from[i]));
      pen.lineTo(this.x(messages.received[i]), middle(messages.to[i]));
    }
    for (let o = 0; o < operations.count; ++o)
      for (let k = operations.first[o]; k + 1 < operations.first[o + 1]; ++k) {
        if (operations.enter[k] > this.to || operations.leave[k] < this.from) continue;
        pen.moveTo(this.x(operations.leave[k]), middle(operations.row[k]));
        pen.lineTo(this.x(operations.leave[k + 1]), middle(operations.row[k + 1]));
      }
    pen.stroke();
  }

  // The chosen wait, what delays it, and that through which it comes.
  drawChain(pen, height) {
    if (this.chosen?.wait === undefined) return;
    const {waits} = this.events;
    pen.strokeStyle = kWait;
    pen.lineWidth = 2;
    for (const i of chainOf(waits, this.chosen.wait)) {
      const x = this.x(waits.begin[i]), y = this.top(waits.row[i]);
      pen.strokeRect(x, y, Math.max(2, this.x(waits.end[i]) - x), height);
      if (waits.causeRow[i] < 0) continue;
      const causeX = this.x(waits.causeBegin[i]), causeY = this.top(waits.causeRow[i]);
      pen.setLineDash([5, 3]);
      pen.strokeRect(causeX, causeY, Math.max(2, this.x(waits.causeEnd[i]) - causeX), height);
      pen.setLineDash([]);
      pen.beginPath();
      pen.moveTo(this.x(waits.causeEnd[i]), causeY + height / 2);
      pen.lineTo(this.x(waits.end[i]), y + height / 2);
      pen.stroke();
    }
  }

  // ---- what is under the pointer

  // The innermost call, and the wait, of a row at a time.
  find(row, time) {
    const {calls, waits} = this.events;
    let call, wait;
    for (let i = 0; i < calls.count; ++i) if (calls.row[i] === row && calls.enter[i] <= time && time <= calls.leave[i]) call = i;
    for (let i = 0; i < waits.count; ++i) if (waits.row[i] === row && waits.begin[i] <= time && time <= waits.end[i]) wait = i;
    return {row, call, wait};
  }

  onMove(event) {
    if (!this.timeline || !this.x || event.offsetX < kLeft) return;
    const row = this.rowAt(event);
    if (row < 0) return;
    const time = this.timeAt(event);
    const place = `${this.run.locations.nameOf(this.timeline.rows[row])} at ${shownValue(time, "sec")}`;
    const {call, wait} = this.events ? this.find(row, time) : {};
    this.hint.textContent = call === undefined ? place
      : `${place}: ${shownName(this.run.paths.nameOf(this.events.calls.path[call]), 80)}${wait === undefined ? "" : `, ${this.run.metrics[this.events.waits.metric[wait]].title}`}`;
  }

  onClick(event) {
    if (this.wasDragged) return void (this.wasDragged = false);
    const row = this.timeline && this.x ? this.rowAt(event) : -1;
    if (row < 0 || event.offsetX < kLeft) return;
    this.chosen = this.events ? this.find(row, this.timeAt(event)) : null;
    this.draw();
  }

  describe() {
    const {calls} = this.events;
    const {call, wait, row} = this.chosen;
    if (call === undefined) return element("p", {class: "note"}, "Nothing is recorded there.");
    const location = this.timeline.rows[row];
    return element("div", {},
      element("h3", {}, `${this.run.locations.nameOf(location)}: `, this.pathLink(calls.path[call], {location})),
      element("p", {class: "facts"}, `from ${shownValue(calls.enter[call], "sec")} for ${shownValue(calls.leave[call] - calls.enter[call], "sec")}`),
      wait !== undefined && this.reasons().list(wait));
  }

  pathLink(path, facts) {
    return element("button", {type: "button", class: "link", on: {click: () => this.state.goTo({view: "explore", path, ...facts})}}, shownName(this.run.paths.textOf(path), 160));
  }

  // What is shown: the calls, or what takes most of each bin.
  async table() {
    const name = (row) => this.run.locations.nameOf(this.timeline.rows[row]);
    const title = (index) => this.timeline.classes[index]?.title ?? "";
    if (this.events) {
      const {calls} = this.events, seen = Array.from({length: calls.count}, (_, i) => i).filter((i) => calls.enter[i] < this.to && calls.leave[i] > this.from);
      return {heads: ["location", "callpath", "class", "enter", "leave"], rows: seen.map((i) => [name(calls.row[i]), this.run.paths.textOf(calls.path[i]), title(calls.class[i]), calls.enter[i], calls.leave[i]])};
    }
    const {bins, classes, wait, critical} = await this.timeline.readBins(this.timeline.levelFor((this.to - this.from) / 1000));
    const seconds = (this.timeline.end - this.timeline.begin) / bins, rows = [];
    for (let row = 0; row < this.timeline.rows.length; ++row)
      for (let bin = 0; bin < bins; ++bin) {
        const at = row * bins + bin, begin = this.timeline.begin + bin * seconds;
        if (classes[at] !== 255 && begin < this.to && begin + seconds > this.from) rows.push([name(row), begin, begin + seconds, title(classes[at]), wait[at] / 255, critical[at] / 255]);
      }
    return {heads: ["location", "begin", "end", "class", "waiting", "critical"], rows};
  }

  picture() {
    const {width, height} = this.canvas;
    return drawing("Timeline", width, height, svg("image", {width, height, href: this.canvas.toDataURL()}));
  }
}
