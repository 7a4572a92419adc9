#!/usr/bin/env python3
"""Random traces with accelerators, on random machines: the tool and simulate_devices.py must predict the same.

usage: compare_device_predictions.py FIRST COUNT     seeds FIRST to FIRST + COUNT - 1

Needs tarry-predict, tarry-replay and tarry-cube in PATH; works in the current folder. The report of the unchanged run
must be that of tarry replay. In that of a changed one kernels take what the machine says. Status 1 if anything differs,
or if changes change nothing.
"""
import csv
import math
import random
import re
import shutil
import subprocess
import sys

from random_devices import random_run, write_devices
from simulate_devices import DeviceMachine, ProcessSimulation, predicted

LINE = re.compile(r"predicted (\S+) seconds \(traced (\S+)\)\n")
TICK = 1e-9


def tool_predicts(anchor, *words):
    run = subprocess.run(["tarry-predict", "-q", "--strict", "--whole", anchor, *words], capture_output=True, text=True)
    found = LINE.match(run.stdout)
    return tuple(map(float, found.groups())) if found and run.returncode == 0 else run.stdout + run.stderr


def values_of(report):
    dump = subprocess.run(["tarry-cube", "dump", "--csv", report], stdout=subprocess.PIPE, text=True, check=True)
    return [row for row in csv.reader(dump.stdout.splitlines())][1:]


def machines_of(chance, run):
    kernels = sorted({event[2] for process in run for events in process.events[process.threads:] for event in events
                      if event[1] == "enter"})
    yield DeviceMachine()
    yield DeviceMachine({name: 0.5 for name in kernels[:1]})
    yield DeviceMachine(copies=math.inf)
    yield DeviceMachine(overlaps=True)
    for _ in range(3):
        yield DeviceMachine({name: chance.choice([0.0, 0.25, 3.0]) for name in kernels if chance.random() < 0.5},
                            chance.choice([None, math.inf, 1e9, 1e11]), chance.random() < 0.4,
                            chance.choice([1.0, 1.0, 2.0, 0.5]))


def differences_of_reports(anchor, seed, run, machine):
    report = f"predicted-{seed}.cubex"
    found = tool_predicts(anchor, *machine.options(), "-o", report)
    values = values_of(report)
    if not machine.options():
        subprocess.run(["tarry-replay", "-q", anchor, "-o", "replayed.cubex"], check=True)
        if values != values_of("replayed.cubex"):
            yield f"{found}: the report of the unchanged run is another one"
    work = [each for process in run for each in ProcessSimulation(process, machine).work]
    for metric, is_copy in (("device_kernels", False), ("device_copies", True)):
        expected = sum(machine.duration(each) for each in work if (each.bytes is not None) == is_copy) * TICK
        total = sum(float(value) for name, *_, value in values if name == metric)
        if abs(total - expected) > len(work) * TICK:
            yield f"{machine.options()}: {metric} {total}, expected {expected}"


def main():
    first, count = map(int, sys.argv[1:])
    failed = changed = compared = 0
    for seed in range(first, first + count):
        run, folder = random_run(seed), f"devices-{seed}"
        write_devices(run, folder)
        problems = []
        for number, machine in enumerate(machines_of(random.Random(seed), run)):
            expected, found = predicted(run, machine), tool_predicts(folder + "/traces.otf2", *machine.options())
            if isinstance(found, str) or not math.isclose(found[0], expected, rel_tol=1e-9, abs_tol=2 * TICK):
                problems.append(f"{machine.options()}: expected {expected}, found {found}")
            elif number == 0 and found[0] != found[1]:
                problems.append(f"unchanged: {found}")
            else:
                changed += abs(found[0] - found[1]) > TICK
            compared += 1
            if seed % 5 == 0 and not machine.overlaps:
                problems += differences_of_reports(folder + "/traces.otf2", seed, run, machine)
        for problem in problems[:5]:
            print(f"seed {seed}: {problem}")
        failed += bool(problems)
        shutil.rmtree(folder)
    print(f"{compared} predictions, {changed} of changed times; {failed} traces differ")
    sys.exit(failed > 0 or changed < count)


if __name__ == "__main__":
    main()
