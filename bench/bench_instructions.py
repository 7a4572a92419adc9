#!/usr/bin/env python3
"""Instructions of the compiler's hooks while functions are recorded, counted by callgrind.

usage: bench_instructions.py trace|summary|both PROGRAM LIBRARY      PROGRAM is bench_measure_path

Prints what a call of each takes on average, all that it calls included, and at last the two together.
"""
import os
import pathlib
import re
import shutil
import subprocess
import sys

HOOKS = {"enter": "__cyg_profile_func_enter", "leave": "__cyg_profile_func_exit"}
ARCHIVE, PROFILE = pathlib.Path("instructions"), pathlib.Path("callgrind.out")


def record(mode, program, library):
    shutil.rmtree(ARCHIVE, ignore_errors=True)
    ARCHIVE.mkdir()
    environment = dict(os.environ, LD_PRELOAD=os.path.abspath(library), TARRY_ARCHIVE=str(ARCHIVE.resolve()), TARRY_MEMORY="1G",
                       TARRY_TRACE=str(int(mode != "summary")), TARRY_SUMMARY=str(int(mode != "trace")))
    subprocess.run(["valgrind", "--tool=callgrind", f"--callgrind-out-file={PROFILE}", program, "enter-leave", mode],
                   env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=True)


def per_call(profile, function):
    """A profile gives a name a number where it first stands; who is called, how often, and on the next line what that took."""
    number = re.search(rf"^c?fn=\((\d+)\) {function}$", profile, re.M)
    calls = total = 0
    for found in re.finditer(rf"^cfn=\({number.group(1)}\).*\ncalls=(\d+) .*\n\S+ (\d+)$", profile, re.M) if number else []:
        calls += int(found.group(1))
        total += int(found.group(2))
    if not calls:
        sys.exit(f"bench_instructions.py: {function} is not in the profile")
    return total / calls


def main():
    if len(sys.argv) != 4 or sys.argv[1] not in ("trace", "summary", "both"):
        sys.exit(__doc__)
    record(*sys.argv[1:])
    profile = PROFILE.read_text()
    counts = {name: per_call(profile, function) for name, function in HOOKS.items()}
    print(", ".join(f"{name} {count:.1f}" for name, count in counts.items()), f"together {sum(counts.values()):.1f}", sep=", ")


if __name__ == "__main__":
    main()
