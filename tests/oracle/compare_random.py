#!/usr/bin/env python3
"""Random traces, analysed by the tool and by the reference analyser; both must find the same.

usage: compare_random.py FIRST COUNT [--rel R] [--abs A] [--keep]     seeds FIRST to FIRST + COUNT - 1

Needs tarry-replay and tarry-cube in PATH; works in the current folder. Prints how many values of each metric were
compared; for a seed whose values differ, the first few of each metric and the command that replays it. Status 1 if any
differs, or if 100 traces or more lack a metric of the reference analyser or a feature of trace_features.py.
"""
import argparse
import collections
import csv
import math
import os
import shutil
import statistics
import subprocess
import sys

from oracle import KINDS, SUMS, Oracle
from random_trace import write_random_trace
from trace_features import FEATURES, features_of

SHOWN = 3
INSTANCES = 3
WITH_INSTANCES = """mpi_latesender mpi_latesender_wo mpi_latesender_polled mpi_latereceiver mpi_barrier_wait mpi_wait_nxn mpi_latebroadcast
mpi_neighbor_wait mpi_earlyreduce mpi_earlyscan mpi_finalize_wait mpi_icoll_wait mpi_icoll_wait_polled mpi_mgmt_comm_wait mpi_mgmt_file_wait omp_ebarrier_wait
omp_ibarrier_wait omp_lock_contention_critical pthread_lock_contention_mutex_lock pthread_lock_contention_conditional
pthread_wait_for_signal pthread_wait_for_semaphore pthread_wait_at_barrier pthread_wait_for_end
omp_lock_contention_api mpi_rma_wait_at_create mpi_rma_wait_at_free mpi_rma_wait_at_fence mpi_rma_early_fence
mpi_rma_sync_late_post mpi_rma_comm_late_post mpi_rma_early_wait mpi_rma_late_complete mpi_rma_sync_lock_competition
mpi_rma_comm_lock_competition mpi_rma_sync_wait_for_progress mpi_rma_comm_wait_for_progress""".split()
COVERED = set(SUMS) | set(WITH_INSTANCES) | {f"delay_{kind}{part}" for kind in KINDS for part in ("", "_longterm", "_aggregate")} | set("""
    pthread_time pthread_management pthread_synchronization pthread_lock_api pthread_conditional pthread_semaphore
    pthread_barrier
    time visits execution comp blocked mpi mpi_management mpi_init_exit mpi_mgmt_comm mpi_synchronization mpi_sync_collective
    mpi_communication mpi_point2point mpi_collective omp_time omp_synchronization omp_barrier omp_ebarrier omp_ibarrier
    omp_critical omp_lock_api omp_ordered omp_flush omp_management omp_fork omp_idle_threads omp_limited_parallelism
    mpi_init_completion mpi_finalize_wait mpi_icoll_wait mpi_mgmt_comm_wait mpi_mgmt_file mpi_mgmt_file_wait
    mpi_barrier_wait mpi_barrier_completion mpi_wait_nxn mpi_nxn_completion
    mpi_latebroadcast mpi_earlyreduce mpi_earlyscan mpi_latesender mpi_latesender_wo mpi_lswo_same mpi_lswo_different
    mpi_latereceiver omp_ebarrier_wait omp_ibarrier_wait omp_lock_contention_critical omp_lock_contention_api
    comms_send syncs_send comms_recv syncs_recv bytes_sent bytes_rcvd mpi_cls_count mpi_sls_count mpi_clswo_count
    mpi_slswo_count mpi_clr_count mpi_slr_count syncs_coll comms_cxch comms_csrc comms_cdst bytes_cout bytes_cin
    mpi_wait_indirect_latesender mpi_wait_indirect_latereceiver mpi_wait_propagating_ls mpi_wait_propagating_lr
    critical_path critical_path_activities critical_imbalance_impact inter_partition_imbalance
    non_critical_path_activities critical_path_imbalance imbalance imbalance_above imbalance_above_single
    mpi_mgmt_win mpi_rma_synchronization mpi_rma_sync_active mpi_rma_sync_passive mpi_rma_communication
    bytes_put bytes_get
    syncs_rma_active syncs_rma_passive comms_rma_puts comms_rma_gets comms_rma_atomics mpi_rma_pairsync_count
    mpi_rma_pairsync_unneeded_count imbalance_below imbalance_below_bypass imbalance_below_singularity""".split())


def tool_values(anchor, report):
    """{metric: {(call path, rank, thread): value}}, or None if the tool fails."""
    replay = subprocess.run(["tarry-replay", "-q", "--strict", "--workers", "1", anchor, "-o", report,
                             "--instances", str(INSTANCES)],
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


def read_table(path):
    with open(path, newline="") as table:
        return list(csv.DictReader(table))


def differing_instances(oracle, report, options):
    """Sentences about single waits and their statistics that the two see differently."""
    table = report.removesuffix(".cubex")
    unit = oracle.trace.ticks_per_second
    found = {row["metric"]: row for row in read_table(table + "-statistics.csv")}
    longest = collections.defaultdict(list)
    for row in read_table(table + "-instances.csv"):
        longest[row["metric"]].append(float(row["waiting"]))
    same = lambda left, right: math.isclose(left, right, rel_tol=options.rel, abs_tol=options.abs)
    for metric in WITH_INSTANCES:
        waits = sorted(wait / unit for wait in oracle.states.waits[metric])
        row = found.pop(metric, None)
        if not waits or row is None:
            if waits or row:
                yield f"    instances of {metric}: expected {len(waits)}, got {row}"
            continue
        expected = {"count": len(waits), "sum": math.fsum(waits), "minimum": waits[0], "maximum": waits[-1],
                    "mean": statistics.fmean(waits), "median": statistics.median(waits),
                    "variance": statistics.pvariance(waits)}
        if len(waits) > 1:
            quartiles = statistics.quantiles(waits, n=4, method="inclusive")
            expected.update(quartile25=quartiles[0], quartile75=quartiles[2])
        for name, value in expected.items():
            if not same(float(row[name]), value):
                yield f"    {name} of the instances of {metric}: expected {value!r}, got {row[name]}"
        if not all(map(same, longest[metric], reversed(waits))) or len(longest[metric]) != min(len(waits), INSTANCES):
            yield f"    longest instances of {metric}: expected {waits[:-INSTANCES - 1:-1]}, got {longest[metric]}"
    if found:
        yield f"    instances of other metrics: {sorted(found)}"


def compare_trace(anchor, report, options, compared, seen):
    """Sentences about what the tool and the reference see differently in a trace; `compared` counts values, `seen` what
    the trace holds."""
    oracle = Oracle(anchor)
    seen.update(features_of(oracle.trace, oracle.states))
    expected, actual = oracle.rows(), tool_values(anchor, report)
    if actual is None:
        return ["    the tool failed"]
    problems = []
    for metric in sorted(set(expected) | set(actual)):
        left, right = expected.get(metric, {}), actual.get(metric, {})
        compared[metric] += len(set(left) | set(right))
        for key in list(differing(left, right, options))[:SHOWN]:
            where = f"{key[0]} rank {key[1]} thread {key[2]}"
            problems.append(f"    {metric} at {where}: expected {left.get(key, 0.0)!r}, got {right.get(key, 0.0)!r}")
    for metric in WITH_INSTANCES:
        compared[f"instances of {metric}"] += len(oracle.states.waits[metric])
    return problems + list(differing_instances(oracle, report, options))


def compare_seed(seed, options, compared, seen):
    """Whether the tool agrees with the reference about one trace."""
    folder = f"seed-{seed}"
    shutil.rmtree(folder, ignore_errors=True)
    write_random_trace(seed, folder)
    problems = compare_trace(os.path.join(folder, "traces.otf2"), os.path.join(folder, "tool.cubex"), options, compared, seen)
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
    compared, seen = collections.Counter(), collections.Counter()
    failed = [seed for seed in range(options.first, options.first + options.count)
              if not compare_seed(seed, options, compared, seen)]
    for metric, count in sorted(compared.items()) + [(feature, seen[feature]) for feature in FEATURES]:
        print(f"{metric:36} {count:9}")
    missing = sorted((COVERED | {f"instances of {metric}" for metric in WITH_INSTANCES}) - {metric for metric, count in compared.items() if count}) if options.count >= 100 else []
    if missing:
        print("no trace has a value of:", " ".join(missing))
    lacking = [feature for feature in FEATURES if not seen[feature]] if options.count >= 100 else []
    if lacking:
        print("no trace has", ", ".join(lacking))
    print(f"{options.count} traces, {sum(compared.values())} values compared, {len(failed)} traces differ", *failed[:9])
    return 1 if failed or missing or lacking else 0


if __name__ == "__main__":
    sys.exit(main())
