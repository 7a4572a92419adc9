#!/usr/bin/env python3
"""Predictions of the tool beside those of Dimemas.

usage: compare_dimemas.py ideal-network.csv FOLDER      FOLDER/CASE/traces.otf2 for each case of the table

Needs tarry-predict in PATH. Prints a table, as docs/SIMULATION.md has it; status 1 if a prediction differs by 0.1 % or
more, or if the recorded time does.
"""
import csv
import re
import subprocess
import sys

DIMEMAS = ["--like", "dimemas", "--network"]
COLUMNS = {"ideal": DIMEMAS + ["ideal"], "ideal_rendezvous": DIMEMAS + ["ideal", "--eager-limit", "0"],
           "latency10us_1GBs": DIMEMAS + ["10us,1GB/s"], "ideal_cpu2": DIMEMAS + ["ideal", "--cpu", "2"],
           "ideal_by_type": ["--network", "ideal"], "traced": [],
           "max_computation": [], "avg_computation": []}
WHICH = {"max_computation": 2, "avg_computation": 3}
LINE = re.compile(r"predicted (\S+) seconds \(traced \S+\)\ncomputation of a rank (\S+) seconds at most, (\S+) on")
TOLERANCE = 1e-3


def predict(anchor, options, which=1):
    """Seconds; None if the program never ends. 2, 3: of computation."""
    run = subprocess.run(["tarry-predict", anchor, *options], capture_output=True, text=True)
    found = LINE.match(run.stdout)
    if not found and "never ends" not in run.stderr:
        sys.exit(f"{anchor} {' '.join(options)}: {run.stderr}")
    return float(found[which]) if found else None


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    wrong = compared = 0
    print("| case | prediction | theirs | ours | difference |\n|---|---|---|---|---|")
    for row in csv.DictReader(open(sys.argv[1])):
        for column, options in COLUMNS.items():
            theirs = float(row[column]) if row[column] else None
            ours = predict(f"{sys.argv[2]}/{row['trace']}/traces.otf2", options, WHICH.get(column, 1))
            compared += 1
            if theirs is None or ours is None:
                wrong += theirs is not ours
                print(f"| {row['trace']} | {column} | {theirs or 'never ends'} | {ours or 'never ends'} | |")
                continue
            difference = ours / theirs - 1
            wrong += abs(difference) >= TOLERANCE
            print(f"| {row['trace']} | {column} | {theirs:.9f} | {ours:.9f} | {100 * difference:+.4f} % |")
    return 0 if compared and not wrong else 1


if __name__ == "__main__":
    sys.exit(main())
