#!/usr/bin/env python3
"""Computes run times, speedups, POP's efficiencies and the times of call paths from `tarry cube dump`, and compares them
with `tarry scale --json`. Runs are pure MPI, one thread for each process.

usage: scale_by_hand.py strong|weak METRIC ARCHIVE...
"""
import collections
import csv
import json
import subprocess
import sys


def output_of(*command):
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout


def is_mpi(path):
    return path.rsplit("/", 1)[-1].startswith("MPI_")


class Run:
    def __init__(self, archive, metric):
        self.times = collections.defaultdict(dict)
        self.wanted = collections.defaultdict(dict)
        for row in csv.DictReader(output_of("tarry", "cube", "dump", "--csv", archive).splitlines()):
            for name, values in (("time", self.times), (metric, self.wanted)):
                if row["metric"] == name:
                    values[row["callpath"]][int(row["rank"])] = float(row["value"])
        self.ranks = 1 + max(rank for values in self.times.values() for rank in values)

    def sums(self, counts):
        return [sum(values.get(rank, 0) for path, values in self.times.items() if counts(path)) for rank in range(self.ranks)]

    def facts(self):
        body = self.sums(lambda path: not path.endswith(("MPI_Init", "MPI_Finalize")))
        useful = self.sums(lambda path: not is_mpi(path))
        return max(body), useful

    def mean(self, path):
        return sum(self.wanted[path].values()) / self.ranks if path in self.wanted else 0


def check(what, ours, theirs):
    if abs(ours - theirs) > 1e-9 * max(abs(ours), abs(theirs), 1e-9):
        sys.exit(f"{what}: {ours} by hand, {theirs} of tarry scale")


def check_run(run, first, is_weak, found):
    name = f"{run.ranks} processes"
    (runtime, useful), (runtime_first, useful_first) = run.facts(), first.facts()
    more = run.ranks / first.ranks
    speedup = runtime_first / runtime * (more if is_weak else 1)
    check(f"{name}, run time", runtime, found["runtime"])
    check(f"{name}, speedup", speedup, found["speedup"])
    check(f"{name}, efficiency", speedup / more, found["efficiency"])
    pop = found["pop"]
    balance, communication = sum(useful) / run.ranks / max(useful), max(useful) / runtime
    computation = sum(useful_first) / sum(useful) * (more if is_weak else 1)
    for key, value in (("load_balance", balance), ("communication", communication), ("parallel", balance * communication),
                       ("computation_scaling", computation), ("global", balance * communication * computation)):
        check(f"{name}, {key}", value, pop[key])
    check(f"{name}, serialisation and transfer", pop["serialisation"] * pop["transfer"], communication)


def main():
    scaling, metric, *archives = sys.argv[1:]
    runs = [Run(archive, metric) for archive in archives]
    study = json.loads(output_of("tarry", "scale", "--json", "--scaling", scaling, "--metric", metric, *archives))
    told = {}
    for row in csv.DictReader(output_of("tarry", "report", "--efficiency", "--csv", *archives).splitlines()):
        told[row["run"], row["metric"]] = row["value"]
    for run, archive, found in zip(runs, archives, study["configurations"], strict=True):
        check_run(run, runs[0], scaling == "weak", found)
        # The trace's share is of the time between MPI_Init and MPI_Finalize, the report's run time has what is around
        # that, too. No network makes a run shorter than its longest computation.
        transfer = max(float(told[archive, "transfer"]), found["pop"]["communication"])
        check(f"{archive}, transfer", transfer, found["pop"]["transfer"])
    paths = set()
    for region in study["regions"]:
        paths.add(region["name"])
        for i, run in enumerate(runs):
            before, now, more = runs[0].mean(region["name"]), run.mean(region["name"]), run.ranks / runs[0].ranks
            check(f"{region['name']}, time", now, region["times"][i])
            if before > 0 and now > 0:
                check(f"{region['name']}, speedup", before / now * (more if scaling == "weak" else 1), region["speedups"][i])
                check(f"{region['name']}, efficiency", before / now / (1 if scaling == "weak" else more), region["efficiencies"][i])
            elif region["efficiencies"][i] is not None:
                sys.exit(f"{region['name']}: an efficiency without a time")
    lost = {path for run in runs for path, values in run.wanted.items() if any(values.values())} - paths
    if lost or not paths:
        sys.exit(f"call paths that are not there: {lost}")


main()
