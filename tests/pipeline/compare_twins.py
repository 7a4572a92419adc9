#!/usr/bin/env python3
"""Compares the wait states of two programs that wait alike.

usage: compare_twins.py FIRST.csv SECOND.csv METRIC...   (the files: output of `tarry cube dump --csv`)

Each METRIC must have a value of at least 50 ms somewhere. On each call path (the program's own name aside) and rank the
values must agree within 10 %; 10 ms more or less count as nothing. Status 1 if they do not.
"""
import csv
import sys

TOLERANCE, NOTHING, LEAST = 0.10, 0.010, 0.050


def read(path, metrics):
    with open(path, newline="") as dump:
        return {(row["metric"], row["callpath"].partition("/")[2], row["rank"]): float(row["value"])
                for row in csv.DictReader(dump) if row["metric"] in metrics}


def main():
    if len(sys.argv) < 4:
        sys.exit(__doc__)
    metrics = sys.argv[3:]
    first, second = (read(path, metrics) for path in sys.argv[1:3])
    failed = 0
    for key in sorted(first.keys() | second.keys()):
        a, b = first.get(key, 0), second.get(key, 0)
        if max(a, b) < LEAST:
            continue
        is_same = abs(a - b) <= max(TOLERANCE * max(a, b), NOTHING)
        failed += not is_same
        print(f"{'same' if is_same else 'DIFFERENT'}: {' '.join(key)}: {a:.4f} s and {b:.4f} s")
    for metric in metrics:
        if not any(key[0] == metric and value >= LEAST for key, value in first.items()):
            print(f"NOTHING: {metric}")
            failed += 1
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
