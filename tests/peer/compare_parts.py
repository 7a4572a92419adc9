#!/usr/bin/env python3
"""Whether reports of parts of a run add up to that of the whole.

usage: compare_parts.py WHOLE.csv PART.csv...       outputs of `tarry cube dump --csv`

Times, visits, waits, counts, costs and the critical path add up; what compares call paths or processes with averages
(performance impact, imbalance) does not, and the gap below which idle time is nothing (1e-10 s) may differ in each part.
Prints what was compared; status 1 if something differs by more than 1e-9 of the total of its metric.
"""
import collections
import csv
import math
import re
import sys

NOT_ADDITIVE = re.compile(
    r"performance_impact|critical_path_|critical_imbalance|non_critical|int(er|ra)_partition|imbalance")


def values(path):
    result = collections.defaultdict(float)
    with open(path, newline="") as dump:
        for row in csv.DictReader(dump):
            if not NOT_ADDITIVE.match(row["metric"]):
                result[row["metric"], row["callpath"], row["rank"], row["thread"]] += float(row["value"])
    return result


def main():
    if len(sys.argv) < 4:
        sys.exit(__doc__)
    whole, sums = values(sys.argv[1]), collections.defaultdict(float)
    totals = collections.defaultdict(float)
    for key, value in whole.items():
        totals[key[0]] += abs(value)
    parts = [values(path) for path in sys.argv[2:]]
    for part in parts:
        for key, value in part.items():
            sums[key] += value
    wrong = []
    for key in sorted(set(whole) | set(sums)):
        slack = 1e-9 * totals[key[0]] + 1e-12
        if not math.isclose(whole.get(key, 0), sums.get(key, 0), rel_tol=1e-9, abs_tol=slack):
            wrong.append(key)
    for key in wrong[:10]:
        print("differs:", *key, "whole", whole.get(key, 0), "sum of parts", sums.get(key, 0))
    split = len({key[0] for key in whole if sum(1 for part in parts if part.get(key)) > 1})
    print(f"{len(whole)} values of {len(totals)} metrics, {split} of them in several parts, {len(wrong)} values differ")
    return 1 if wrong or not whole else 0


if __name__ == "__main__":
    sys.exit(main())
