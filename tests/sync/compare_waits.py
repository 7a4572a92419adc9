#!/usr/bin/env python3
"""compare_waits.py -- are the wait states of a corrected trace those of the true one?

usage: compare_waits.py TRUE.dump CORRECTED.dump TRUE.csv CORRECTED.csv

The dumps are those of `tarry archive dump` of the same events, the tables those of `tarry cube dump --csv`. The clock error
that remains is the distance between the event that is most too late and the one that is most too early. Wait states
must be right to 5 % wherever the mean wait of a visit exceeds ten times that. Prints both figures.
"""
import csv
import sys

WAITS = ("mpi_latesender", "mpi_latereceiver", "mpi_barrier_wait", "mpi_wait_nxn", "mpi_latebroadcast", "mpi_earlyreduce",
         "mpi_earlyscan", "mpi_finalize_wait", "mpi_rma_wait_at_fence", "mpi_rma_early_wait", "mpi_rma_sync_late_post")


def errors(true_dump, corrected_dump):
    """How late each event is in the corrected trace, seconds."""
    with open(true_dump) as true, open(corrected_dump) as corrected:
        for a, b in zip(true, corrected, strict=True):
            a, b = a.split(maxsplit=4), b.split(maxsplit=4)
            assert a[:2] == b[:2] and a[3:] == b[3:], f"other events: {a} {b}"
            yield float(b[2]) - float(a[2])


def values(path):
    with open(path, newline="") as file:
        return {(row["metric"], row["callpath"], row["rank"], row["thread"]): float(row["value"])
                for row in csv.DictReader(file)}


def main():
    late = list(errors(*sys.argv[1:3]))
    error = max(late) - min(late)
    true, corrected = map(values, sys.argv[3:])
    checked, wrong = 0, 0
    for key in sorted(true.keys() | corrected.keys()):
        metric, *where = key
        if metric not in WAITS:
            continue
        visits = true["visits", *where]
        here, there = true.get(key, 0), corrected.get(key, 0)
        if max(here, there) / visits <= 10 * error:
            continue
        checked += 1
        if abs(here - there) > 0.05 * here:
            wrong += 1
            print(f"{' '.join(key)}: {there:.6g} s instead of {here:.6g} s, {visits:g} visits")
    print(f"clock error {error:.3g} s; {checked} waits compared, {wrong} wrong")
    return 1 if wrong else 0


sys.exit(main())
