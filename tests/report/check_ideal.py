#!/usr/bin/env python3
"""What must hold of any recorded run that is predicted.

usage: check_ideal.py RUN...        archives or anchor files of OTF2 traces

Needs tarry-predict and tarry-report in PATH. On the unchanged machine the run takes as long as it was traced, within
0.5 %, and each event keeps its time within 1 % of the run. On an ideal network it is never slower than that, and never
faster than the longest computation. Serialisation x transfer efficiency is the communication efficiency, to the last
bit in JSON and CSV, and to the last digit in the text. Prints a line for each run; status 1 if something does not hold.
"""
import csv
import json
import re
import subprocess
import sys

LINE = re.compile(r"predicted (\S+) seconds \(traced (\S+)\)\n(?:computation of a rank (\S+) seconds at most)?")
MOVED = re.compile(r"events move by up to (\S+) s")
LAST_DIGIT = 1e-9  # of printed seconds
PRODUCTS = {"standard": [("communication", "serialisation", "transfer"), ("parallel", "load_balance", "communication"),
                         ("global", "parallel", "computation_scaling")],
            "multiplicative": [("mpi_communication", "mpi_serialisation", "mpi_transfer"),
                               ("mpi", "mpi_load_balance", "mpi_communication")]}
TEXT = {"communication": "Communication efficiency", "serialisation": "Serialisation efficiency",
        "transfer": "Transfer efficiency"}


def run_tool(*command):
    run = subprocess.run(command, capture_output=True, text=True)
    if run.returncode:
        sys.exit(f"{' '.join(command)}: status {run.returncode}: {run.stderr}")
    return run


def predicted(run, *options):
    """(predicted, traced, longest computation, how far an event moves)"""
    found = run_tool("tarry-predict", "-v", run, *options)
    line = LINE.match(found.stdout)
    return float(line[1]), float(line[2]), float(line[3] or 0), float(MOVED.search(found.stderr)[1])


def percent_in(text, label):
    return float(re.search(rf"^ *{label} +([0-9.]+) %$", text, re.M)[1])


def complaints_about_time(run):
    now, traced, _, moved = predicted(run)
    if abs(now - traced) > 0.005 * traced:
        yield f"unchanged it takes {now} s, traced {traced} s"
    if moved > 0.01 * traced:
        yield f"unchanged, an event moves by {moved} s of {traced} s"
    ideal, traced, computation, _ = predicted(run, "--network", "ideal")
    if ideal > traced + LAST_DIGIT:
        yield f"on an ideal network it takes {ideal} s, traced {traced} s"
    if ideal < computation - LAST_DIGIT:
        yield f"on an ideal network it takes {ideal} s, a rank computes for {computation} s"
    print(f"{run}: traced {traced:.9f}, unchanged {now:.9f}, moved {moved:.9f}, ideal {ideal:.9f}, "
          f"computation {computation:.9f}", end="")


def complaints_about_efficiencies(run):
    command = ["tarry-report", "--efficiency", run]
    found = json.loads(run_tool(*command, "--json").stdout)["runs"][0]
    rows = csv.DictReader(run_tool(*command, "--csv").stdout.splitlines())
    in_csv = {(row["model"], row["metric"]): float(row["value"]) for row in rows if row["value"]}
    for model, products in PRODUCTS.items():
        for whole, left, right in products if found.get(model) else []:
            values = [found[model][name] for name in (whole, left, right)]
            if values[1] * values[2] != values[0] or values != [in_csv[model, name] for name in (whole, left, right)]:
                yield f"{model}: {whole} is {values[0]!r}, {left} x {right} is {values[1] * values[2]!r}"
            if max(values) > 1 + 1e-9:
                yield f"{model}: more than 1: {values}"
    text = run_tool(*command).stdout
    whole, left, right = (percent_in(text, TEXT[name]) for name in ("communication", "serialisation", "transfer"))
    if abs(left * right / 100 - whole) > 0.005 * (1 + left / 100 + right / 100):
        yield f"printed: {left} % x {right} % is not {whole} %"
    print(f", communication {whole} % = {left} % x {right} %")


def main():
    wrong = 0
    for run in sys.argv[1:]:
        for check in (complaints_about_time, complaints_about_efficiencies):
            for line in check(run):
                wrong += 1
                print(f"\n{run}: {line}")
    return 0 if sys.argv[1:] and not wrong else 1


if __name__ == "__main__":
    sys.exit(main())
