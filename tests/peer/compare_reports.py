#!/usr/bin/env python3
"""Compares two report dumps (`tarry cube dump --csv`) value by value, metric by metric.

usage: compare_reports.py EXPECTED.csv ACTUAL.csv [--only METRIC,...] [--rel R] [--abs A] [--names] [--max N]

A value that one side does not have is zero there; rows with the same key are added up. Prints for each metric that
either side has how many values were compared, how many differ, and the first few that do. Status 0 if none differs, 1
if some do or there was nothing to compare, 2 for input that is no dump. With --names it only prints the names of the
metrics that differ, one a line, and the status is 0.
"""
import argparse
import collections
import csv
import math
import sys

HEADER = ["metric", "callpath", "rank", "thread", "value"]


def read_dump(name):
    """{metric: {(call path, rank, thread): value}}"""
    values = collections.defaultdict(lambda: collections.defaultdict(float))
    try:
        with open(name, newline="", encoding="utf-8", errors="surrogateescape") as file:
            rows = csv.reader(file)
            if next(rows, None) != HEADER:
                raise ValueError(f"the header is not {','.join(HEADER)}")
            for metric, path, rank, thread, value in rows:
                values[metric][path, int(rank), int(thread)] += float(value)
    except (OSError, ValueError) as error:
        print(f"compare_reports.py: {name}: {error}", file=sys.stderr)
        sys.exit(2)
    return values


def is_close(left, right, options):
    if not (math.isfinite(left) and math.isfinite(right)):
        return False
    return abs(left - right) <= max(options.abs, options.rel * max(abs(left), abs(right)))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("expected")
    parser.add_argument("actual")
    parser.add_argument("--only", default="", help="metrics to compare; others are passed over")
    parser.add_argument("--rel", type=float, default=1e-6, help="relative tolerance")
    parser.add_argument("--abs", type=float, default=1e-9, help="absolute tolerance")
    parser.add_argument("--names", action="store_true", help="print the names of the metrics that differ")
    parser.add_argument("--max", type=int, default=5, help="values shown of each metric")
    options = parser.parse_args()
    expected, actual = read_dump(options.expected), read_dump(options.actual)
    only = set(filter(None, options.only.split(",")))
    compared = differing = 0
    for metric in sorted(set(expected) | set(actual)):
        if only and metric not in only:
            continue
        left, right = expected.get(metric, {}), actual.get(metric, {})
        keys = sorted(set(left) | set(right))
        wrong = [key for key in keys if not is_close(left.get(key, 0.0), right.get(key, 0.0), options)]
        compared, differing = compared + len(keys), differing + len(wrong)
        if options.names:
            if wrong:
                print(metric)
            continue
        print(f"{metric:32} {len(keys):8} compared {len(wrong):8} differ")
        for key in wrong[:options.max]:
            where = f"{key[0]} rank {key[1]} thread {key[2]}"
            print(f"    {where}: expected {left.get(key, 0.0)!r}, got {right.get(key, 0.0)!r}")
    if options.names:
        return 0
    print(f"{compared} values compared, {differing} differ")
    return 1 if differing or not compared else 0


sys.exit(main())
