#!/usr/bin/env python3
"""Times a build without ccache, on all cores; prints its seconds as the last word.

usage: bench_build.py demo|all|edit BUILD

demo    what `make demo` builds, from nothing, in a folder of its own
all     what `make all` builds, likewise
edit    in BUILD: tools and unit tests after a change of one source of the analysis, and the unit tests of the analysis
"""
import os
import pathlib
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
EDITED = ROOT / "lib/analysis/waits/late_sender.cpp"


def make(*words):
    command = ["make", "-s", "-C", ROOT, f"-j{len(os.sched_getaffinity(0))}", *words]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, env=os.environ | {"CCACHE_DISABLE": "1"})


def build(target):
    with tempfile.TemporaryDirectory() as folder:
        make(f"BUILD={folder}", f"BIN={folder}/bin", target)


def edit(folder):
    EDITED.touch()
    make(f"BUILD={folder}", "all", "unit-tests")
    subprocess.run([f"{folder}/tests/unit/analysis_tests", "--gtest_brief=1"], check=True, stdout=subprocess.DEVNULL)


def main():
    what, folder = sys.argv[1:]
    started, before = time.monotonic(), os.times()
    {"demo": lambda: build("demo-build"), "all": lambda: build("all"), "edit": lambda: edit(folder)}[what]()
    used = os.times()
    print(f"{used.children_user + used.children_system - before.children_user - before.children_system:.0f} s of processors")
    print(f"{time.monotonic() - started:.1f}")


main()
