#!/usr/bin/env python3
"""Random traces, on random machines: the tool and a slow simulator must predict the same.

usage: compare_predictions.py FIRST COUNT [--keep]     seeds from FIRST on, until COUNT traces without threads are found

Needs tarry-predict in PATH; works in the current folder. Each trace is predicted on the unchanged machine, on an ideal
network, and on some others. An ideal network must be monotone. Prints what was compared; status 1 if anything differs.
"""
import argparse
import collections
import json
import math
import os
import random
import re
import shutil
import subprocess
import sys

from random_trace import RandomRun
from simulate import Collectives, Machine, Simulation, is_mpi
from trace_model import Trace
from trace_writer import write_trace

IDEAL = (0.0, math.inf)
LINE = re.compile(r"predicted (\S+) seconds \(traced (\S+)\)\n")


def tool_predicts(anchor, words):
    """(predicted, traced), or what the tool says."""
    run = subprocess.run(["tarry-predict", anchor, *words], capture_output=True, text=True)
    found = LINE.match(run.stdout)
    return (float(found[1]), float(found[2])) if found else run.stderr.strip()


POINTS = [("faster_100", 1 / 2), ("faster_50", 1 / 1.5), ("faster_10", 1 / 1.1)]


def table_of(anchor, words):
    run = subprocess.run(["tarry-predict", anchor, "--rank-delays", "30", "--json", *words], capture_output=True, text=True)
    return json.loads(run.stdout) if run.returncode == 0 else None


def change_of(row, paths, left):
    """A row of the table as arguments of Machine."""
    if row["kind"] == "region":
        return {"alone": [(row["region"], left)]}
    return {"delays": [(paths[row["callpath"]][0], row["number"], left)]}


def machines_of(generator, run, trace):
    """The unchanged one, an ideal network, and random ones."""
    yield "unchanged", Machine()
    yield "ideal", Machine(network=IDEAL)
    choice = generator.choice
    for _ in range(6):
        latency = choice([1e-6, 1e-5, 1e-3]) if run.ticks_per_second == 10**9 else choice([1e-4, 1e-2, 0.5])
        names = sorted({path.region.name for path in trace.all_paths() if not is_mpi(path)}) + ["*"]
        changes = Machine(
            network=choice([None, None, IDEAL, (latency, choice([1e5, 1e9])), (latency, choice([1e3, 1e7]))]),
            is_linear=choice([False, True]), cpu=choice([1.0, 1.0, 2.0, 0.75]),
            regions=[(choice(names), choice([0.5, 0.25, 3.0])) for _ in range(choice([0, 0, 1, 2]))],
            ranks=[(generator.randrange(run.size), choice([0.8, 2.5])) for _ in range(choice([0, 0, 1]))],
            balanced=choice([None, None, "", "*"]), eager_limit=choice([None] * 6 + [0, 1, 1000]),
            binds_windows=choice([False, True]))
        yield "changed", changes


def longest_computation(trace):
    """Between MPI_Init and MPI_Finalize."""
    longest = 0.0
    for location in trace.locations:
        inits = [i.leave_index for i in location.instances if i.name.startswith("MPI_Init")]
        ends = [i.index for i in location.instances if i.name == "MPI_Finalize"]
        first, last = (inits or [0])[0], (ends or [len(location.records) - 1])[-1]
        span = location.records[last].time - location.records[first].time
        in_mpi = sum(duration for index, path, duration in location.pieces if first < index <= last and is_mpi(path))
        longest = max(longest, (span - in_mpi) / trace.ticks_per_second)
    return longest


class Comparison:
    def __init__(self):
        self.compared, self.problems = collections.Counter(), []

    def check(self, seed, is_right, *what):
        if not is_right:
            self.problems.append(f"seed {seed}: " + " ".join(map(str, what)))

    def trace(self, seed, run):
        anchor = f"seed-{seed}/traces.otf2"
        trace = Trace(anchor, counts_sleeps=False)
        states = Collectives(trace)
        has_windows = any(r.is_a("RmaCollectiveEnd", "RmaGroupSync", "RmaReleaseLock")
                          for location in trace.locations for r in location.records)
        # A fence that is left before all have come is to the tool what a wrong clock is: the circle takes negative time.
        is_odd = run.has_bad_clocks or any(call.leave < each.enter for call, needed in states.windows for each in needed)
        for kind, machine in machines_of(random.Random(seed), run, trace):
            self.compare(seed, anchor, machine, Simulation(trace, machine, states), is_odd)
            self.compared["one-sided synchronisation"] += has_windows and (not machine.network or machine.binds_windows)
            if kind != "changed":
                self.limits(seed, kind, trace, tool_predicts(anchor, machine.options()))
        if not run.has_bad_clocks:
            self.changes(seed, anchor, random.Random(-seed), trace, states)

    def changes(self, seed, anchor, choices, trace, states):
        """Delays and regions that are gone, or less: the table, and runs of their own."""
        paths = collections.defaultdict(list)
        for path in trace.all_paths():
            paths["/".join(step.region.name for step in reversed(list(path.ancestors())))].append(path)
        machine = Machine(network=choices.choice([None, None, IDEAL]), cpu=choices.choice([1.0, 1.0, 2.0]))
        words = machine.options()
        table = table_of(anchor, words)
        if table is None or Simulation(trace, machine, states).end is None:
            return
        rows = [row for row in table["rows"] if row["kind"] == "region" or len(paths[row["callpath"]]) == 1]
        chosen = choices.sample(rows, min(4, len(rows)))
        for row in chosen:
            for point, left in (("gone", 0.0), choices.choice(POINTS)):
                changed = Machine(machine.network, cpu=machine.cpu, **change_of(row, paths, left))
                simulated = Simulation(trace, changed, states)
                gain = table["predicted"] - simulated.predicted()
                is_same = math.isclose(row["gain"][point], gain, rel_tol=1e-9, abs_tol=1e-9)
                self.check(seed, is_same, *changed.options(), point, "table:", row["gain"][point], "oracle:", gain)
                kind = row["kind"] + "s" if gain > 1e-9 else "nothing to gain"
                self.compared[f"gains of the table: {kind}"] += 1
            self.compare(seed, anchor, changed, simulated, False)
        delays = [change_of(row, paths, 0.25)["delays"][0] for row in chosen if row["kind"] == "delay"]
        if len(delays) > 1:
            together = Machine(machine.network, cpu=machine.cpu, delays=delays)
            self.compare(seed, anchor, together, Simulation(trace, together, states), False)
            self.compared["several delays removed"] += 1

    def compare(self, seed, anchor, machine, simulated, has_bad_clocks):
        wholes = [(["--whole"], simulated.whole())] if seed % 4 == 0 else []
        for words, expected in [([], simulated.predicted())] + wholes:
            found = tool_predicts(anchor, machine.options() + words)
            says_never = isinstance(found, str) and "never ends" in found
            if expected is None or (says_never and (has_bad_clocks or simulated.has_circle())):
                self.compared["programs that never end"] += 1
                self.check(seed, says_never, machine.options(), "ends:", found)
                continue
            is_same = not isinstance(found, str) and math.isclose(found[0], expected, rel_tol=1e-9, abs_tol=1e-9)
            self.check(seed, is_same, *machine.options(), *words, "tool:", found, "oracle:", expected)
            self.compared["recorded network" if not machine.network else "ideal network" if machine.network == IDEAL
                          else "other network"] += 1

    def limits(self, seed, kind, trace, found):
        if isinstance(found, str):
            return self.check(seed, False, kind, found)
        predicted, traced = found
        if kind == "unchanged":
            return self.check(seed, predicted == traced, "unchanged:", predicted, traced)
        self.check(seed, predicted <= traced + 1e-9, "ideal is slower:", predicted, traced)
        self.check(seed, predicted >= longest_computation(trace) - 1e-9, "ideal is too fast:", predicted,
                   longest_computation(trace))
        self.compared["limits of an ideal network"] += 1


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("first", type=int, metavar="FIRST")
    parser.add_argument("count", type=int, metavar="COUNT")
    parser.add_argument("--keep", action="store_true", help="leave the traces")
    options = parser.parse_args()
    comparison, seed = Comparison(), options.first
    for _ in range(options.count):
        while (run := RandomRun(seed)).uses_threads or run.is_multiple:
            seed += 1
        run.run()
        write_trace(run, f"seed-{seed}")
        before = len(comparison.problems)
        comparison.trace(seed, run)
        if not options.keep and len(comparison.problems) == before:
            shutil.rmtree(f"seed-{seed}")
        seed += 1
    print(f"{options.count} traces, the last is seed {seed - 1}")
    for what, count in sorted(comparison.compared.items()):
        print(f"  {count:5} {what}")
    print("".join(problem + "\n" for problem in comparison.problems[:20]), end="")
    print(f"{len(comparison.problems)} differ")
    return 1 if comparison.problems or len(comparison.compared) < 4 else 0


if __name__ == "__main__":
    sys.exit(main())
