#!/usr/bin/env python3
"""Efficiencies of runs of tests/apps/efficiency_known.c against what the ranks have measured themselves.

usage: check_efficiency.py SCALING REGION TABLE.json WORKED.txt...      a file for each run, the reference first

REGION: uneven, turns, or - for the whole run. Status 1 if something is wrong.
"""
import json
import sys


def check(is_fine, *what):
    if not is_fine:
        sys.exit("check_efficiency.py: " + " ".join(map(str, what)))


def worked_by(path, region):
    """Seconds by rank."""
    ranks = {}
    for rank, name, seconds in (line.split() for line in open(path)):
        if region in (name, "-"):
            ranks[int(rank)] = ranks.get(int(rank), 0) + float(seconds)
    return [ranks[rank] for rank in sorted(ranks)]


def is_close(ours, theirs):
    """What a program computes between its own clock readings and MPI is little."""
    return abs(ours / theirs - 1) < 0.02


def main():
    scaling, region, table, *files = sys.argv[1:]
    table = json.load(open(table))
    check(table["scaling"] == scaling and table["region"] == (None if region == "-" else region), table)
    check(len(table["runs"]) == len(files), "runs")
    before = None
    for run, path in zip(table["runs"], files):
        worked, found = worked_by(path, region), run["standard"]
        check(run["processes"] == run["threads"] == len(worked) and run["is_traced"], run)
        mean, longest = sum(worked) / len(worked), max(worked)
        before = before or (sum(worked), len(worked))
        growth = len(worked) / before[1] if scaling == "weak" else 1
        # In turns no rank works while another one does.
        ideal = sum(worked) if region == "turns" else longest if region == "uneven" else None
        expected = {"load_balance": mean / longest, "communication": longest / run["runtime"],
                    "computation_scaling": before[0] * growth / sum(worked)}
        if ideal:
            expected.update(serialisation=longest / ideal, transfer=ideal / run["runtime"])
        for name, value in expected.items():
            check(is_close(found[name], value), path, name, found[name], "expected", value)
        for product, *factors in (("communication", "serialisation", "transfer"),
                                  ("parallel", "load_balance", "communication"),
                                  ("global", "parallel", "computation_scaling")):
            value = found[factors[0]] * found[factors[1]]
            check(abs(value / found[product] - 1) < 1e-12, product, found[product], value)
        print(path, region, {name: round(value, 4) for name, value in found.items() if value is not None})


main()
