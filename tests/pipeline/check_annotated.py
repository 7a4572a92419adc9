"""check_annotated.py -- whether a report has the regions that a program has told, with their visits and times.

usage: check_annotated.py REPORT TOLD [--without NAME]... [--tolerance PART] [--slack SECONDS]

TOLD has a line "NAME VISITS SECONDS" for each region, as the program has measured it. Times are inclusive.
"""
import argparse
import csv
import re
import subprocess
import sys


def rows(report, metric):
    text = subprocess.run(["tarry", "cube", "dump", "--csv", report, "-m", metric],
                          stdout=subprocess.PIPE, check=True, text=True).stdout
    for row in list(csv.reader(text.splitlines()))[1:]:
        yield [part.replace("\\/", "/") for part in re.split(r"(?<!\\)/", row[1])], float(row[4])


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("report")
    parser.add_argument("told")
    parser.add_argument("--without", action="append", default=[])
    parser.add_argument("--tolerance", type=float, default=0.01)
    parser.add_argument("--slack", type=float, default=0.002)
    options = parser.parse_args()
    visits, times = list(rows(options.report, "visits")), list(rows(options.report, "time"))
    wrong = []
    for line in open(options.told, encoding="utf-8"):
        name, count, seconds = line.rsplit(None, 2)
        found = sum(value for path, value in visits if path[-1] == name)
        spent = sum(value for path, value in times if name in path)
        if name in options.without:
            if found:
                wrong.append(f"{name} is there")
        elif found != int(count):
            wrong.append(f"{name}: {found:g} visits, and not {count}")
        elif abs(spent - float(seconds)) > options.tolerance * float(seconds) + options.slack:
            wrong.append(f"{name}: {spent:.6f} s, and not {seconds}")
    print("\n".join(wrong))
    return bool(wrong)


if __name__ == "__main__":
    sys.exit(main())
