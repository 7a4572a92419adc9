"""thread_waits.py -- the waits of thread_waits.c are those that the program saw.

usage: thread_waits.py TRUTH VALUES REPORT [FUNCTION]     FUNCTION: the one that makes them wait
"""
import collections
import csv
import sys

SEMAPHORE, SIGNAL = "pthread_wait_for_semaphore", "pthread_wait_for_signal"
WAITS = {  # the function of the program, the metric, and the call that waits
    "barrier": ("at_barrier", "pthread_wait_at_barrier", "pthread_barrier_wait"),
    "semaphore": ("for_semaphore", SEMAPHORE, "sem_wait"),
    "timed_semaphore": ("for_timed_semaphore", SEMAPHORE, "sem_timedwait"),
    "clock_semaphore": ("for_clock_semaphore", SEMAPHORE, "sem_clockwait"),
    "signal": ("for_signal", SIGNAL, "pthread_cond_wait"),
    "timed_signal": ("for_timed_signal", SIGNAL, "pthread_cond_timedwait"),
    "clock_signal": ("for_clock_signal", SIGNAL, "pthread_cond_clockwait"),
    "work": ("for_work", SIGNAL, "pthread_cond_wait"),
    "nothing": ("for_nothing", SIGNAL, "pthread_cond_timedwait"),
    "ends": ("main", "pthread_wait_for_end", "pthread_join")}
CONTENTION = ("pthread_lock_contention_conditional", "pthread_lock_contention_mutex_lock")


def main():
    truth_file, values, report, cause = (sys.argv[1:] + [None])[:4]
    found, costs, waits_of = collections.Counter(), collections.Counter(), collections.Counter()
    for row in csv.DictReader(open(values)):
        path = row["callpath"].split("/")
        for name, (function, metric, call) in WAITS.items():
            if function in path and (row["metric"] != metric or path[-1] == call):
                found[name, row["metric"]] += float(row["value"])
        if row["metric"] in {wait for _, wait, _ in WAITS.values()}:
            waits_of[row["thread"]] += float(row["value"])
        if row["metric"] in ("delay_threadsignal", "delay_threadsignal_longterm"):
            costs[path[-1], row["thread"]] += float(row["value"])
    problems, whole = [], 0.0
    for name, seconds in map(str.split, open(truth_file)):
        wait, truth = found[name, WAITS[name][1]], float(seconds)
        whole += wait
        print(f"{name:15} waits {wait:.4f} s, the program says {truth:.4f}")
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
