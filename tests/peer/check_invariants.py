#!/usr/bin/env python3
"""Checks what must hold in every analysis report of the default mode.

usage: check_invariants.py REPORT.cubex DUMP.csv        (DUMP.csv: `tarry cube dump --csv REPORT.cubex`)

For each call path and location: a time is at least the sum of its children; waits, times and counts are not negative;
time is execution, overhead and idle threads; what is direct and indirect, propagating and terminal make up the wait
states. In the whole report the delay costs of each kind add up to the waits of that kind.
Prints what does not hold; status 1 if something does not.
"""
import collections
import csv
import math
import pathlib
import sys
import tarfile
import xml.etree.ElementTree as xml

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "report"))

from wait_causes import read_causes

REL, ABS = 1e-9, 1e-9
# A call path can wait longer than its critical-path time, and impact is what is left of differences.
MAY_BE_NEGATIVE = {"critical_path", "critical_imbalance_impact", "intra_partition_imbalance", "performance_impact",
                   "performance_impact_criticalpath"}
SUMS = [("time", ["execution", "overhead", "omp_idle_threads"]),
        ("waitstates_direct_vs_indirect", ["mpi_latesender", "mpi_latereceiver"]),
        ("waitstates_propagating_vs_terminal", ["mpi_latesender", "mpi_latereceiver"]),
        ("mpi_latesender_wo", ["mpi_lswo_same", "mpi_lswo_different"]),
        ("syncs", ["syncs_p2p", "syncs_coll", "syncs_rma"]),
        ("bytes", ["bytes_sent", "bytes_rcvd", "bytes_cout", "bytes_cin", "bytes_put", "bytes_get"])]

COSTS = {"latesender": "mpi_latesender", "latereceiver": "mpi_latereceiver", "barrier": "mpi_barrier_wait",
         "n2n": "mpi_wait_nxn", "12n": "mpi_latebroadcast", "n21": "mpi_earlyreduce", "scan": "mpi_earlyscan",
         "icoll": "mpi_icoll_wait", "creation": "mpi_mgmt_comm_wait mpi_mgmt_file_wait",
         "neighbor": "mpi_neighbor_wait", "finalize": "mpi_finalize_wait",
         "ompbarrier": "omp_ebarrier_wait omp_ibarrier_wait",
         "threadlock": "omp_lock_contention_critical omp_lock_contention_api pthread_lock_contention_mutex_lock "
                       "pthread_lock_contention_conditional pthread_lock_contention_rwlock"}


def read_children(report):
    """{metric: its children} of the times, from the report's anchor. Counts of waits stand at the call that waits,
    those of messages at the call that sends, so they need not add up at a call path."""
    with tarfile.open(report) as members:
        root = xml.parse(members.extractfile("anchor.xml")).getroot()
    return {metric.findtext("uniq_name").strip(): [c.findtext("uniq_name").strip() for c in metric.findall("metric")]
            for metric in root.iter("metric") if metric.findtext("uom").strip() == "sec"}


def read_values(dump):
    values = collections.defaultdict(lambda: collections.defaultdict(float))
    with open(dump, newline="") as file:
        for row in csv.DictReader(file):
            values[row["metric"]][row["callpath"], row["rank"], row["thread"]] += float(row["value"])
    return values


def slack(*numbers):
    return ABS + REL * max(map(abs, numbers))


def complaints(children, values):
    def at(metric, key):
        return values.get(metric, {}).get(key, 0.0)

    for metric, row in values.items():
        for key, value in row.items():
            if not math.isfinite(value) or (value < -ABS and metric not in MAY_BE_NEGATIVE):
                yield f"{metric} at {key} is {value}"
    for metric, below in children.items():
        if metric in MAY_BE_NEGATIVE:
            continue
        for key in {key for child in below for key in values.get(child, {})}:
            total = sum(at(child, key) for child in below)
            if total > at(metric, key) + slack(total):
                yield f"{metric} at {key} is {at(metric, key)}, its children {total}"
    for whole, parts in SUMS:
        for key in {key for metric in (whole, *parts) for key in values.get(metric, {})}:
            total = sum(at(part, key) for part in parts)
            if abs(total - at(whole, key)) > slack(total):
                yield f"{whole} at {key} is {at(whole, key)}, {' + '.join(parts)} {total}"
    for kind, waits in COSTS.items():
        costs = sum(values.get(f"delay_{kind}_aggregate", {}).values())
        waiting = sum(sum(values.get(metric, {}).values()) for metric in waits.split())
        if abs(costs - waiting) > slack(costs):
            yield f"delay costs of {kind} are {costs}, the waits {waiting}"


def complaints_about_causes(groups, values):
    """The causes of each group explain all of its waits; groups of a kind have no more than its waits."""
    of_kind = collections.Counter()
    for kind, waiting, delays in groups:
        of_kind[kind] += waiting
        if abs(waiting - delays) > slack(waiting):
            yield f"waits of {waiting} at one call path have causes of {delays} ({kind})"
    for kind, waiting in of_kind.items():
        costs = sum(values.get(kind, {}).values())
        if waiting > costs + slack(costs):
            yield f"the table of causes has waits of {waiting}, their costs are {costs} ({kind})"


def main():
    values = read_values(sys.argv[2])
    found = list(complaints(read_children(sys.argv[1]), values))
    found += complaints_about_causes(read_causes(sys.argv[1]), values)
    for line in found[:20]:
        print(line)
    if len(found) > 20:
        print(f"... and {len(found) - 20} more")
    return 1 if found else 0


sys.exit(main())
