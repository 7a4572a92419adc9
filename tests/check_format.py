#!/usr/bin/env python3
"""Fails if a C++ file is not laid out as .clang-format says.

usage: check_format.py [--fix]     (from the root of the tree)

Looks at the folders below, which grow until they are all. Versions of clang-format differ in details, so only that of
Debian 12 counts; where it is missing, nothing is checked and a line says so.
"""
import pathlib
import re
import shutil
import subprocess
import sys

FOLDERS = [
    "bench", "lib/analysis", "lib/archive", "lib/findings", "lib/replay", "lib/summary",
    "tests/fuzz", "tests/sync", "tests/unit/analysis", "tests/unit/archive", "tests/unit/defs", "tests/unit/exchange",
    "tests/unit/findings", "tests/unit/instrument", "tests/unit/replay", "tests/unit/score", "tests/unit/summary",
    "tests/unit/trace", "tests/unit/trace-merge", "tests/unit/trace-sync", "tests/unit/unify",
    "tools/archive", "tools/cube-ops", "tools/instrument", "tools/replay", "tools/report", "tools/score",
    "tools/trace-merge", "tools/trace-sync", "tools/unify",
]
VERSION = "14"


def find_tool():
    for name in (f"clang-format-{VERSION}", "clang-format"):
        path = shutil.which(name)
        if path:
            told = subprocess.run([path, "--version"], capture_output=True, text=True, check=True).stdout
            if re.search(rf"version {VERSION}\.", told):
                return path
    return None


def main():
    tool = find_tool()
    if not tool:
        print(f"format: not checked, clang-format {VERSION} is not installed")
        return 0
    files = [path for folder in FOLDERS for path in sorted(pathlib.Path(folder).rglob("*.[ch]pp"))]
    wrong = 0
    for path in files:
        wanted = subprocess.run([tool, str(path)], capture_output=True, check=True).stdout
        if wanted == path.read_bytes():
            continue
        if "--fix" in sys.argv[1:]:
            path.write_bytes(wanted)
        else:
            print(f"{path}: is not laid out as .clang-format says (tests/check_format.py --fix)")
            wrong += 1
    if not wrong:
        print("format: ok")
    return 1 if wrong else 0


sys.exit(main())
