#!/usr/bin/env python3
"""Says how much of lib/ the tests of a build with --coverage have run, and which files they have run least.

usage: list_coverage.py BUILD [LEAST]      (run by `make coverage`)

Prints each file of which fewer than LEAST percent of the lines were run (90 if it is not given), the fewest first, and
the lines and branches of all. Status 1 if all together are below. Counts by gcovr, which must be installed.
"""
import json
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent


def counted(build):
    """gcovr's summary of each file. A branch that only an exception takes is none of the source."""
    command = ["gcovr", "--root", ROOT, "--filter", str(ROOT / "lib") + "/", "--exclude-throw-branches",
               "--exclude-unreachable-branches", "--gcov-ignore-parse-errors", "--json-summary", "-", build]
    try:
        done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True)
    except FileNotFoundError:
        sys.exit("list_coverage.py: gcovr is not installed (make deps-long)")
    return json.loads(done.stdout)


def main():
    build, least = pathlib.Path(sys.argv[1]).resolve(), float(sys.argv[2]) if len(sys.argv) > 2 else 90
    summary = counted(build)
    low = sorted((file["line_percent"], file["filename"], file["line_covered"], file["line_total"])
                 for file in summary["files"] if file["line_total"] and file["line_percent"] < least)
    for percent, name, covered, lines in low:
        print(f"{percent:6.1f} %  {covered:5} of {lines:5} lines  {name}")
    for what in ("line", "branch"):
        covered, total = summary[f"{what}_covered"], summary[f"{what}_total"]
        print(f"{100 * covered / max(total, 1):6.1f} %  {covered} of {total} {'lines' if what == 'line' else 'branches'} of lib/")
    return int(summary["line_percent"] < least)


if __name__ == "__main__":
    sys.exit(main())
