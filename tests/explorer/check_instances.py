#!/usr/bin/env python3
"""Checks that the timeline of a page shows the same waits and the same critical path as the patterns of the trace.

usage: check_instances.py PAGE PATTERNS.csv

PATTERNS.csv is what `tarry merge --only-patterns --to csv` writes. The first window of the timeline must be the whole run,
as it is for a short one, or with `--window 0:1000`. It draws waits of their own, no parts of others. Times are rounded to 2^-30 s there and to nanoseconds here.
"""
import base64
import collections
import csv
import json
import re
import struct
import sys
import zlib

BLOCK = re.compile(r'<script type="text/plain" id="([a-z0-9.-]+)">([A-Za-z0-9+/]*={0,2})</script>\n')
PARTS = {"mpi_latesender_wo", "mpi_lswo_same", "mpi_lswo_different", "mpi_rma_late_complete", "mpi_rma_early_fence"}
NOTHING = 0xffffffff


class Window:
    """Arrays of a window (docs/EXPLORER.md, "The timeline")."""

    def __init__(self, data):
        self.data, self.at = data, 0
        calls, messages, members, operations, waits, stretches = self.numbers(6)
        self.skip(numbers=2 * calls)
        self.at += calls
        self.skip(planes=2, count=calls)
        self.skip(numbers=2 * messages)
        self.skip(planes=3, count=messages)
        self.skip(numbers=operations + 1)
        self.skip(numbers=members)
        self.skip(planes=2, count=members)
        rows, metrics, paths = (self.numbers(waits) for _ in range(3))
        begins, ends = self.planes(waits), self.planes(waits)
        causes, cause_paths = self.numbers(waits), self.numbers(waits)
        self.skip(planes=2, count=waits)
        through = self.numbers(waits)
        self.planes(waits)
        self.waits = list(zip(rows, metrics, paths, begins, ends, causes, cause_paths, through))
        rows, paths = self.numbers(stretches), self.numbers(stretches)
        self.stretches = list(zip(rows, self.planes(stretches), self.planes(stretches)))

    def align(self, size):
        self.at = (self.at + size - 1) // size * size

    def numbers(self, count):
        self.align(4)
        values = struct.unpack_from(f"<{count}I", self.data, self.at)
        self.at += 4 * count
        return values

    def planes(self, count):
        self.align(8)
        planes = self.data[self.at:self.at + 8 * count]
        self.at += 8 * count
        return [struct.unpack("<d", planes[i::count] if count > 1 else planes)[0] for i in range(count)]

    def skip(self, numbers=0, planes=0, count=0):
        if numbers:
            self.numbers(numbers)
        for _ in range(planes):
            self.planes(count)


def main():
    page = open(sys.argv[1], encoding="utf-8").read()
    blocks = {name: zlib.decompress(base64.b64decode(text)) for name, text in BLOCK.findall(page)}
    structure, timeline = (json.loads(blocks[f"r0.{name}"]) for name in ("structure", "timeline"))
    shown = timeline["windows"][0]
    if shown["why"] not in ("whole run", "as asked for") or shown["leftOut"]["waits"] > 0:
        sys.exit("the timeline has no window of the whole run")
    window = Window(blocks[shown["block"]])

    def place(row):
        at = timeline["rows"][row]
        locations = structure["locations"]
        return structure["processes"][locations["process"][at]]["rank"], locations["thread"][at]

    on_page = collections.defaultdict(list)
    for row, metric, path, begin, end, cause, cause_path, through in window.waits:
        key = (structure["metrics"][metric]["name"], *place(row), None if cause == NOTHING else place(cause),
               through != NOTHING)
        on_page[key].append((begin, end))
    for row, begin, end in window.stretches:
        on_page["critical_path", *place(row), None, False].append((begin, end))
    patterns = collections.defaultdict(list)
    for event in csv.DictReader(open(sys.argv[2], newline="", errors="surrogateescape")):
        if event["layer"] == "delay" or event["pattern"] in PARTS:
            continue
        cause = None
        if event["delaying_rank"]:
            cause = int(event["delaying_rank"]), int(event["delaying_thread"])
        key = event["pattern"], int(event["rank"]), int(event["thread"]), cause, event["through"] != ""
        patterns[key].append((float(event["begin"]), float(event["end"])))
    if on_page.keys() != patterns.keys():
        sys.exit(f"other events: {sorted(map(str, on_page.keys() ^ patterns.keys()))[:3]}")
    for key, times in on_page.items():
        here = sorted(patterns[key])
        if len(here) != len(times):
            sys.exit(f"{key}: {len(times)} on the page, {len(here)} patterns")
        for left, right in zip(sorted(times), here):
            if max(abs(left[0] - right[0]), abs(left[1] - right[1])) > 2e-9:
                sys.exit(f"{key}: {left} on the page, {right} in the patterns")
    print(f"{sum(map(len, on_page.values()))} events, {len(window.waits)} of them waits")


main()
