#!/usr/bin/env python3
"""What delays cost beside what a run gains without them, and why the two differ.

usage: compare_gains.py [--most N] TRACE...        the N most expensive delays of each (default: 4)

Needs tarry-predict, tarry-replay, tarry-report and tarry-cube in PATH; works in the current folder. Of each delay the
thread that waits most for it directly is looked at: in the report of the run as it was, and in that of the run without
the delay. All processes leave MPI_Finalize together, so its first thread gains what the run gains. Of each thread:

    less time = waits that are gone + work of its own that is gone - waits that stay as time of operations

What stays is the end of a wait that the simulation takes for transfer: of senders whose message it holds for an eager
one, and of collective operations. If the run gains less than the thread has waited for the delay, then less of its waits
is gone: it waits for others instead, or some stays.

Prints for each delay what it costs, what that thread waits for it, what the run gains, and for whom the thread then
waits. Status 1 if the parts do not add up, if a gain is negative, or if more stays than waits are gone.
"""
import argparse
import collections
import csv
import json
import subprocess
import sys

# Waits that are no part of others, and threads without work.
WAITS = """mpi_latesender mpi_latereceiver mpi_barrier_wait mpi_wait_nxn mpi_latebroadcast mpi_earlyreduce mpi_earlyscan
mpi_neighbor_wait mpi_icoll_wait mpi_mgmt_comm_wait mpi_mgmt_file_wait mpi_finalize_wait mpi_rma_wait_at_create
mpi_rma_wait_at_free mpi_rma_sync_late_post mpi_rma_comm_late_post mpi_rma_early_wait mpi_rma_wait_at_fence
mpi_rma_sync_lock_competition mpi_rma_comm_lock_competition omp_ebarrier_wait omp_ibarrier_wait
omp_lock_contention_critical omp_lock_contention_api omp_idle_threads""".split()
SMALL = 1e-6  # seconds of rounding to ticks, over a whole run


def run_tool(*command):
    run = subprocess.run(command, capture_output=True, text=True)
    if run.returncode:
        sys.exit(f"{' '.join(command)}: status {run.returncode}: {run.stderr}")
    return run.stdout


def threads_of(report):
    """{(rank, thread): (time, waits)}"""
    sums = collections.defaultdict(lambda: [0.0, 0.0])
    for row in csv.DictReader(run_tool("tarry-cube", "dump", "--csv", report).splitlines()):
        of_thread = sums[int(row["rank"]), int(row["thread"])]
        of_thread[0] += float(row["value"]) if row["metric"] == "time" else 0
        of_thread[1] += float(row["value"]) if row["metric"] in WAITS else 0
    return sums


def first_cause(report):
    """The delay that costs most in a report."""
    causes = json.loads(run_tool("tarry-report", "--json", report))["causes"]
    return causes[0]["callpath"].split("/")[-1] if causes else "nobody"


class Comparison:
    def __init__(self):
        self.wrong, self.compared = [], collections.Counter()

    def trace(self, anchor, most):
        rows = json.loads(run_tool("tarry-predict", anchor, "--rank-delays", str(most), "--json"))["rows"]
        run_tool("tarry-replay", "-q", anchor, "-o", "before.cubex")
        before = threads_of("before.cubex")
        for row in sorted((row for row in rows if row["kind"] == "delay"), key=lambda row: row["number"]):
            run_tool("tarry-predict", anchor, "--without-delay", str(row["number"]), "-o", "after.cubex")
            self.delay(anchor, row, before, threads_of("after.cubex"))

    def delay(self, anchor, row, before, after):
        gain, waited = row["gain"]["gone"], row["most_of_one"]
        name = f"{anchor} delay {row['number']}, {row['name']}"
        self.check(gain >= -SMALL, name, "gains", gain)
        print(f"{name}: costs {row['direct']:.6f} s directly, {row['indirect']:.6f} s through other waits; gain {gain:.6f} s",
              end="")
        if row["waiting_threads"] == 0:
            self.compared["delays that nobody waits for directly"] += 1
            return print()
        waiter = row["longest_waiter"]
        (time, waits), (new_time, new_waits) = (of[waiter["rank"], waiter["thread"]] for of in (before, after))
        fewer_waits = waits - new_waits
        work = time - new_time - fewer_waits
        stays = max(0.0, -work)
        of_process = before[waiter["rank"], 0][0] - after[waiter["rank"], 0][0]
        self.check(abs(gain - of_process) <= SMALL, name, "gain", gain, "of the process", of_process)
        self.check(waited <= waits + SMALL, name, "waits for one delay", waited, "waits at all", waits)
        self.check(stays <= max(fewer_waits, SMALL), name, "waits are less by", fewer_waits, "operations longer by", stays)
        self.compared["waits that stay as time of operations"] += stays > SMALL
        print(f"; rank {waiter['rank']} thread {waiter['thread']} waits {waited:.6f} s for it", end="")
        if gain >= waited - SMALL:
            self.compared["gains of at least what one thread waits"] += 1
            return print(f", {gain - waited:.6f} s less than the gain: {fewer_waits:.6f} s of waits and "
                         f"{max(0.0, work):.6f} s of work are gone" + (f", {stays:.6f} s stay" if stays > SMALL else ""))
        others = waited - fewer_waits
        self.compared["gains that others take a part of"] += 1
        print(f", {waited - gain:.6f} s more than the gain: it waits {others:.6f} s more for others, first of all for "
              f"{first_cause('after.cubex')}" + (f", and {stays:.6f} s stay" if stays > SMALL else ""))

    def check(self, is_right, *what):
        if not is_right:
            self.wrong.append(" ".join(map(str, what)))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("traces", nargs="+", metavar="TRACE")
    parser.add_argument("--most", type=int, default=4, metavar="N")
    options = parser.parse_args()
    comparison = Comparison()
    for anchor in options.traces:
        comparison.trace(anchor, options.most)
    for what, count in sorted(comparison.compared.items()):
        print(f"  {count:4} {what}")
    print("".join(f"WRONG: {line}\n" for line in comparison.wrong), end="")
    return 1 if comparison.wrong or not comparison.compared else 0


if __name__ == "__main__":
    sys.exit(main())
