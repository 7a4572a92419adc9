#!/usr/bin/env python3
"""Compares a report with what a test program says of itself.

usage: check_expect.py PROGRAM.c DUMP.csv        (DUMP.csv: output of `tarry cube dump --csv`)

A line of the program `expect: metric=M callpath=PATTERN rank=R[-R] seconds=[N*]S` means: the values of M on call paths
that match PATTERN (shell wildcards, * matches / too) sum up to S, or N times S, on each of these ranks, within 10 %.
Where 0 is expected, a tenth of the largest other expectation is allowed. Status 1 if a value is elsewhere.
"""
import csv
import fnmatch
import math
import re
import sys

TOLERANCE = 0.10
EXPECT = re.compile(r"expect: metric=(\S+) callpath=(\S+) rank=(\d+)(?:-(\d+))? seconds=(\S+)")


def expectations(path):
    with open(path) as source:
        for metric, pattern, first, last, seconds in EXPECT.findall(source.read()):
            value = math.prod(float(factor) for factor in seconds.split("*"))
            for rank in range(int(first), int(last or first) + 1):
                yield metric, pattern, rank, value


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    expected = list(expectations(sys.argv[1]))
    if not expected:
        sys.exit(f"check_expect.py: {sys.argv[1]}: no line says what to expect")
    with open(sys.argv[2], newline="") as dump:
        rows = list(csv.DictReader(dump))
    slack_of_zero = TOLERANCE * max(value for *_, value in expected)
    failed = 0
    for metric, pattern, rank, value in expected:
        actual = math.fsum(float(row["value"]) for row in rows if row["metric"] == metric
                           and int(row["rank"]) == rank and fnmatch.fnmatchcase(row["callpath"], pattern))
        is_right = abs(actual - value) <= (TOLERANCE * value or slack_of_zero)
        failed += not is_right
        print(f"{'right' if is_right else 'WRONG'}: {metric} {pattern} rank {rank}: {actual:.6f} s, expected {value:.6f}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
