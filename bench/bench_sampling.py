#!/usr/bin/env python3
"""Seconds of processor time that the HPC Challenge benchmark takes with one process.

usage: bench_sampling.py [LIBRARY [HERTZ]]

With LIBRARY, our recorder, preloaded and tracing; with HERTZ, it takes so many samples a second.

Callgrind cannot tell: the program runs some 50 times more slowly under it, so that there would be as many times more
samples. The figure is therefore a median of many runs in turns.
"""
import os
import pathlib
import resource
import shutil
import subprocess
import sys

import bench_hpcc

ARCHIVE = pathlib.Path("run")


def processor_time():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def main():
    if len(sys.argv) > 3:
        sys.exit(__doc__)
    pathlib.Path("hpccinf.txt").write_text(bench_hpcc.INPUTS["sampled"])
    environment = dict(os.environ, OMP_NUM_THREADS="1")
    if len(sys.argv) > 1:
        environment.update(LD_PRELOAD=os.path.abspath(sys.argv[1]), TARRY_ARCHIVE=str(ARCHIVE.resolve()), TARRY_TRACE="1")
    if len(sys.argv) > 2:
        environment["TARRY_SAMPLE"] = sys.argv[2]
    shutil.rmtree(ARCHIVE, ignore_errors=True)
    ARCHIVE.mkdir()
    subprocess.run(["mpirun", "-np", "1", "hpcc"], env=environment, check=True, stdout=subprocess.DEVNULL)
    print(f"{processor_time():.3f}")


if __name__ == "__main__":
    main()
