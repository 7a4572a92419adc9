// timeline_why.js -- why a rank waits: the wait, what it waits for, and the waits behind that.

import {element} from "./dom.js";
import {shownName, shownValue} from "./text.js";

const kMostChain = 12, kMostListed = 10, kLeastShare = 0.05;

// The wait through which another one comes, if it explains some of it; -1: none.
function behind(waits, i) {
  const through = waits.through[i];
  return through >= 0 && waits.end[through] - waits.begin[through] >= kLeastShare * (waits.end[i] - waits.begin[i]) ? through : -1;
}

// The numbers of a wait and of those through which it comes; the last one has a delay behind it.
export function chainOf(waits, first) {
  const chain = [];
  for (let i = first; i >= 0 && chain.length < kMostChain && !chain.includes(i); i = behind(waits, i)) chain.push(i);
  return chain;
}

// The longest waits of a part of the time.
export function longestWaits(waits, from, to) {
  const lengths = [];
  for (let i = 0; i < waits.count; ++i) if (waits.begin[i] < to && waits.end[i] > from) lengths.push(i);
  return lengths.sort((a, b) => waits.end[b] - waits.begin[b] - (waits.end[a] - waits.begin[a])).slice(0, kMostListed);
}

// Sentences on the waits of a window.
export class Reasons {
  constructor(run, rows, waits, linkTo) {
    Object.assign(this, {run, rows, waits, linkTo});
  }

  nameOf(row) {
    return this.run.locations.nameOf(this.rows[row]);
  }

  short(i) {
    const {waits, run} = this;
    return `${this.nameOf(waits.row[i])} waits ${shownValue(waits.end[i] - waits.begin[i], "sec")} (${shownName(run.metrics[waits.metric[i]].title ?? "", 60)})`;
  }

  sentence(i) {
    const {waits, rows} = this;
    const text = [this.short(i)];
    if (waits.causeRow[i] < 0) return text;
    const cause = this.nameOf(waits.causeRow[i]), location = rows[waits.causeRow[i]];
    text.push(` for ${cause}`);
    // Little work explains no long wait, if there is a wait behind it.
    const isBehind = behind(waits, i) >= 0, isWork = waits.delay[i] > (isBehind ? kLeastShare * (waits.end[i] - waits.begin[i]) : 0);
    if (isWork) {
      text.push(`, which did ${shownValue(waits.delay[i], "sec")} more work since the two were last together`);
      if (waits.causePath[i] >= 0) text.push(", most of it in ", this.linkTo(waits.causePath[i], {location}));
    } else if (waits.causePath[i] >= 0 && !isBehind) text.push(" in ", this.linkTo(waits.causePath[i], {location}));
    if (isBehind) text.push(isWork ? ", and waited itself:" : ", which waited itself:");
    else text.push(".");
    return text;
  }

  list(first) {
    return element("section", {}, element("h3", {}, "Why does it wait?"),
      element("ol", {}, chainOf(this.waits, first).map((i) => element("li", {}, this.sentence(i)))));
  }

  // Buttons for the longest waits of what is shown: also the way to them without a mouse.
  longest(from, to, choose) {
    const found = longestWaits(this.waits, from, to);
    if (found.length === 0) return null;
    return element("section", {}, element("h3", {}, "Longest waits shown"),
      element("ol", {class: "longest-waits"}, found.map((i) => element("li", {}, element("button", {type: "button", class: "link", on: {click: () => choose(i)}}, this.short(i))))));
  }
}
