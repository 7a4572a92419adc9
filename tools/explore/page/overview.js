// overview.js -- what `tarry report` says, as a page: findings first, each with a way into the trees.

import {element} from "./dom.js";
import {findPath} from "./state.js";
import {shellWord, shownName, shownShare, shownValue} from "./text.js";

const kClasses = [["computation", "Computation", "comp"], ["point_to_point", "MPI point-to-point", "mpi_point2point"], ["collective", "MPI collective", "mpi_collective"],
  ["synchronization", "MPI synchronisation", "mpi_synchronization"], ["one_sided", "MPI one-sided", "mpi_rma_communication"], ["file_io", "MPI file I/O", "mpi_io"],
  ["management", "MPI management", "mpi_management"], ["openmp", "OpenMP", "omp_time"], ["threads", "POSIX threads", "pthread_time"], ["own_file_io", "File I/O", "io_time"],
  ["idle", "Idle threads", "omp_idle_threads"], ["overhead", "Measurement", "overhead"]];
const kMostWaits = 12, kMostPaths = 12;

export class Overview {
  constructor(state) {
    this.state = state;
    this.host = element("section", {class: "overview", "aria-label": "Overview"});
  }

  update() {
    const {run} = this.state;
    const findings = run.findings;
    this.host.replaceChildren(...damage(run), ...(findings ? this.parts(run, findings) : [element("p", {class: "note"}, "The report has no findings; the trees have all values.")]),
      element("footer", {}, "The same by a command: ", element("code", {class: "command"}, `tarry report ${shellWord(run.facts.input)}`)));
  }

  parts(run, findings) {
    return [
      element("h2", {}, `${shownName(findings.program)}: ${findings.processes} ${findings.processes === 1 ? "process" : "processes"}` +
        (findings.locations > findings.processes ? `, ${findings.locations} threads` : "")),
      element("p", {class: "facts"}, `wall time ${shownValue(findings.wall, "sec")} · allocation time ${shownValue(findings.allocation, "sec")} (all processes and threads)`),
      ...this.notes(findings), this.advice(findings), this.classes(run, findings), this.waits(run, findings), this.paths(run, findings),
    ].filter(Boolean);
  }

  notes(findings) {
    const notes = [];
    if (findings.incomplete) notes.push(`Incomplete: ${findings.incomplete}`);
    for (const node of findings.oversubscription ?? [])
      notes.push(`Oversubscribed: ${node.threads} threads of ${node.processes} processes share ${node.processors} processors of ${node.node}; they wait for one ${shownShare(node.share)} of the time.`);
    return notes.map((note) => element("p", {class: "warning", role: "note"}, shownName(note, 1000)));
  }

  advice(findings) {
    if (!findings.advice?.length) return null;
    return element("section", {}, element("h3", {}, "What to look at"),
      element("ol", {class: "advice"}, findings.advice.map(({sentence, detail}) =>
        element("li", {}, element("strong", {}, shownName(sentence, 2000)), detail && element("p", {}, shownName(detail, 4000))))));
  }

  classes(run, findings) {
    const rows = kClasses.map(([key, text, metric]) => [findings.classes[key] ?? 0, text, run.metricNamed(metric)]).filter(([seconds]) => seconds > 0);
    return element("section", {}, element("h3", {}, "Where the time goes"), element("table", {class: "bars"}, element("tbody", {}, rows.map(([seconds, text, metric]) =>
      element("tr", {}, element("td", {class: "number"}, shownValue(seconds, "sec")), element("td", {class: "number"}, shownShare(seconds / findings.allocation)),
        element("th", {scope: "row"}, metric >= 0 ? this.link(text, {metric}) : text), element("td", {class: "space"}, bar(seconds / findings.allocation)))))));
  }

  waits(run, findings) {
    if (!findings.is_analysis) return element("p", {class: "note"}, "A summary knows no wait states; a trace does: tarry measure -t -- COMMAND");
    if (!findings.waits.length) return element("p", {class: "note"}, "No wait states were found.");
    return element("section", {}, element("h3", {}, `Waiting: ${shownValue(findings.waiting, "sec")}, ${shownShare(findings.waiting / findings.allocation)} of the allocation time`),
      element("table", {class: "bars"}, element("tbody", {}, findings.waits.slice(0, kMostWaits).map((wait) => this.wait(run, findings, wait)))));
  }

  wait(run, findings, wait) {
    const metric = run.metricNamed(wait.metric ?? "");
    const path = wait.callpath ? findPath(run, wait.callpath) : -1;
    const where = wait.file ? `${wait.file}:${wait.line}` : "";
    return element("tr", {}, element("td", {class: "number"}, shownValue(wait.seconds, "sec")), element("td", {class: "number"}, shownShare(wait.seconds / findings.allocation)),
      element("th", {scope: "row"}, this.link(shownName(wait.name), {...(metric >= 0 && {metric}), ...(path >= 0 && {path})}),
        element("p", {class: "place"}, shownName(wait.callpath ?? "", 200), where && ` (${shownName(where, 120)})`), this.spark(run, metric, path)),
      element("td", {class: "space"}, bar(wait.seconds / findings.allocation)));
  }

  // The wait over ranks, as soon as its values are read.
  spark(run, metric, path) {
    const host = element("span", {class: "spark", role: "img", "aria-label": "by location"});
    if (metric < 0 || path < 0) return host;
    run.vector({metric, own: false}, [[path, true]]).then((vector) => {
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

function damage(run) {
  return (run.facts.damage ?? []).map((sentence) => element("p", {class: "warning", role: "note"}, `Damaged: ${shownName(sentence, 1000)}`));
}

function bar(share) {
  return element("span", {class: "measure", style: {width: `${Math.min(100, Math.max(0, share * 100)).toFixed(1)}%`}});
}

