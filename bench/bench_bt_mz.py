#!/usr/bin/env python3
"""User time, in seconds, of a program of BT-MZ's shape (many_zones.f90): two processes with two threads each, in which
parallel loops call 28.6 million small functions.

usage: bench_bt_mz.py build               builds it in this folder: bare, instrumented, and by Score-P where there is one
       bench_bt_mz.py bare                prints the user time of all its processes
       bench_bt_mz.py measured OPTION...  the same with `tarry measure OPTION...`, that of the tool included
       bench_bt_mz.py added OPTION...     how much more that is than of a bare run beside it
       bench_bt_mz.py scorep summary|trace   how much more it is with Score-P
"""
import os
import pathlib
import shutil
import subprocess
import sys

import user_time

SOURCE = pathlib.Path(__file__).with_name("many_zones.f90")
COMPILE = ["mpif90", "-O2", "-fopenmp", "-fno-inline", str(SOURCE), "-o"]
STEPS = "60"
# Threads that wait without a processor would be user time, too.
ENVIRONMENT = dict(os.environ, OMP_NUM_THREADS="2", OMP_WAIT_POLICY="passive")


def build():
    subprocess.run([*COMPILE, "bare"], check=True)
    subprocess.run(["tarry", "instrument", *COMPILE, "instrumented"], check=True)
    if shutil.which("scorep"):
        subprocess.run(["scorep", "--thread=omp", *COMPILE, "by_scorep"], check=True)


def user_seconds(command, program, environment=ENVIRONMENT):
    return user_time.seconds([*command, "mpirun", "-np", "2", program, STEPS], environment)


def bare():
    return user_seconds([], "./bare")


def measured(options):
    return user_seconds(user_time.measuring(options), "./instrumented")


def by_scorep(kind):
    return user_seconds([], "./by_scorep",
                        dict(ENVIRONMENT, SCOREP_EXPERIMENT_DIRECTORY=user_time.ARCHIVE, SCOREP_TOTAL_MEMORY="2G",
                             SCOREP_ENABLE_TRACING=str(kind == "trace"), SCOREP_ENABLE_PROFILING=str(kind == "summary")))


def main():
    what, *options = sys.argv[1:] or [""]
    if what == "build":
        return build()
    values = {"bare": bare, "measured": lambda: measured(options), "added": lambda: measured(options) - bare(),
              "scorep": lambda: by_scorep(options[0]) - bare()}
    if what not in values:
        sys.exit(__doc__)
    print(f"{values[what]():.3f}")


if __name__ == "__main__":
    main()
