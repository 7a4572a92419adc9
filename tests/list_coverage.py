#!/usr/bin/env python3
"""Says how much of lib/ the tests of a build with --coverage have run, and which files they have run least.

usage: list_coverage.py BUILD [LEAST]      (run by `make coverage`)

Prints each file of which fewer than LEAST percent of the lines were run (90 if it is not given), the fewest first, and
the lines and branches of all. Status 1 if all together are below. Counts by gcov. A line or branch was run if it was in
any of the objects that it is compiled into. A branch that only an exception takes is none of the source.
"""
import collections
import json
import os
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
FILES_AT_ONCE = 20


def gcov_of(notes):
    """What gcov tells of some objects, each by its file of notes; what was never run has one, too."""
    command = [os.environ.get("GCOV", "gcov"), "--json-format", "--stdout", "--branch-probabilities", *notes]
    told = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, cwd=ROOT, check=True)
    return [json.loads(line) for line in told.stdout.splitlines() if line.startswith("{")]


class Counts:
    """Of one file: whether each line and each of its branches was run."""

    def __init__(self):
        self.lines, self.branches = {}, {}

    def add(self, line):
        number = line["line_number"]
        self.lines[number] = self.lines.get(number, False) or line["count"] > 0
        for index, branch in enumerate(line["branches"]):
            if not branch["throw"]:
                self.branches[number, index] = self.branches.get((number, index), False) or branch["count"] > 0


def counted(build):
    """The counts of each file of lib/, by its name in the tree."""
    files = collections.defaultdict(Counts)
    notes = sorted(map(str, build.rglob("*.gcno")))
    for at in range(0, len(notes), FILES_AT_ONCE):
        for unit in gcov_of(notes[at:at + FILES_AT_ONCE]):
            for file in unit["files"]:
                name = os.path.relpath(os.path.join(unit["current_working_directory"], file["file"]), ROOT)
                if name.startswith("lib/"):
                    for line in file["lines"]:
                        files[name].add(line)
    return files


def main():
    build, least = pathlib.Path(sys.argv[1]).resolve(), float(sys.argv[2]) if len(sys.argv) > 2 else 90
    files = counted(build)
    low = [(100 * sum(counts.lines.values()) / len(counts.lines), name) for name, counts in files.items() if counts.lines]
    for percent, name in sorted(low):
        if percent < least:
            print(f"{percent:6.1f} %  {sum(files[name].lines.values()):5} of {len(files[name].lines):5} lines  {name}")
    shares = {}
    for what in ("lines", "branches"):
        were_run = [run for counts in files.values() for run in getattr(counts, what).values()]
        shares[what] = 100 * sum(were_run) / max(len(were_run), 1)
        print(f"{shares[what]:6.1f} %  {sum(were_run)} of {len(were_run)} {what} of lib/")
    return int(shares["lines"] < least)


if __name__ == "__main__":
    sys.exit(main())
