#!/usr/bin/env python3
"""Random traces with accelerators, analysed by the tool and by device_waits.py; both must find the same.

usage: compare_devices.py FIRST COUNT     seeds FIRST to FIRST + COUNT - 1

Needs tarry-replay and tarry-cube in PATH; works in the current folder. Prints how many values of each metric were
compared. Status 1 if any differs, if delay costs are not the waits, if the critical path is not the run, or if a metric
has no value in all traces.
"""
import collections
import csv
import math
import shutil
import subprocess
import sys

from device_waits import device_values
from random_devices import random_run, write_devices

SECONDS = ("late_kernel late_kernel_before_copy late_launch device_time device_kernels device_copies device_copies_in "
           "device_copies_out device_copies_exposed device_idle queue_order queue_holding").split()
COUNTS = "visits device_bytes device_bytes_in device_bytes_out".split()
SHOWN = 5


def tool_values(seed, workers):
    trace, report = f"devices-{seed}", f"devices-{seed}.cubex"
    shutil.rmtree(trace, ignore_errors=True)
    run = random_run(seed)
    write_devices(run, trace)
    subprocess.run(["tarry-replay", "-q", "--strict", "--workers", str(workers), trace + "/traces.otf2", "-o", report],
                   check=True)
    dump = subprocess.run(["tarry-cube", "dump", "--csv", report], stdout=subprocess.PIPE, text=True, check=True)
    shutil.rmtree(trace)
    values = collections.defaultdict(dict)
    for metric, path, rank, thread, value in list(csv.reader(dump.stdout.splitlines()))[1:]:
        values[metric][path, int(rank), int(thread)] = float(value)
    return run, values


def expected_values(run):
    expected = collections.defaultdict(dict)
    for process in run:
        for metric, of_paths in device_values(process).items():
            for (path, location), value in of_paths.items():
                if value:
                    expected[metric][path, process.rank, location] = value * 1e-9 if metric in SECONDS else value
    return expected


def differences(run, expected, actual):
    threads = {process.rank: process.threads for process in run}
    for metric in SECONDS + COUNTS:
        found = {key: value for key, value in actual[metric].items()
                 if value and (metric != "visits" or key[2] >= threads[key[1]])}
        for key in sorted(set(expected[metric]) | set(found)):
            left, right = expected[metric].get(key, 0), found.get(key, 0)
            if not math.isclose(left, right, rel_tol=1e-9, abs_tol=1e-12):
                yield f"{metric} at {key}: expected {left}, found {right}"
    for wait, cost in (("late_kernel", "latekernel"), ("late_launch", "latelaunch")):
        waiting = sum(sum(actual[metric].values()) for metric in actual if metric.startswith(wait))
        costs = sum(actual[f"delay_{cost}_aggregate"].values())
        if not math.isclose(waiting, costs, rel_tol=1e-9, abs_tol=1e-9):
            yield f"{wait}: {waiting} of waiting, but {costs} of delay costs"
    yield from differences_of_path(run, sum(actual["critical_path"].values()))


def differences_of_path(run, path):
    """The run that ends last has it. Where work seems to end after the call that waits for it, it is longer by that."""
    last = max(run, key=lambda process: process.now[0])
    lengths = [(last.now[0] - last.events[thread][0][0]) * 1e-9 for thread in range(last.threads)]
    late = sum(process.overrun for process in run) * 1e-9
    if last.loses:  # work may be taken for that of another call
        return
    if not min(lengths) - 1e-9 <= path <= max(lengths) + late + 1e-9:
        yield f"critical path {path} of a run that takes {lengths}, and has {late} of work after its call"


def main():
    first, count = map(int, sys.argv[1:])
    compared, failed = collections.Counter(), False
    for seed in range(first, first + count):
        run, actual = tool_values(seed, 1 + seed % 3)
        expected = expected_values(run)
        compared.update({metric: len(values) for metric, values in expected.items()})
        found = list(differences(run, expected, actual))
        for line in found[:SHOWN]:
            print(f"seed {seed}: {line}")
        failed |= bool(found)
    for metric in SECONDS + COUNTS:
        print(f"{compared[metric]:7} {metric}")
        failed |= compared[metric] == 0
    sys.exit(failed)


if __name__ == "__main__":
    main()
