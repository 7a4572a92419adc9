#!/usr/bin/env python3
"""Compares the wait states of two programs that wait alike.

usage: compare_twins.py METRIC[,METRIC...] FIRST.csv... --with SECOND.csv...

The files are the output of `tarry cube dump --csv`, one file a run. Each METRIC must have a value of at least 50 ms
somewhere. On each call path (the program's own name aside) and rank a value of the first program must agree with one of
the second within 10 %; 10 ms more or less count as nothing. A busy machine makes a process late now and then, so any
two runs may agree: programs that wait differently do so in each. Status 1 if they do not agree.
"""
import argparse
import csv
import sys

TOLERANCE, NOTHING, LEAST = 0.10, 0.010, 0.050


def read(path, metrics):
    with open(path, newline="") as dump:
        return {(row["metric"], without_wrapper(row["callpath"].partition("/")[2]), row["rank"]): float(row["value"])
                for row in csv.DictReader(dump) if row["metric"] in metrics}


def without_wrapper(path):
    """gfortran's main() calls the main program."""
    return path.replace("main/MAIN__", "main")


def is_same(a, b):
    return abs(a - b) <= max(TOLERANCE * max(a, b), NOTHING)


def seconds(values):
    return ", ".join(f"{value:.4f}" for value in values) + " s"


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("metrics", type=lambda names: names.split(","))
    parser.add_argument("first", nargs="+")
    parser.add_argument("--with", dest="second", nargs="+", required=True)
    options = parser.parse_args()
    first, second = ([read(path, options.metrics) for path in paths] for paths in (options.first, options.second))
    failed = 0
    for key in sorted(set().union(*first, *second)):
        left, right = ([run.get(key, 0) for run in runs] for runs in (first, second))
        if max(left + right) < LEAST:
            continue
        agree = any(is_same(a, b) for a in left for b in right)
        failed += not agree
        print(f"{'same' if agree else 'DIFFERENT'}: {' '.join(key)}: {seconds(left)} and {seconds(right)}")
    for metric in options.metrics:
        if not any(key[0] == metric and value >= LEAST for run in first for key, value in run.items()):
            print(f"NOTHING: {metric}")
            failed += 1
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
