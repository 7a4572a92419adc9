#!/usr/bin/env python3
"""Per cent of the HPC Challenge benchmark's processor time that samples take, with one process.

usage: bench_sampling.py SIGNAL_COST HERTZ

The recorder adds up the time of its handler. To that comes, for each signal, what the kernel takes to deliver one:
SIGNAL_COST (signal_cost.cpp) measures it in the same run. The difference of two runs would say the same, but processor
times of equal runs differ by 5 % and more, which is ten times the bar.
"""
import pathlib
import re
import resource
import shutil
import subprocess
import sys

import bench_hpcc

ARCHIVE = pathlib.Path("run")
SECONDS = {"s": 1.0, "ms": 1e-3, "us": 1e-6, "ns": 1e-9}


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    delivery = 1e-9 * float(subprocess.run([sys.argv[1]], check=True, stdout=subprocess.PIPE, text=True).stdout)
    pathlib.Path("hpccinf.txt").write_text(bench_hpcc.INPUTS["sampled"])
    shutil.rmtree(ARCHIVE, ignore_errors=True)
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    said = subprocess.run(["tarry", "measure", "--sample", sys.argv[2], "-t", "-o", str(ARCHIVE), "--", "mpirun", "-np", "1",
                           "hpcc"], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True).stderr
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    used = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    taken, cost, unit, others = re.search(r"(\d+) samples cost ([\d.]+) (\w+)(.*)", said).groups()
    signals = int(taken) + sum(map(int, re.findall(r"\d+", others)))
    print(f"{100 * (float(cost) * SECONDS[unit] + signals * delivery) / used:.3f}")


if __name__ == "__main__":
    main()
