#!/usr/bin/env python3
"""The call paths of MPI calls in a report are those that the Python program has seen itself.

usage: check_python_paths.py DUMP PREFIX TRUTH...

DUMP: `tarry cube dump --csv -m visits` of the report. PREFIX: of the paths of the main thread, as "main/". TRUTH: of each process in order
of rank, lines "COUNT PATH" of the functions that called MPI. Prints the number of calls; status 1 if a path differs.
"""
import collections
import csv
import re
import sys

CALLS = ("MPI_Barrier", "MPI_Init_thread", "MPI_Finalize")


def main():
    prefix = sys.argv[2]
    found, expected = collections.Counter(), collections.Counter()
    with open(sys.argv[1], encoding="utf-8") as dump:
        for row in csv.DictReader(dump):
            names = [re.sub(r"\\(.)", r"\1", name) for name in re.split(r"(?<!\\)/", row["callpath"])]
            if names[-1] in CALLS:  # the first is the program
                found[row["rank"], "/".join(names[1:-1])] += float(row["value"])
    for rank, path in enumerate(sys.argv[3:]):
        with open(path, encoding="utf-8") as truth:
            for line in truth:
                count, names = line.rstrip("\n").split(" ", 1)
                expected[str(rank), names if names.startswith("Thread.") else prefix + names] += int(count)
    wrong = 0
    for key in sorted(found.keys() | expected.keys()):
        if found[key] != expected[key]:
            wrong += 1
            print(f"rank {key[0]}: {key[1]}: {found[key]:.0f} visits, {expected[key]} calls")
    print(f"{sum(expected.values())} calls on {len(expected)} paths, {wrong} wrong")
    return 1 if wrong or not expected else 0


if __name__ == "__main__":
    sys.exit(main())
