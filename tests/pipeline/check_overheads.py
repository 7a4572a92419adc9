#!/usr/bin/env python3
"""Compares 'tarry report --overheads --json' with what programs say of themselves (tests/apps/overheads_timing.h).

usage: check_overheads.py [--only CLASS,...] REPORT.json PROGRAM.txt [REPORT.json PROGRAM.txt]...
       check_overheads.py --sums REPORT.json...

Each pair is a run of the same program. Each class that the program tells of must be right within 10 % in one of the
runs: on a busy machine something else may come late, but a wrong classification is wrong in each. In every report all
leaves must add up to the allocation time, to the last bit; so must those of its regions. Prints a line for each class; status 1 if one is wrong.
"""
import argparse
import collections
import json
import pathlib
import sys

import jsonschema

TOLERANCE = 0.10
SCHEMA = pathlib.Path(__file__).resolve().parents[2] / "docs" / "overheads.schema.json"


def expectations(path):
    expected = collections.defaultdict(float)
    meetings = collections.defaultdict(list)
    with open(path, encoding="utf-8") as lines:
        for words in map(str.split, lines):
            if words[:1] == ["own"]:
                expected[words[1]] += float(words[2])
            elif words[:1] == ["late"]:
                meetings[words[3]].append((words[1], words[2], float(words[4]), float(words[5])))
    for group in meetings.values():
        last = max(enter for *_, enter, _ in group)
        for waits, rest, enter, leave in group:
            wait = min(last, leave) - enter
            expected[waits] += wait
            expected[rest] += leave - enter - wait
    return expected


def read(path):
    """Seconds by class; fails if the form is wrong, or if the leaves do not add up."""
    with open(path, encoding="utf-8") as text, open(SCHEMA, encoding="utf-8") as schema:
        found = json.load(text)
        jsonschema.validate(found, json.load(schema))
    sums = {
        "leaves": sum(row["seconds"] for row in found["classes"] if row["source"] != "parts"),
        "roots": sum(row["seconds"] for row in found["classes"] if row["parent"] is None),
        "regions": sum(sum(region["classes"].values()) for region in found["regions"]),
        "call paths": sum(row["seconds"] for row in found["callpaths"]) + found["other_callpaths"],
    }
    for name, seconds in sums.items():
        if seconds != found["allocation"] or not seconds > 0:
            sys.exit(f"{path}: {name} are {seconds!r} s, the allocation time {found['allocation']!r} s")
    return {row["overhead"]: row["seconds"] for row in found["classes"]}


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("--only", default="")
    parser.add_argument("--sums", action="store_true")
    parser.add_argument("files", nargs="+")
    options = parser.parse_args()
    if options.sums:
        for report in options.files:
            print(f"{report}: {len(read(report))} classes add up")
        return 0
    wanted = set(filter(None, options.only.split(",")))
    runs, failed = [], 0
    for report, program in zip(options.files[::2], options.files[1::2]):
        seconds = read(report)
        runs.append((seconds, expectations(program)))
    classes = sorted(set().union(*(expected for _, expected in runs)) if not wanted else wanted)
    if not classes:
        sys.exit("check_overheads.py: the program tells of no overheads")
    for name in classes:
        pairs = [(seconds[name], expected[name]) for seconds, expected in runs]
        is_right = any(told > 0 and abs(found - told) <= TOLERANCE * told for found, told in pairs)
        failed |= not is_right
        print(f"{'right' if is_right else 'WRONG'}: {name}: "
              + ", ".join(f"{found:.6f} s of {told:.6f}" for found, told in pairs))
    return failed


if __name__ == "__main__":
    sys.exit(main())
