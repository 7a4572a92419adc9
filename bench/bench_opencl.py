#!/usr/bin/env python3
"""Microseconds that each of many kernels of OpenCL takes, on a processor.

usage: bench_opencl.py PROGRAM KERNELS MICROSECONDS [measured]

PROGRAM (opencl_kernels.c) is made here if it is not there. `measured`: with `tarry measure --opencl -t`.
"""
import pathlib
import shutil
import subprocess
import sys

SOURCE = pathlib.Path(__file__).resolve().parent / "opencl_kernels.c"


def main():
    if len(sys.argv) not in (4, 5):
        sys.exit(__doc__)
    program, *amount = sys.argv[1:4]
    if not pathlib.Path(program).exists():
        subprocess.run(["cc", "-O2", str(SOURCE), "-o", program, "-lOpenCL"], check=True)
    shutil.rmtree("opencl.run", ignore_errors=True)
    measured = ["tarry", "measure", "-q", "--opencl", "-t", "-o", "opencl.run", "--"] if len(sys.argv) == 5 else []
    print(subprocess.run([*measured, program, *amount], check=True, stdout=subprocess.PIPE, text=True).stdout.strip())


if __name__ == "__main__":
    main()
