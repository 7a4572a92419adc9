#!/usr/bin/env python3
"""Compares a report with what a test program says of itself.

usage: check_expect.py [--stretched] PROGRAM.c DUMP.csv...

DUMP.csv is the output of `tarry cube dump --csv`, one file a run. With --stretched the first run had
TARRY_TEST_STRETCH=1, the second one 2, and so on; its values are divided by that.

A line of the program `expect: metric=M callpath=PATTERN rank=R[-R] seconds=[N*]S` means: the values of M on call paths
that match PATTERN (shell wildcards, * matches / too) sum up to S, or N times S, on each of these ranks, within 10 %.
Where 0 is expected, a tenth of the largest other expectation is allowed. A busy machine makes a process late now and
then, so a value counts as right if one of the runs has it: a wrong analysis is wrong in each. Status 1 if a value is
right in no run.
"""
import argparse
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


def read(path):
    with open(path, newline="") as dump:
        return list(csv.DictReader(dump))


def value_of(rows, metric, pattern, rank):
    return math.fsum(float(row["value"]) for row in rows if row["metric"] == metric and int(row["rank"]) == rank
                     and fnmatch.fnmatchcase(row["callpath"], pattern))


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("--stretched", action="store_true")
    parser.add_argument("program")
    parser.add_argument("dumps", nargs="+")
    options = parser.parse_args()
    expected = list(expectations(options.program))
    if not expected:
        sys.exit(f"check_expect.py: {options.program}: no line says what to expect")
    runs = [read(path) for path in options.dumps]
    slack_of_zero = TOLERANCE * max(value for *_, value in expected)
    failed = 0
    for metric, pattern, rank, value in expected:
        actual = [value_of(rows, metric, pattern, rank) / (1 + number if options.stretched else 1)
                  for number, rows in enumerate(runs)]
        is_right = any(abs(seconds - value) <= (TOLERANCE * value or slack_of_zero) for seconds in actual)
        failed += not is_right
        print(f"{'right' if is_right else 'WRONG'}: {metric} {pattern} rank {rank}: "
              f"{', '.join(f'{seconds:.6f}' for seconds in actual)} s, expected {value:.6f}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
