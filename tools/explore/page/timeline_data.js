// timeline_data.js -- what happened when: bins of the whole run, and single events in some windows of it.

import {Cursor, readBlock, readJson} from "./blocks.js";

export class TimelineData {
  static async read(run) {
    const facts = await readJson(run.facts.blocks.timeline);
    return facts ? new TimelineData(facts) : null;
  }

  constructor(facts) {
    Object.assign(this, facts);
    this.blocks = new Map();
  }

  // The coarsest bins that are no wider than wanted; the finest if none are.
  levelFor(secondsPerBin) {
    const width = (level) => (this.end - this.begin) / level.bins;
    return this.levels.find((level) => width(level) <= secondsPerBin) ?? this.levels[this.levels.length - 1];
  }

  // The window with the most events of a span; null if no window covers it.
  windowOf(begin, end) {
    const slack = (this.end - this.begin) * 1e-9;
    const covering = this.windows.filter((window) => window.begin <= begin + slack && end - slack <= window.end);
    const missing = (window) => Object.values(window.leftOut ?? {}).reduce((sum, count) => sum + count, 0);
    return covering.sort((a, b) => missing(a) - missing(b) || a.end - a.begin - (b.end - b.begin))[0] ?? null;
  }

  readBins(level) {
    return this.once(level.block, (cursor) => {
      const rows = cursor.u32(), bins = cursor.u32(), size = rows * bins;
      return {rows, bins, classes: cursor.u8s(size), wait: cursor.u8s(size), critical: cursor.u8s(size)};
    });
  }

  readWindow(window) {
    return this.once(window.block, readEvents);
  }

  once(name, parse) {
    if (!this.blocks.has(name)) this.blocks.set(name, readBlock(name).then((bytes) => parse(new Cursor(bytes))));
    return this.blocks.get(name);
  }
}

function readEvents(cursor) {
  const [calls, messages, members, operations, waits, segments] = cursor.u32s(6);
  return {
    calls: {count: calls, row: cursor.u32s(calls), path: cursor.u32s(calls), class: cursor.u8s(calls), enter: cursor.planes(calls), leave: cursor.planes(calls)},
    messages: {count: messages, from: cursor.u32s(messages), to: cursor.u32s(messages), sent: cursor.planes(messages), received: cursor.planes(messages), bytes: cursor.planes(messages)},
    operations: {count: operations, first: cursor.u32s(operations + 1), row: cursor.u32s(members), enter: cursor.planes(members), leave: cursor.planes(members)},
    waits: {count: waits, row: cursor.u32s(waits), metric: cursor.u32s(waits), path: cursor.u32s(waits), begin: cursor.planes(waits), end: cursor.planes(waits),
      causeRow: cursor.i32s(waits), causePath: cursor.i32s(waits), causeBegin: cursor.planes(waits), causeEnd: cursor.planes(waits), through: cursor.i32s(waits), delay: cursor.planes(waits)},
    critical: {count: segments, row: cursor.u32s(segments), path: cursor.u32s(segments), begin: cursor.planes(segments), end: cursor.planes(segments)},
  };
}
