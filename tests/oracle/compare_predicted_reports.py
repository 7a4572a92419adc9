#!/usr/bin/env python3
"""Random traces on random machines: the report of the predicted run and the reference analyser at predicted times.

usage: compare_predicted_reports.py FIRST COUNT [--keep]    seeds from FIRST on, until COUNT traces without threads are found

Needs tarry-predict and tarry-cube in PATH; works in the current folder. A slow simulator moves each record; the reference
analyser reads the trace at these times. Both must have the same waits, causes and critical path as the report of
`tarry predict -o`. The machines are such that all times are whole ticks, which no rounding can make others. Without a
delay they are not: then times alone are compared, to a few ticks. Prints what was compared; status 1 if anything differs.
"""
import argparse
import collections
import csv
import random
import shutil
import subprocess
import sys

from compare_random import differing
from oracle import COUNTS, Oracle
from random_trace import RandomRun
from retimed import retimed
from simulate import Collectives, Machine, Simulation, is_mpi
from trace_model import Trace
from trace_writer import write_trace

SHOWN = 3
EXACT = argparse.Namespace(rel=1e-9, abs=1e-12)
TIMES = ("time", "mpi", "comp", "mpi_latesender", "mpi_latereceiver", "mpi_barrier_wait", "mpi_wait_nxn",
         "mpi_latebroadcast", "mpi_earlyreduce", "mpi_earlyscan", "mpi_icoll_wait")


def report_of(anchor, words):
    """{metric: {(call path, rank, thread): value}}, or what the tool says."""
    run = subprocess.run(["tarry-predict", anchor, *words, "-o", "predicted.cubex"], capture_output=True, text=True)
    if run.returncode:
        return run.stderr.strip()
    dump = subprocess.run(["tarry-cube", "dump", "--csv", "predicted.cubex"], capture_output=True, text=True, check=True)
    values = collections.defaultdict(dict)
    for metric, path, rank, thread, value in list(csv.reader(dump.stdout.splitlines()))[1:]:
        values[metric][path, int(rank), int(thread)] = float(value)
    return values


def machines_of(generator, run, trace):
    choice = generator.choice
    names = sorted({path.region.name for path in trace.all_paths() if not is_mpi(path)}) + ["*"]
    ticks = 1 / run.ticks_per_second
    network = (choice([16, 1024, 16384]) * ticks, run.ticks_per_second / choice([1, 3]))
    slower = [1.0, 0.5, 0.25] + [2.0] * (run.quantum > 1)
    yield "ideal network", Machine(network=(0.0, float("inf")), cpu=choice(slower))
    yield "other network", Machine(network=network, is_linear=choice([False, True]), cpu=choice(slower))
    yield "other program", Machine(cpu=choice(slower), ranks=[(generator.randrange(run.size), choice([2.0, 3.0, 8.0]))],
                                   regions=[(choice(names), choice([2.0, 3.0])) for _ in range(choice([0, 1, 2]))],
                                   eager_limit=choice([None] * 4 + [0, 1000]))


class Comparison:
    def __init__(self):
        self.compared, self.problems = collections.Counter(), []

    def trace(self, seed, run):
        anchor = f"seed-{seed}/traces.otf2"
        trace = Trace(anchor, counts_sleeps=False)
        states = Collectives(trace)
        generator = random.Random(seed)
        has_windows = any(r.is_a("RmaCollectiveEnd", "RmaGroupSync", "RmaReleaseLock")
                          for location in trace.locations for r in location.records)
        for kind, machine in machines_of(generator, run, trace):
            if not has_windows or machine.network:  # one-sided synchronisation is left to other tests
                self.compare(seed, kind, anchor, machine, Simulation(trace, machine, states))
        if not has_windows and not run.has_bad_clocks:
            self.without_delay(seed, anchor, generator, trace, states)

    def compare(self, seed, kind, anchor, machine, simulated):
        found = report_of(anchor, machine.options())
        if simulated.end is None or isinstance(found, str):
            self.compared["programs that never end"] += 1
            if simulated.end is not None and simulated.has_circle() is False or "never ends" not in found:
                self.problems.append(f"seed {seed} {machine.options()}: {found if isinstance(found, str) else 'ends'}")
            return
        expected = Oracle(anchor, retimed(simulated)).rows()
        for metric in sorted(set(expected) | set(found)):
            self.values(seed, machine, metric, expected.get(metric, {}), found.get(metric, {}), EXACT)
            self.compared[kind] += len(found.get(metric, {}))

    def without_delay(self, seed, anchor, generator, trace, states):
        """The call paths that are a delay, by the tool's own numbers."""
        delays = [(path, number) for number, path in enumerate(delays_of(anchor, trace), 1) if path]
        for path, number in generator.sample(delays, min(2, len(delays))):
            machine = Machine(delays=[(path, number, generator.choice([0.0, 0.25]))])
            simulated = Simulation(trace, machine, states)
            found = report_of(anchor, machine.options() + ["--whole"])
            if isinstance(found, str):
                self.problems.append(f"seed {seed} {machine.options()}: {found}")
                continue
            expected = Oracle(anchor, retimed(simulated)).rows()
            visits = max(expected["visits"].values())
            few_ticks = argparse.Namespace(rel=0, abs=3 * visits / trace.ticks_per_second)
            for metric in TIMES:
                self.values(seed, machine, metric, expected.get(metric, {}), found.get(metric, {}), few_ticks)
                self.compared["without a delay"] += len(found.get(metric, {}))

    def values(self, seed, machine, metric, expected, found, tolerance):
        for key in list(differing(expected, found, tolerance))[:SHOWN]:
            self.problems.append(f"seed {seed} {' '.join(machine.options())}: {metric} at {key}: "
                                 f"expected {expected.get(key, 0.0)!r}, got {found.get(key, 0.0)!r}")


def delays_of(anchor, trace):
    """The call path of each delay, as they are numbered; None where several have its name."""
    paths = collections.defaultdict(list)
    for path in trace.all_paths():
        paths[path.name].append(path)
    table = subprocess.run(["tarry-predict", anchor, "--rank-delays", "1000", "--whole", "--csv"], capture_output=True,
                           text=True, check=True)
    rows = [row for row in csv.DictReader(table.stdout.splitlines()) if row["kind"] == "delay"]
    found = [None] * max((int(row["number"]) for row in rows), default=0)
    for row in rows:
        named = paths[row["callpath"]]
        found[int(row["number"]) - 1] = named[0] if len(named) == 1 else None
    return found


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
        print(f"  {count:7} {what}")
    print("".join(problem + "\n" for problem in comparison.problems[:20]), end="")
    print(f"{len(comparison.problems)} differ")
    return 1 if comparison.problems or len(comparison.compared) < 4 else 0


if __name__ == "__main__":
    sys.exit(main())
