// overview.js -- what `tarry report` says, as a page: findings first, each with a way into the trees.

import {readJson} from "./blocks.js";
import {element, redraw} from "./dom.js";
import {efficiencies} from "./efficiency.js";
import {findPath} from "./state.js";
import {exports, listDrawing} from "./svg.js";
import {shellWord, shownName, shownShare, shownValue} from "./text.js";

const kClasses = [["computation", "Computation", "comp"], ["point_to_point", "MPI point-to-point", "mpi_point2point"], ["collective", "MPI collective", "mpi_collective"],
  ["synchronization", "MPI synchronisation", "mpi_synchronization"], ["one_sided", "MPI one-sided", "mpi_rma_communication"], ["file_io", "MPI file I/O", "mpi_io"],
  ["management", "MPI management", "mpi_management"], ["shmem", "OpenSHMEM", "shmem"], ["openmp", "OpenMP", "omp_time"], ["threads", "POSIX threads", "pthread_time"], ["own_file_io", "File I/O", "io_time"],
  ["accelerator", "Accelerators", "accelerator"], ["blocked", "Blocked", "blocked"], ["idle", "Idle threads", "omp_idle_threads"], ["overhead", "Measurement", "overhead"]];
const kMostWaits = 12, kMostPaths = 12, kMostBeside = 2;

export class Overview {
  constructor(state) {
    this.state = state;
    this.host = element("section", {class: "overview", "aria-label": "Overview"});
  }

  update() {
    const {run} = this.state;
    const findings = run.findings;
    this.profiles = readJson(run.facts.blocks.timeline).then((timeline) => timeline?.profiles ?? [], () => []);
    redraw(this.host, ...warnings(run), ...this.differences(run), ...(findings ? this.parts(run, findings) : [element("p", {class: "note"}, "The report has no findings; the trees have all values.")]),
      element("footer", {}, "The same by a command: ", element("code", {class: "command"}, commandOf(this.state, run))));
  }

  parts(run, findings) {
    return [
      element("h2", {}, `${shownName(findings.program)}: ${findings.processes} ${findings.processes === 1 ? "process" : "processes"}` +
        (findings.locations > findings.processes ? `, ${findings.locations} threads` : "")),
      element("p", {class: "facts"}, `wall time ${shownValue(findings.wall, "sec")} · allocation time ${shownValue(findings.allocation, "sec")} (all processes and threads)`),
      ...this.notes(findings), this.advice(findings), this.columns([this.classes(run, findings), this.waits(run, findings), this.paths(run, findings)]),
    ].filter(Boolean);
  }

  // The efficiencies of few runs have room beside the rest; of many, they follow it.
  columns(parts) {
    const {efficiency, index} = this.state;
    if (!efficiency) return element("div", {}, parts.filter(Boolean));
    return element("div", {class: efficiency.runs.length > kMostBeside ? "" : "columns"}, element("div", {}, parts.filter(Boolean)), efficiencies(efficiency, index.efficiencies));
  }

  notes(findings) {
    const notes = [];
    if (findings.covers) notes.push(`Covers only ${findings.covers}`);
    if (findings.predicted) notes.push(`Predicted, not recorded: ${findings.predicted}`);
    if (findings.incomplete) notes.push(`Incomplete: ${findings.incomplete}`);
    for (const node of findings.oversubscription ?? [])
      notes.push(`Oversubscribed: ${node.threads} threads of ${node.processes} processes share ${node.processors} processors of ${node.node}; they wait for one ${shownShare(node.share)} of the time.`);
    return notes.map((note) => element("p", {class: "warning", role: "note"}, shownName(note, 1000)));
  }

  // In a difference: what has become more, and what less.
  differences(run) {
    if (!run.facts.is_difference) return [];
    const metric = Math.max(0, run.metricNamed("time")), {exclusive} = run.totalsOf({metric, own: false}), {unit} = run.metrics[metric];
    const order = Array.from(exclusive.keys()).filter((path) => exclusive[path] !== 0).sort((a, b) => Math.abs(exclusive[b]) - Math.abs(exclusive[a])).slice(0, kMostPaths);
    return [element("h2", {}, "New minus old"), element("p", {class: "note"}, "All views show differences: what has become more is positive. Compare tells which of them are more than repeats differ."),
      element("table", {class: "bars"}, element("caption", {}, `Largest changes of ${shownName(run.metrics[metric].title, 60)}`), element("tbody", {}, order.map((path) => element("tr", {}, element("td", {class: "number"}, shownValue(exclusive[path], unit)),
        element("th", {scope: "row"}, this.link(run.paths.shortTextOf(path), {metric, path}))))))];
  }

  advice(findings) {
    if (!findings.advice?.length) return null;
    return element("section", {}, element("h3", {}, "What to look at"),
      element("ol", {class: "advice"}, findings.advice.map(({sentence, detail}) =>
        element("li", {}, element("strong", {}, shownName(sentence, 2000)), detail && element("p", {}, shownName(detail, 4000))))));
  }

  classes(run, findings) {
    const rows = kClasses.map(([key, text, metric]) => [findings.classes[key] ?? 0, text, run.metricNamed(metric)]).filter(([seconds]) => seconds > 0);
    return element("section", {}, element("h3", {}, "Where the time goes"),
      exports("time", () => listDrawing("Where the time goes", rows.map(([seconds, text]) => ({value: shownValue(seconds, "sec"), text, share: seconds / findings.allocation}))), () => ({heads: ["class", "seconds", "share"], rows: rows.map(([seconds, text]) => [text, seconds, seconds / findings.allocation])})),
      element("table", {class: "bars"}, element("tbody", {}, rows.map(([seconds, text, metric]) =>
      element("tr", {}, element("td", {class: "number"}, shownValue(seconds, "sec")), element("td", {class: "number"}, shownShare(seconds / findings.allocation)),
        element("th", {scope: "row"}, metric >= 0 ? this.link(text, {metric}) : text), element("td", {class: "space"}, bar(seconds / findings.allocation)))))));
  }

  waits(run, findings) {
    if (!findings.is_analysis) return element("p", {class: "note"}, "A summary knows no wait states; a trace does: tarry measure -t -- COMMAND");
    if (!findings.waits.length) return element("p", {class: "note"}, "No wait states were found.");
    return element("section", {}, element("h3", {}, `Waiting: ${shownValue(findings.waiting, "sec")}, ${shownShare(findings.waiting / findings.allocation)} of the allocation time`),
      exports("waits", () => listDrawing("Waiting", findings.waits.slice(0, kMostWaits).map((wait) => ({value: shownValue(wait.seconds, "sec"), text: `${wait.name}: ${wait.callpath ?? ""}`, share: wait.seconds / findings.allocation}))),
        () => ({heads: ["wait", "metric", "callpath", "seconds", "share"], rows: findings.waits.map((wait) => [wait.name, wait.metric ?? "", wait.callpath ?? "", wait.seconds, wait.seconds / findings.allocation])})),
      element("p", {class: "hint"}, "The small pictures show each wait over time, where the page has a timeline, and over locations."),
      element("table", {class: "bars"}, element("tbody", {}, findings.waits.slice(0, kMostWaits).map((wait) => this.wait(run, findings, wait)))));
  }

  wait(run, findings, wait) {
    const metric = run.metricNamed(wait.metric ?? "");
    const path = wait.callpath ? findPath(run, wait.callpath) : -1;
    const where = wait.file ? `${wait.file}:${wait.line}` : "";
    return element("tr", {}, element("td", {class: "number"}, shownValue(wait.seconds, "sec")), element("td", {class: "number"}, shownShare(wait.seconds / findings.allocation)),
      element("th", {scope: "row"}, this.link(shownName(wait.name), {...(metric >= 0 && {metric}), ...(path >= 0 && {path})}),
        element("p", {class: "place"}, shownName(wait.callpath ?? "", 200), where && ` (${shownName(where, 120)})`), this.sparkOfTime(run, metric, path), this.spark(run, metric, path)),
      element("td", {class: "space"}, bar(wait.seconds / findings.allocation)));
  }

  // The wait over time.
  sparkOfTime(run, metric, path) {
    const host = element("button", {type: "button", class: "spark time", hidden: true, on: {click: () => this.state.goTo({view: "timeline"})}});
    this.profiles.then((profiles) => {
      const found = metric >= 0 && path >= 0 ? profiles.find((profile) => profile.metric === metric && profile.path === path) : null;
      if (!found) return;
      const most = Math.max(...found.seconds) || 1, peak = found.seconds.indexOf(most);
      host.setAttribute("aria-label", `over time: most in part ${peak + 1} of ${found.seconds.length}, ${shownValue(most, "sec")}; to the timeline`);
      host.append(...found.seconds.map((value, i) => element("i", {style: {height: `${Math.max(1, Math.round((value / most) * 18))}px`}, title: `part ${i + 1} of the time: ${shownValue(value, "sec")}`})));
      host.hidden = false;
    });
    return host;
  }

  // The wait over ranks, as soon as its values are read.
  spark(run, metric, path) {
    const host = element("button", {type: "button", class: "spark", "aria-label": "over locations", on: {click: () => this.state.goTo({view: "explore", side: "spread", metric, path})}});
    if (metric < 0 || path < 0) return null;
    run.vector({metric, own: false}, [[path, true]]).then((vector) => {
      host.setAttribute("aria-label", `over locations: most at ${run.locations.nameOf(vector.indexOf(vector.reduce((high, value) => Math.max(high, value), 0)))}; to the distribution`);
      const most = vector.reduce((high, value) => Math.max(high, value), 0) || 1;
      const group = Math.ceil(vector.length / 64);
      for (let first = 0; first < vector.length; first += group) {
        const value = vector.subarray(first, first + group).reduce((high, v) => Math.max(high, v), 0);
        host.append(element("i", {style: {height: `${Math.max(1, Math.round((value / most) * 18))}px`}, title: `${run.locations.nameOf(first)}: ${shownValue(vector[first], "sec")}`}));
      }
    });
    return host;
  }

  paths(run, findings) {
    if (!findings.callpaths?.length) return null;
    return element("section", {}, element("h3", {}, "Call paths with most time of their own"), element("table", {class: "bars"}, element("tbody", {}, findings.callpaths.slice(0, kMostPaths).map((row) => {
      const path = findPath(run, row.callpath);
      return element("tr", {}, element("td", {class: "number"}, shownValue(row.seconds, "sec")), element("td", {class: "number"}, shownShare(row.seconds / findings.allocation)),
        element("th", {scope: "row"}, path >= 0 ? this.link(shownName(row.callpath), {path, metric: Math.max(0, run.metricNamed("time"))}) : shownName(row.callpath)), element("td", {class: "space"}, bar(row.seconds / findings.allocation)));
    }))));
  }

  link(text, facts) {
    return element("button", {type: "button", class: "link", on: {click: () => this.state.goTo({view: "explore", ...facts})}}, text);
  }
}

function warnings(run) {
  return [...(run.facts.damage ?? []).map((sentence) => `Damaged: ${sentence}`), ...(run.facts.notes ?? [])].map((text) => element("p", {class: "warning", role: "note"}, shownName(text, 1000)));
}

// Of a difference: of which reports it is one.
export function commandOf(state, run) {
  if (!run.facts.is_difference) return `tarry report ${shellWord(run.facts.input)}`;
  const runs = state.runs.filter((other) => !other.facts.is_difference), first = runs.length - Math.min(state.repeats, runs.length - 1);
  const side = (name, part) => (part.length === 1 ? ["", shellWord(part[0].facts.input)] : [`tarry cube mean --exact --by-name ${part.map((other) => shellWord(other.facts.input)).join(" ")} -o ${name}.cubex && `, `${name}.cubex`]);
  const [makeOld, old] = side("old", runs.slice(0, first)), [makeNew, fresh] = side("new", runs.slice(first));
  return `${makeOld}${makeNew}tarry cube diff ${fresh} ${old} -o difference.cubex`;
}

function bar(share) {
  return element("span", {class: "measure", style: {width: `${Math.min(100, Math.max(0, share * 100)).toFixed(1)}%`}});
}

