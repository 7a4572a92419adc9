#!/usr/bin/env python3
"""POP's efficiencies of a run, computed once more from the values of its report.

usage: check_pop.py RUN...       archives or anchor files of OTF2 traces

Needs tarry-replay, tarry-cube and tarry-report in PATH; works in the current folder. Replays each run, takes `tarry cube
dump --csv` of its report, and computes the efficiencies from docs/METRICS.md. `tarry report --efficiency` must print the
same of the report, to 1e-9. The trace tells what lies before MPI_Init and behind MPI_Finalize, which does not count: its
computation is less than that of the report, but by no more than the longest such time of a process (of OTF2 traces, which
are the same each time: by no more than 2 % of the run time). In MPI_Init and MPI_Finalize themselves, other threads do not
count either. Prints the efficiencies; status 1 if one differs.
"""
import collections
import csv
import json
import math
import os
import re
import subprocess
import sys

BEGIN_OR_END = ("MPI_Init", "MPI_Init_thread", "MPI_Finalize")


def run_tool(*command):
    run = subprocess.run(command, capture_output=True, text=True)
    if run.returncode:
        sys.exit(f"{' '.join(command)}: status {run.returncode}: {run.stderr}")
    return run.stdout


class Thread:
    """Seconds of one location that count."""
    def __init__(self):
        self.all = self.mpi = self.useful = self.serial = self.parallel = self.offload = 0.0
        self.busy = self.exposed = None


def locations_of(dump):
    """{(rank, thread): Thread}"""
    threads = collections.defaultdict(Thread)
    for row in csv.DictReader(dump.splitlines()):
        thread = threads[int(row["rank"]), int(row["thread"])]
        steps = re.split(r"(?<!\\)/", row["callpath"])
        if any(step in BEGIN_OR_END for step in steps):
            continue
        value, is_parallel = float(row["value"]), any(step.startswith("!$omp parallel") for step in steps)
        if row["metric"] == "time":
            thread.all += value
            thread.parallel += value if is_parallel else 0
        elif row["metric"] == "mpi":
            thread.mpi += value
        elif row["metric"] in ("comp", "blocked"):
            thread.useful += value
            thread.serial += 0 if is_parallel else value
        elif row["metric"] == "accelerator" and not any(step.startswith("MPI_") for step in steps):
            thread.offload += value
        elif row["metric"] == "device_busy":
            thread.busy = (thread.busy or 0) + value
        elif row["metric"] == "device_copies_exposed":
            thread.exposed = (thread.exposed or 0) + value
    return threads


def threads_and_devices(locations):
    """The threads of locations_of(), and {rank: (busy, busy or copying alone)} of the queues, in seconds."""
    threads = {key: location for key, location in locations.items() if location.all}
    devices = collections.defaultdict(lambda: (0, 0))
    for (rank, _), queue in locations.items():
        if queue.busy is not None or queue.exposed is not None:
            busy, exposed = queue.busy or 0, queue.exposed or 0
            devices[rank] = devices[rank][0] + busy, devices[rank][1] + busy + exposed
    return threads, devices


def of_accelerators(threads, devices, runtime):
    found = {}
    offload = sum(thread.offload for thread in threads.values())
    if offload:
        useful, host = (sum(t.useful for t in threads.values()), [t.useful + t.offload for t in threads.values()])
        found = {"host_load_balance": sum(host) / len(host) / max(host), "host_communication": max(host) / runtime,
                 "host": sum(host) / len(host) / runtime, "offload": useful / (useful + offload),
                 "parallel": useful / len(threads) / runtime}
    if devices:
        busy, active = ([of[i] for of in devices.values()] for i in range(2))
        found["device_load_balance"] = sum(busy) / len(busy) / max(busy) if max(busy) else 0
        found["device_communication"] = max(busy) / max(active) if max(active) else 0
        found["device_orchestration"] = max(active) / runtime
        found["devices"] = sum(busy) / len(busy) / runtime
    return found


def bound_threads(master, useful, count, runtime):
    """The first thread is not alone while others compute, and it is in parallel regions as long as all compute there."""
    longer = max(master.parallel, (useful - master.serial) / count)
    if count > 1 and master.serial + longer > runtime:
        longer = max(master.parallel, (useful - runtime) / (count - 1))
        master.serial = min(master.serial, runtime - longer)
    master.parallel = longer


def efficiencies(threads):
    masters = {rank: thread for (rank, number), thread in threads.items() if number == 0}
    team = collections.Counter(rank for rank, _ in threads)
    runtime = max(thread.all for thread in masters.values())
    useful = [thread.useful for thread in threads.values()]
    mean, longest = sum(useful) / len(useful), max(useful)
    found = {"standard": {"load_balance": mean / longest, "communication": longest / runtime, "parallel": mean / runtime}}
    if len(threads) == len(masters):
        return runtime, found
    longest_of = {rank: max(thread.useful for (of, _), thread in threads.items() if of == rank) for rank in masters}
    outside = [max(thread.all - thread.mpi, longest_of[rank]) for rank, thread in masters.items()]
    mpi = sum(outside) / len(outside) / runtime
    found["multiplicative"] = {
        "parallel": mean / runtime, "mpi": mpi, "mpi_load_balance": sum(outside) / len(outside) / max(outside),
        "mpi_communication": max(outside) / runtime, "thread": mean / runtime / mpi,
        "thread_load_balance": mean / longest / (sum(outside) / len(outside) / max(outside)),
        "thread_communication": longest / max(outside)}
    of_both = found["multiplicative"]
    if of_both["thread_load_balance"] > 1:
        of_both["thread_load_balance"], of_both["thread_communication"] = 1, of_both["thread"]
    if not any(thread.parallel for thread in masters.values()):
        return runtime, found
    for rank, thread in masters.items():
        all_useful = sum(other.useful for (of, _), other in threads.items() if of == rank)
        bound_threads(thread, all_useful, team[rank], runtime)
    weighted = sum(team[rank] * (thread.serial + thread.parallel) for rank, thread in masters.items()) / len(threads)
    most = max(thread.serial + thread.parallel for thread in masters.values())
    serial = sum((team[rank] - 1) * thread.serial for rank, thread in masters.items()) / len(threads)
    in_parallel = (sum(team[rank] * thread.parallel for rank, thread in masters.items()) -
                   (sum(useful) - sum(thread.serial for thread in masters.values()))) / len(threads)
    lost = {"process": runtime - weighted, "process_load_balance": most - weighted, "process_communication": runtime - most,
            "thread": serial + in_parallel, "serial_region": serial, "parallel_region": in_parallel,
            "parallel": runtime - weighted + serial + in_parallel}
    found["additive"] = {name: 1 - seconds / runtime for name, seconds in lost.items()}
    return runtime, found


def visits_of_masters(run):
    """{rank: its first and last time in seconds, and [name, enter, leave] of each visit of MPI_Init and MPI_Finalize}"""
    times, visits, open_regions = {}, collections.defaultdict(list), collections.defaultdict(list)
    for line in run_tool("tarry-archive", "dump", "--thread", "0", run).splitlines():
        rank, _, seconds, kind, *fields = line.split(" ")
        times[rank] = times.get(rank, (float(seconds),))[0], float(seconds)
        if kind == "ENTER":
            visit = [fields[0].split(":")[-1].strip('"'), float(seconds), None]
            open_regions[rank].append(visit)
            visits[rank] += [visit] if visit[0] in BEGIN_OR_END else []
        elif kind == "LEAVE":
            open_regions[rank].pop()[2] = float(seconds)
    return {rank: (*times[rank], visits[rank]) for rank in times}


def longest_outside(run, threaded):
    """Seconds of the archive outside of MPI, of the process where they are most.

    A process without other threads is outside before it enters MPI_Init and once it has left MPI_Finalize. While its first
    thread is in these two, others may compute: their time does not count either.
    """
    outside = []
    for first, last, visits in visits_of_masters(run).values():
        if not visits or visits[-1][0] != BEGIN_OR_END[2]:
            continue
        begin, end = visits[0], visits[-1]
        outside.append((begin[2] - first) + (last - end[1]) if threaded else (begin[1] - first) + (last - end[2]))
    return max(outside, default=0)


def complaints(run):
    run_tool("tarry-replay", "-q", run, "-o", "pop.cubex")
    threads, devices = threads_and_devices(locations_of(run_tool("tarry-cube", "dump", "--csv", "pop.cubex")))
    runtime, expected = efficiencies(threads)
    if accelerated := of_accelerators(threads, devices, runtime):
        expected["accelerated"] = accelerated
    reported, traced = (json.loads(run_tool("tarry-report", "--efficiency", "--json", name))["runs"][0]
                        for name in ("pop.cubex", run))
    print(f"{run}: run time {reported['runtime']:.6f} s, traced {traced['runtime']:.6f} s")
    if not math.isclose(reported["runtime"], runtime, rel_tol=1e-9):
        yield f"run time {reported['runtime']}, expected {runtime}"
    # The times of a dump are rounded to nanoseconds.
    threaded = any(thread > 0 for _, thread in threads)
    outside = longest_outside(run, threaded) + 2e-9 if os.path.isdir(run) else 0.02 * runtime
    for name in ("mean_useful", "longest_useful"):
        if not -1e-9 * runtime <= reported[name] - traced[name] <= outside:
            yield f"{name}: report {reported[name]}, trace {traced[name]}"
    for model, values in expected.items():
        print(f"  {model}: " + ", ".join(f"{name} {100 * value:.2f} %" for name, value in values.items()))
        for name, value in values.items():
            if not math.isclose(reported[model][name], value, rel_tol=1e-9, abs_tol=1e-9):
                yield f"{model} {name}: report {reported[model][name]}, expected {value}"


def main():
    found = [f"{run}: {line}" for run in sys.argv[1:] for line in complaints(run)]
    print("".join(line + "\n" for line in found), end="")
    return 0 if sys.argv[1:] and not found else 1


if __name__ == "__main__":
    sys.exit(main())
