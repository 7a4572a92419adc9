// source_pane.js -- where a call stands, and the lines around it.

import {element} from "./dom.js";
import {shownName} from "./text.js";

const kAround = 15;  // lines before and behind the one that is meant

export function sourcePane(run, path) {
  const {paths} = run;
  const chain = [];
  for (let p = path; p >= 0; p = paths.parent[p]) chain.unshift(p);
  return element("div", {class: "source"},
    element("h3", {}, "Call path"),
    element("ol", {class: "chain"}, chain.map((p) => {
      const place = paths.placeOf(p);
      const region = run.regions[paths.region[p]];
      const defined = region.module ? `${region.module}${region.begin > 0 ? `:${region.begin}` : ""}` : "";
      return element("li", {}, element("bdi", {}, shownName(region.mangled && region.mangled !== region.name ? `${region.name} (${region.mangled})` : region.name)),
        element("span", {class: "place"}, place ? ` called at ${shownName(place.file)}:${place.line}` : defined ? ` in ${shownName(defined)}` : ""));
    })),
    lines(run, path));
}

function lines(run, path) {
  const place = run.paths.placeOf(path);
  const region = run.regions[run.paths.region[path]];
  const {file, line} = place ?? {file: region?.module, line: region?.begin};
  const text = file && run.sources?.files?.[file];
  if (!text) return element("p", {class: "note"}, file ? `The lines of ${shownName(file)} are not in this page.` : "The report does not tell where the call stands.");
  const spans = Array.isArray(text) ? text : [text];
  const span = spans.find(({first, lines: shown}) => line >= first && line < first + shown.length) ?? spans[0];
  const numbered = span.lines.map((content, i) => [span.first + i, content]).filter(([number]) => Math.abs(number - line) <= kAround);
  return element("pre", {class: "lines", "aria-label": `Lines of ${file}`},
    numbered.map(([number, content]) => element("code", {class: number === line ? "here" : null},
      element("span", {class: "number"}, String(number)), ` ${shownName(content, 400)}\n`)));
}
