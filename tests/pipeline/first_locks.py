"""first_locks.py -- the waits and visits of first_locks.c are those that the program saw.

usage: first_locks.py summary|analysis TRUTH VALUES REPORT
       first_locks.py shared TRUTH VALUES
"""
import collections
import csv
import sys

WAITS = {"pthread_lock_contention_mutex_lock": ("mutex", "recursive", "later"),
         "pthread_lock_contention_rwlock": ("written", "read"), "pthread_wait_for_signal": ("signal",)}
# Of the first thread, when there are others: it takes `recursive` and `later`, waits for the signal, and gives all back.
VISITS = {"pthread_mutex_lock": 2, "pthread_mutex_unlock": 5, "pthread_mutex_trylock": 0, "pthread_rwlock_rdlock": 0,
          "pthread_rwlock_wrlock": 0, "pthread_rwlock_unlock": 2, "pthread_cond_signal": 0}

problems = []


def compare(what, found, truth):
    print(f"{what}: {found:.4f}, the program says {truth:.4f}")
    if abs(found - truth) > 0.1 * truth:
        problems.append(f"{what}: {found} instead of {truth}")


def main():
    kind, truth_file, values = sys.argv[1:4]
    truth = {name: float(seconds) for name, seconds in map(str.split, open(truth_file))}
    sums, visits, costs, of_second_process = (collections.Counter() for _ in range(4))
    for row in csv.DictReader(open(values)):
        function, thread, value = row["callpath"].split("/")[-1], row["thread"], float(row["value"])
        sums[row["metric"]] += value
        if row["metric"] == "visits" and row["thread"] == "0" and ".so" not in row["callpath"]:
            visits[function] += value
        if row["metric"] == "pthread_synchronization" and row["rank"] == "1":
            of_second_process[function] += value
        if row["metric"] in ("delay_threadlock", "delay_threadsignal"):
            costs[row["metric"], thread] += value
    if kind == "shared":
        for function, seconds in truth.items():
            compare(function, of_second_process[function], seconds)
        sys.exit("\n".join(problems) or 0)
    for function, count in VISITS.items():
        if visits[function] != count:
            problems.append(f"{visits[function]} visits of {function} by the first thread, not {count}")
    if kind == "analysis":
        for metric, ways in WAITS.items():
            compare(metric, sums[metric], sum(truth[way] for way in ways))
        compare("costs of the first thread", costs["delay_threadlock", "0"],
                sum(truth[way] for metric, ways in WAITS.items() for way in ways if way != "signal"))
        compare("costs of the second thread", costs["delay_threadsignal", "1"], truth["signal"])
        if "thread 0 holds the lock" not in open(sys.argv[4]).read():
            problems.append("the report does not name the first thread")
    sys.exit("\n".join(problems) or 0)


if __name__ == "__main__":
    main()
