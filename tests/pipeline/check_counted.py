"""check_counted.py -- whether a report has the values of metrics that a program has told.

usage: check_counted.py REPORT TOLD

TOLD has a line "METRIC REGION VALUE" for each: the sum over all threads, or the highest value of a level.
"""
import csv
import re
import subprocess
import sys


def main():
    report, told = sys.argv[1:]
    text = subprocess.run(["tarry", "cube", "dump", "--csv", report], stdout=subprocess.PIPE, check=True, text=True).stdout
    rows = [(row[0], re.split(r"(?<!\\)/", row[1]), float(row[4])) for row in list(csv.reader(text.splitlines()))[1:]]
    wrong = []
    for line in open(told, encoding="utf-8"):
        metric, region, value = line.split()
        values = [number for name, path, number in rows if name == metric and region in path]
        is_level = metric in ("residual", "depth", "queue")
        found = (max(values) if is_level else sum(values)) if values else None
        if found is None or abs(found - float(value)) > 1e-9 * abs(float(value)):
            wrong.append(f"{metric} in {region}: {found}, and not {value}")
    print("\n".join(wrong))
    return bool(wrong)


if __name__ == "__main__":
    sys.exit(main())
