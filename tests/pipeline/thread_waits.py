"""thread_waits.py -- the waits of thread_waits.c are those that the program saw.

usage: thread_waits.py TRUTH VALUES REPORT [FUNCTION]     FUNCTION: the one that makes them wait
"""
import collections
import csv
import sys

WAITS = {"barrier": ("at_barrier", "pthread_wait_at_barrier"), "semaphore": ("for_semaphore", "pthread_wait_for_semaphore"),
         "signal": ("for_signal", "pthread_wait_for_signal"), "work": ("for_work", "pthread_wait_for_signal"),
         "nothing": ("for_nothing", "pthread_wait_for_signal"), "ends": ("main", "pthread_wait_for_end")}
CONTENTION = ("pthread_lock_contention_conditional", "pthread_lock_contention_mutex_lock")


def main():
    truth_file, values, report, cause = (sys.argv[1:] + [None])[:4]
    found, costs, waits_of = collections.Counter(), collections.Counter(), collections.Counter()
    for row in csv.DictReader(open(values)):
        for name, (function, _) in WAITS.items():
            if function in row["callpath"].split("/"):
                found[name, row["metric"]] += float(row["value"])
        if row["metric"] in {wait for _, wait in WAITS.values()}:
            waits_of[row["thread"]] += float(row["value"])
        if row["metric"] in ("delay_threadsignal", "delay_threadsignal_longterm"):
            costs[row["callpath"].split("/")[-1], row["thread"]] += float(row["value"])
    problems, whole = [], 0.0
    for name, seconds in map(str.split, open(truth_file)):
        wait, truth = found[name, WAITS[name][1]], float(seconds)
        whole += wait
        print(f"{name:10} waits {wait:.4f} s, the program says {truth:.4f}")
        if abs(wait - truth) > 0.1 * max(truth, 0.02):
            problems.append(f"{name}: {wait} instead of {truth}")
        for metric in CONTENTION:
            if found[name, metric] > 0.1 * max(truth, 0.1):
                problems.append(f"{name}: {found[name, metric]} of {metric}")
    if abs(sum(costs.values()) - whole) > 1e-6:
        problems.append(f"costs {sum(costs.values())}, waits {whole}")
    # Of those that are created, only the one of each three that computes does not wait. Its function is seen where the
    # program is instrumented.
    caused = sum(seconds for (function, thread), seconds in costs.items()
                 if waits_of[thread] < 0.02 and (cause is None or function == cause))
    if caused < 0.9 * whole:
        problems.append(f"who computes has {caused} of the costs: {dict(costs)}")
    text = open(report).read()
    if "holds the lock" in text:
        problems.append("somebody holds a lock")
    print(text)
    sys.exit("\n".join(problems) or 0)


if __name__ == "__main__":
    main()
