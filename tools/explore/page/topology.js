// topology.js -- values on the grids that the program made: two dimensions at a time, the others by choice.

import {colourScale, legend} from "./colours.js";
import {choice, element, redraw} from "./dom.js";
import {cells, drawing, exports, svg} from "./svg.js";
import {shownName} from "./text.js";

const kSize = 360;

export function topologyPane(run, vector, title, text) {
  const host = element("div", {class: "topology"});
  let chosen = 0;
  const draw = () => {
    const topology = run.topologies[chosen];
    redraw(host,
      element("div", {class: "bar"}, choice("Topology", run.topologies.map((t, i) => [String(i), shownName(t.name || `topology ${i}`, 40)]), String(chosen),
        (value) => { chosen = Number(value); draw(); })),
      grid(run, topology, vector, title, text));
  };
  draw();
  return host;
}

// The first two dimensions as columns and rows; each other one has a field that tells which slice is shown.
function grid(run, topology, vector, title, text) {
  const sizes = topology.dimensions.map((dimension) => Math.max(1, dimension.size));
  const slice = sizes.slice(2).map(() => 0);
  const host = element("div");
  const draw = () => {
    const columns = sizes[0] ?? 1, rows = sizes[1] ?? 1;
    const at = new Map();
    topology.locations.forEach((location, i) => {
      const place = topology.coordinates.map((column) => column[i]);
      if (slice.every((value, d) => place[d + 2] === value)) at.set((place[1] ?? 0) * columns + (place[0] ?? 0), location);
    });
    const scale = colourScale(topology.locations.map((location) => vector[location]));
    const cell = Math.max(1, Math.min(36, kSize / Math.max(columns, rows)));
    const picture = drawing(`${title} on ${topology.name}`, columns * cell, rows * cell,
      columns * rows <= 2500
        ? [...at].map(([place, location]) => svg("rect", {x: (place % columns) * cell, y: Math.floor(place / columns) * cell, width: cell - 0.5, height: cell - 0.5, fill: scale.colour(vector[location])},
          svg("title", {}, `${run.locations.nameOf(location)}: ${text(vector[location])}`)))
        : cells(Math.min(columns, 2048), Math.min(rows, 2048), 0, 0, columns * cell, rows * cell, (x, y) => at.has(y * columns + x) && scale.colour(vector[at.get(y * columns + x)])));
    redraw(host,
      element("p", {class: "facts"}, topology.dimensions.map((d, i) => `${shownName(d.name || `dimension ${i}`, 30)}: ${d.size}${d.periodic ? ", periodic" : ""}`).join(" · ")),
      element("div", {class: "bar"}, slice.map((value, d) => element("label", {}, `${shownName(topology.dimensions[d + 2].name || `dimension ${d + 2}`, 30)} `,
        element("input", {type: "number", min: 0, max: sizes[d + 2] - 1, value, on: {change: (event) => { slice[d] = Math.max(0, Math.min(sizes[d + 2] - 1, Number(event.target.value))); draw(); }}})))),
      legend(scale, text), picture,
      exports("topology", () => picture, () => ({heads: ["location", ...topology.dimensions.map((d) => d.name), "value"],
        rows: topology.locations.map((location, i) => [run.locations.nameOf(location), ...topology.coordinates.map((column) => column[i]), vector[location]])})));
  };
  draw();
  return host;
}
