#!/usr/bin/env python3
"""Time series of random traces, by the tool and by the reference analyser; both must find the same.

usage: compare_iterations.py FIRST COUNT      seeds FIRST to FIRST + COUNT - 1

Of each trace, some regions are looked at, each visit as an iteration. The reference analyser gives each visit a call
path of its own. Left out is what depends on which call paths are compared: delay costs, and what follows from them. The
sums of those over iterations must be the values of the region in the tool's report. Needs tarry-replay, tarry-cube and
tarry-report in PATH; works in the current folder. Status 1 if a value differs, or if none was compared.
"""
import collections
import csv
import math
import os
import re
import shutil
import subprocess
import sys

import oracle
from random_trace import write_random_trace
from trace_model import CallPath, Trace

REGIONS_OF_A_TRACE = 3
NOT_BY_CALL_PATH = re.compile(r"delay|imbalance|inter_partition|intra_partition|performance_impact|critical_path_act|"
                              r"non_critical|critical_imbalance|mpi_wait_(in)?direct|mpi_wait_(propagating|terminal)|"
                              r"waitstates")
CLIPPED = {"omp_idle_threads", "omp_limited_parallelism", "time"}  # sums of what may be negative in an iteration
NOT_ADDITIVE = re.compile(r"imbalance|inter_partition|intra_partition|performance_impact|critical_path_act|non_critical|"
                          r"critical_imbalance|critical_path_imbalance")


class SplitTrace(Trace):
    """Each outermost visit of a region has a call path of its own."""
    def __init__(self, anchor, region):
        self._region = region
        super().__init__(anchor)

    def _build(self, location, forks):
        self._visits = 0
        super()._build(location, forks)

    def _path(self, parent, region):
        if region.name != self._region or iteration_of(parent) is not None:
            return super()._path(parent, region)
        siblings = self.roots if parent is None else parent.children
        key = (region.name, self._visits)
        if key not in siblings:
            siblings[key] = CallPath(parent, region)
            siblings[key].iteration = self._visits
        self._visits += 1
        return siblings[key]


def iteration_of(path):
    while path is not None:
        if hasattr(path, "iteration"):
            return path.iteration
        path = path.parent
    return None


def expected_values(anchor, region):
    """{(metric, iteration, rank): value}, and whether there are teams of threads"""
    oracle.Trace = lambda name, times: SplitTrace(name, region)
    try:
        found = oracle.Oracle(anchor)
    finally:
        oracle.Trace = Trace
    values = collections.defaultdict(float)
    for metric, by_path in found.values.items():
        unit = 1 if oracle.COUNTS.match(metric) else found.trace.ticks_per_second
        for (path, location), value in by_path.items():
            iteration = iteration_of(path)
            if iteration is not None:
                values[metric, iteration, location.rank] += value / unit
    return values, found.has_openmp


def run(*command):
    return subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True).stdout


def differ(left, right):
    return not math.isclose(left, right, rel_tol=1e-9, abs_tol=1e-12)


def compare_sums(series, report, region, compared):
    """The series adds up to the values of the region in the report."""
    sums, whole = collections.defaultdict(float), collections.defaultdict(float)
    for (metric, _, rank), value in series.items():
        sums[metric, rank] += value
    for row in csv.DictReader(run("tarry-cube", "dump", "--csv", report).splitlines()):
        steps = [step.replace("\\/", "/") for step in re.split(r"(?<!\\)/", row["callpath"])]
        if region in steps and not NOT_ADDITIVE.search(row["metric"]):
            whole[row["metric"], int(row["rank"])] += float(row["value"])
    compared["sums"] += len(set(sums) | set(whole))
    for key in sorted(set(sums) | set(whole)):
        if differ(sums[key], whole[key]):
            yield f"    sum of {key}: report {whole[key]!r}, iterations {sums[key]!r}"


def compare_region(anchor, region, compared):
    run("tarry-replay", "-q", "--strict", "--workers", "1", "--iterations", re.sub(r"([\[\]*?\\])", r"\\\1", region),
        anchor, "-o", "series.cubex")
    table = run("tarry-report", "--iterations", re.sub(r"([\[\]*?\\])", r"\\\1", region), "--metric", "*", "--csv",
                "series.cubex")
    actual = collections.defaultdict(float)
    for row in csv.DictReader(table.splitlines()):
        actual[row["metric"], int(row["iteration"]), int(row["rank"])] = float(row["value"])
    expected, has_teams = expected_values(anchor, region)
    for key in sorted(set(expected) | set(actual)):
        if NOT_BY_CALL_PATH.search(key[0]) or (has_teams and key[0] in CLIPPED):
            continue
        compared[key[0]] += 1
        if differ(expected[key], actual[key]):
            yield f"    {region}: {key}: expected {expected[key]!r}, got {actual[key]!r}"
    yield from compare_sums(actual, "series.cubex", region, compared)


def regions_of(anchor, seed):
    """Some that are visited more than once; others for each seed."""
    visits = collections.Counter()
    for location in Trace(anchor).locations:
        for instance in location.instances:
            visits[instance.name] += 1
    names = sorted(name for name, count in visits.items() if 1 < count < 3000)
    return [names[(seed + 7 * i) % len(names)] for i in range(min(REGIONS_OF_A_TRACE, len(names)))]


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    compared, problems = collections.Counter(), []
    for seed in range(int(sys.argv[1]), int(sys.argv[1]) + int(sys.argv[2])):
        folder = f"series-{seed}"
        shutil.rmtree(folder, ignore_errors=True)
        write_random_trace(seed, folder)
        anchor = os.path.join(folder, "traces.otf2")
        for region in regions_of(anchor, seed):
            found = list(compare_region(anchor, region, compared))
            problems += [f"seed {seed}:"] + found[:5] if found else []
        shutil.rmtree(folder)
    print("\n".join(problems[:60]))
    print(f"{sum(compared.values())} values of {len(compared) - 1} metrics by iteration, {len(problems)} differ")
    return 1 if problems or len(compared) < 20 else 0


if __name__ == "__main__":
    sys.exit(main())
