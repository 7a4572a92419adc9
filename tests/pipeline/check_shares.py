#!/usr/bin/env python3
"""Compares the time of sampled functions with what the program has measured itself.

usage: check_shares.py TRUTH VALUES SAMPLES [FUNCTION...]

TRUTH is the output of known_shares; VALUES is from `tarry cube dump --csv`. Exclusive times of the functions, added up
over all call paths and threads, must be within three standard errors. The error of a share p of n SAMPLES is
sqrt(p (1 - p) / n). With FUNCTIONs, only these are compared.
"""
import csv
import math
import sys


def main():
    truth = {name: float(seconds) for name, seconds in (line.split() for line in open(sys.argv[1]))}
    samples = int(sys.argv[3])
    wanted = sys.argv[4:] or list(truth)
    total = sum(truth.values())
    times = dict.fromkeys(truth, 0.0)
    for row in csv.DictReader(open(sys.argv[2])):
        name = row["callpath"].split("/")[-1].split("(")[0]
        if row["metric"] == "time" and name in times:
            times[name] += float(row["value"])
    failed = False
    for name in wanted:
        share = truth[name] / total
        error = total * math.sqrt(share * (1 - share) / samples)
        off = abs(times[name] - truth[name])
        print(f"{name}: {times[name]:.3f} s sampled, {truth[name]:.3f} s by its own clock, "
              f"{off / error:.1f} standard errors")
        failed |= off > 3 * error
    sys.exit(failed)


main()
