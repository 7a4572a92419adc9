#!/usr/bin/env python3
"""Fails if a C++ file is not laid out as .clang-format says.

usage: check_format.py [--fix]     (from the root of the tree)

Versions of clang-format differ in details, so only that of Debian 12 counts. Where it is missing, nothing is checked
and a line says so.
"""
import pathlib
import re
import shutil
import subprocess
import sys

FOLDERS = ["bench", "lib", "tests", "tools"]
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
