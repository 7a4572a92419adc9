#!/usr/bin/env python3
"""Efficiencies of all regions of a run: none but transfer is more than 1, and products hold to the last bit.

usage: check_parts.py RUN...       archives or anchor files of OTF2 traces

Needs tarry-replay, tarry-cube and tarry-report in PATH; works in the current folder. Regions of MPI are left out. The
same must hold of the report of each run. Prints how many regions were looked at; status 1 if something does not hold.
"""
import csv
import json
import re
import subprocess
import sys

PRODUCTS = [("communication", "serialisation", "transfer"), ("parallel", "load_balance", "communication")]


def regions_of(run):
    subprocess.run(["tarry-replay", "-q", run, "-o", "parts.cubex"], check=True)
    dump = subprocess.run(["tarry-cube", "dump", "--csv", "parts.cubex"], capture_output=True, text=True, check=True)
    paths = [row["callpath"] for row in csv.DictReader(dump.stdout.splitlines()) if row["metric"] == "visits"]
    return sorted({re.split(r"(?<!\\)/", path)[-1] for path in paths} - {""})


def complaints(run, region):
    command = ["tarry-report", "--efficiency", "--json", "--region", region, run]
    found = subprocess.run(command, capture_output=True, text=True)
    if found.returncode:
        if "never was in" not in found.stderr:
            yield found.stderr.strip()
        return
    found = json.loads(found.stdout)["runs"][0]["standard"]
    for name in ("parallel", "load_balance", "communication", "serialisation"):
        if found[name] is not None and found[name] > 1 + 1e-9:
            yield f"{name} is {found[name]}"
    for whole, *factors in PRODUCTS:
        values = [found[name] for name in factors]
        if None not in values and values[0] * values[1] != found[whole]:
            yield f"{whole} is {found[whole]!r}, not {values[0] * values[1]!r}"


def main():
    wrong = 0
    for run in sys.argv[1:]:
        regions = [region for region in regions_of(run) if not region.startswith("MPI_")]
        for region in regions:
            for part in (run, "parts.cubex"):
                for line in complaints(part, region):
                    wrong += 1
                    print(f"{part}, {region}: {line}")
        print(f"{run}: {len(regions)} regions")
        wrong += not regions
    return 0 if sys.argv[1:] and not wrong else 1


if __name__ == "__main__":
    sys.exit(main())
