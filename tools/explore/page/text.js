// text.js -- names and numbers as people read them. All names come from measured programs: they may be anything.

const kLongestName = 240, kLongestUnit = 20;
const kHidden = /[\u0000-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g;

// Control characters and those that turn the direction of writing become visible; what is too long is cut.
export function shownName(name, longest = kLongestName) {
  const text = name.length > longest ? name.slice(0, longest - 1) + "…" : name;
  return text.replace(kHidden, (c) => `⟨${c.charCodeAt(0).toString(16).padStart(4, "0")}⟩`);
}

const kTimes = [[1, "s"], [1e-3, "ms"], [1e-6, "µs"], [1e-9, "ns"]];
const kSizes = [[1e12, "TB"], [1e9, "GB"], [1e6, "MB"], [1e3, "kB"], [1, "B"]];

function inUnits(value, units) {
  const size = Math.abs(value);
  const [factor, unit] = units.find(([least]) => size >= least * 0.99995) ?? units[units.length - 1];
  return `${fourDigits(value / factor)} ${unit}`;
}

function fourDigits(value) {
  const size = Math.abs(value);
  if (size >= 1e6) return Number.isInteger(value) && size < 1e15 ? grouped(value) : value.toExponential(3);
  if (Number.isInteger(value)) return String(value);
  if (size >= 1000) return value.toFixed(0);
  return String(Number(value.toPrecision(4)));
}

function grouped(value) {
  return String(value).replace(/\B(?=(\d{3})+(?!\d))/g, "\u202f");
}

// A value of a metric with its unit.
export function shownValue(value, unit) {
  if (!Number.isFinite(value)) return "–";
  if (value === 0) return "0";
  if (unit === "sec") return inUnits(value, kTimes);
  if (unit === "bytes") return inUnits(value, kSizes);
  if (unit === "occ" || !unit) return Number.isInteger(value) ? grouped(value) : fourDigits(value);
  return `${fourDigits(value)} ${shownName(unit, kLongestUnit)}`;
}

export function shownShare(share) {
  if (!Number.isFinite(share)) return "–";
  const percent = share * 100;
  if (percent === 0) return "0 %";
  if (Math.abs(percent) < 0.05) return percent < 0 ? ">-0.1 %" : "<0.1 %";
  return `${percent.toFixed(1)} %`;
}

// "0-3,5" of sorted numbers.
export function shownRanges(numbers) {
  const parts = [];
  for (let i = 0; i < numbers.length;) {
    let j = i;
    while (j + 1 < numbers.length && numbers[j + 1] === numbers[j] + 1) ++j;
    parts.push(i === j ? `${numbers[i]}` : `${numbers[i]}-${numbers[j]}`);
    i = j + 1;
  }
  return parts.join(",");
}

// A word for the shell, quoted if it must be.
export function shellWord(word) {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replace(/'/g, "'\\''")}'`;
}
