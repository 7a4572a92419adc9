// colours.js -- scales that people with any colour vision can tell apart, and their legend.

import {interpolateCividis, interpolatePuOr} from "d3-scale-chromatic";
import {element} from "./dom.js";

// Of a share between 0 and 1; of differences between -1 and 1.
export function colourOf(share) {
  if (!Number.isFinite(share) || share === 0) return "transparent";
  return share < 0 ? interpolatePuOr(0.5 + Math.min(-share, 1) / 2) : interpolateCividis(1 - Math.min(share, 1) * 0.9);
}

// Between two ends; zero in the middle if there are values on both sides.
export function colourScale(values) {
  let least = Infinity, most = -Infinity;
  for (const value of values) {
    if (value < least) least = value;
    if (value > most) most = value;
  }
  if (!(least <= most)) least = most = 0;
  const isSigned = least < 0;
  const end = Math.max(Math.abs(least), Math.abs(most)) || 1;
  const [low, high] = isSigned ? [-end, end] : [least === most ? Math.min(0, least) : least, most || 1];
  const span = high - low || 1;
  const colour = isSigned ? (value) => interpolatePuOr(0.5 - value / end / 2) : (value) => interpolateCividis(1 - (value - low) / span);
  return {low, high, colour};
}

export function legend({low, high, colour}, text) {
  const steps = 24;
  return element("div", {class: "legend"},
    element("span", {}, text(low)),
    element("span", {class: "ramp", role: "img", "aria-label": `colours from ${text(low)} to ${text(high)}`},
      Array.from({length: steps}, (_, i) => element("i", {style: {background: colour(low + ((high - low) * (i + 0.5)) / steps)}}))),
    element("span", {}, text(high)));
}
