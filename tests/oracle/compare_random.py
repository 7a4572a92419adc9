#!/usr/bin/env python3
"""Random traces, analysed by the tool and by the reference analyser; both must find the same.

usage: compare_random.py FIRST COUNT [--rel R] [--abs A] [--keep]     seeds FIRST to FIRST + COUNT - 1

Needs tarry-replay and tarry-cube in PATH; works in the current folder. Prints how many values of each metric were
compared; for a seed whose values differ, the first few of each metric and the command that replays it. Status 1 if any
differs, or if the traces together left a metric of the reference analyser without a value.
"""
import argparse
import collections
import csv
import math
import os
import shutil
import subprocess
import sys

from oracle import KINDS, SUMS, Oracle
from random_trace import write_random_trace

SHOWN = 3
COVERED = set(SUMS) | {f"delay_{kind}{part}" for kind in KINDS for part in ("", "_longterm", "_aggregate")} | set("""
    time visits execution comp mpi mpi_management mpi_init_exit mpi_mgmt_comm mpi_synchronization mpi_sync_collective
    mpi_communication mpi_point2point mpi_collective omp_time omp_synchronization omp_barrier omp_ebarrier omp_ibarrier
    omp_critical omp_lock_api omp_ordered omp_flush omp_management omp_fork omp_idle_threads omp_limited_parallelism
    mpi_init_completion mpi_finalize_wait mpi_barrier_wait mpi_barrier_completion mpi_wait_nxn mpi_nxn_completion
    mpi_latebroadcast mpi_earlyreduce mpi_earlyscan mpi_latesender mpi_latesender_wo mpi_lswo_same mpi_lswo_different
    mpi_latereceiver omp_ebarrier_wait omp_ibarrier_wait omp_lock_contention_critical omp_lock_contention_api
    comms_send syncs_send comms_recv syncs_recv bytes_sent bytes_rcvd mpi_cls_count mpi_sls_count mpi_clswo_count
    mpi_slswo_count mpi_clr_count mpi_slr_count syncs_coll comms_cxch comms_csrc comms_cdst bytes_cout bytes_cin
    mpi_wait_indirect_latesender mpi_wait_indirect_latereceiver mpi_wait_propagating_ls mpi_wait_propagating_lr
    critical_path critical_path_activities critical_imbalance_impact inter_partition_imbalance
    non_critical_path_activities critical_path_imbalance imbalance imbalance_above imbalance_above_single
    imbalance_below imbalance_below_bypass imbalance_below_singularity""".split())


def tool_values(anchor, report):
    """{metric: {(call path, rank, thread): value}}, or None if the tool fails."""
    replay = subprocess.run(["tarry-replay", "-q", "--strict", "--workers", "1", anchor, "-o", report],
                            stderr=subprocess.PIPE, text=True)
    dump = subprocess.run(["tarry-cube", "dump", "--csv", report], stdout=subprocess.PIPE, text=True)
    if replay.returncode or dump.returncode:
        print(replay.stderr)
        return None
    values = collections.defaultdict(dict)
    for metric, path, rank, thread, value in list(csv.reader(dump.stdout.splitlines()))[1:]:
        values[metric][path, int(rank), int(thread)] = float(value)
    return values


def differing(expected, actual, options):
    """The keys at which two tables differ; what is not there is zero."""
    for key in sorted(set(expected) | set(actual)):
        left, right = expected.get(key, 0.0), actual.get(key, 0.0)
        if not math.isfinite(right) or abs(left - right) > max(options.abs, options.rel * max(abs(left), abs(right))):
            yield key


def compare_seed(seed, options, compared):
    """Whether the tool agrees with the reference about one trace; `compared` counts values."""
    folder = f"seed-{seed}"
    shutil.rmtree(folder, ignore_errors=True)
    write_random_trace(seed, folder)
    anchor = os.path.join(folder, "traces.otf2")
    expected, actual = Oracle(anchor).rows(), tool_values(anchor, os.path.join(folder, "tool.cubex"))
    problems = [] if actual is not None else ["    the tool failed"]
    for metric in sorted(set(expected) | set(actual or {})) if actual is not None else []:
        left, right = expected.get(metric, {}), actual.get(metric, {})
        compared[metric] += len(set(left) | set(right))
        for key in list(differing(left, right, options))[:SHOWN]:
            where = f"{key[0]} rank {key[1]} thread {key[2]}"
            problems.append(f"    {metric} at {where}: expected {left.get(key, 0.0)!r}, got {right.get(key, 0.0)!r}")
    if problems:
        print(f"seed {seed} differs; to see it: python3 $TARRY_ROOT/tests/oracle/compare_random.py {seed} 1 --keep")
        print("\n".join(problems), flush=True)
    if not options.keep:
        shutil.rmtree(folder)
    return not problems


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("first", type=int)
    parser.add_argument("count", type=int)
    parser.add_argument("--rel", type=float, default=1e-9, help="relative tolerance")
    parser.add_argument("--abs", type=float, default=1e-12, help="absolute tolerance")
    parser.add_argument("--keep", action="store_true", help="leave the traces and the tool's reports")
    options = parser.parse_args()
    compared = collections.Counter()
    failed = [seed for seed in range(options.first, options.first + options.count)
              if not compare_seed(seed, options, compared)]
    for metric, count in sorted(compared.items()):
        print(f"{metric:36} {count:9}")
    missing = sorted(COVERED - {metric for metric, count in compared.items() if count}) if options.count >= 100 else []
    if missing:
        print("no trace has a value of:", " ".join(missing))
    print(f"{options.count} traces, {sum(compared.values())} values compared, {len(failed)} traces differ", *failed[:9])
    return 1 if failed or missing else 0


if __name__ == "__main__":
    sys.exit(main())
