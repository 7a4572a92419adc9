"""check_table.py -- compares the table of 'tarry predict --rank-delays' with the findings of a report, and with single runs.

usage: check_table.py TRACE TABLE.json FINDINGS.json
"""
import json
import re
import subprocess
import sys

FACTORS = {"gone": 0, "faster_100": 1 / 2, "faster_50": 1 / 1.5, "faster_10": 1 / 1.1}


def predicted(trace, option, value):
    run = subprocess.run(["tarry-predict", trace, option, value], capture_output=True, text=True, check=True)
    return re.match(r"predicted (\S+) seconds", run.stdout)[1]


def complaints(trace, table, findings):
    delays = {row["number"]: row for row in table["rows"] if row["kind"] == "delay"}
    for cause in findings["causes"]:
        row = delays.pop(cause["number"], None)
        if row is None:
            if not cause["callpath"].split("/")[-1].startswith("MPI_Init"):
                yield f"delay {cause['number']} is missing: {cause['callpath']}"
            continue
        for own, other in (("callpath", "callpath"), ("cost", "seconds"), ("direct", "direct"), ("indirect", "indirect")):
            if row[own] != cause[other]:
                yield f"delay {cause['number']}: {own} is {row[own]}, the report has {cause[other]}"
    yield from (f"the report has no delay {number}" for number in delays)
    gains = [row["gain"]["gone"] for row in table["rows"]]
    if gains != sorted(gains, reverse=True) or not gains or gains[0] <= 0:
        yield "rows are not sorted by gain"
    # All points of the largest, and those that are gone of others.
    for place, row in enumerate(table["rows"][:12]):
        for point, factor in FACTORS.items():
            if place > 2 and point != "gone":
                continue
            if row["kind"] == "delay":
                alone = predicted(trace, "--without-delay", f"{row['number']}={factor!r}")
            else:
                alone = predicted(trace, "--scale-self", f"{row['region']}={factor!r}")
            gain = table["predicted"] - row["gain"][point]
            if alone != f"{gain:.9f}":
                yield f"{row}: {point} is {gain:.9f}, alone {alone}"


def main():
    trace, table, findings = sys.argv[1], json.load(open(sys.argv[2])), json.load(open(sys.argv[3]))
    found = list(complaints(trace, table, findings))
    print("".join(line + "\n" for line in found[:20]), end="")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
