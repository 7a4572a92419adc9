#!/usr/bin/env python3
"""User time, in seconds, of programs that call MPI often from deep in C++ or Fortran, on two processes.

usage: bench_real.py icofoam|abinit build               makes the input in this folder
       bench_real.py icofoam|abinit bare                prints the user time of all processes
       bench_real.py icofoam|abinit measured OPTION...  the same with `tarry measure OPTION...`, that of the tool included

icofoam  OpenFOAM's flow in a cavity, 1,800 cells for each process, 200 steps: 206,000 calls of MPI on each in 1.8 s
abinit   ABINIT, two atoms of silicon on 4 x 4 x 4 points: 1 s on each

Processes that wait for each other spin: what one of them loses, the others take as well.
"""
import os
import pathlib
import shutil
import subprocess
import sys

import user_time

INPUTS = pathlib.Path(__file__).resolve().parent.parent / "tests/real/inputs"
ENVIRONMENT = dict(os.environ, OMP_NUM_THREADS="1", WM_PROJECT_DIR="/usr/share/openfoam")
PROGRAMS = {"icofoam": ["icoFoam", "-parallel"], "abinit": ["abinit", "si.abi"]}


def change(path, *pairs):
    text = pathlib.Path(path).read_text()
    for before, after in pairs:
        if before not in text:
            sys.exit(f"bench_real.py: {path}: '{before}' is not there")
        text = text.replace(before, after)
    pathlib.Path(path).write_text(text)


def build(name):
    script, *options = {"icofoam": ["foam.sh", "cavity"], "abinit": ["abinit.sh", "12", "14"]}[name]
    subprocess.run(["sh", str(INPUTS / script), *options], check=True, env=ENVIRONMENT, stdout=subprocess.DEVNULL)
    if name == "icofoam":
        change("system/controlDict", ("endTime 0.02;", "endTime 0.2;"), ("writeInterval 10;", "writeInterval 1000;"))
    else:
        change("si.abi", ("ngkpt 2 2 2", "ngkpt 4 4 4"))


def main():
    if len(sys.argv) < 3 or sys.argv[1] not in PROGRAMS or sys.argv[2] not in ("build", "bare", "measured"):
        sys.exit(__doc__)
    name, what, *options = sys.argv[1:]
    if not shutil.which(PROGRAMS[name][0]):
        sys.exit(f"{PROGRAMS[name][0]} is not installed (make deps-real)")
    if what == "build":
        return build(name)
    words = user_time.measuring(options) if what == "measured" else []
    print(f"{user_time.seconds([*words, 'mpirun', '-np', '2', *PROGRAMS[name]], ENVIRONMENT):.3f}")


if __name__ == "__main__":
    main()
