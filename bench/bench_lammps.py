#!/usr/bin/env python3
"""Instructions that LAMMPS takes on four processes, in thousands of millions.

usage: bench_lammps.py [LIBRARY [callpaths]]

With LIBRARY, our recorder, preloaded and tracing; without call paths unless told so.

The problem is the liquid of 32,000 atoms that LAMMPS's own benchmarks have, with 50 steps instead of 100. The processes
wait for each other, in loops that take instructions: the counts of two runs differ by 1 in 200 or so.
"""
import pathlib
import sys

import counted_program

INPUT = pathlib.Path(__file__).resolve().parent.parent / "tests/apps/in.liquid"
LIQUID = ["lmp", "-in", str(INPUT), "-var", "cells", "20", "-var", "steps", "50"]


def main():
    if len(sys.argv) > 3 or sys.argv[2:] not in ([], ["callpaths"]):
        sys.exit(__doc__)
    library = sys.argv[1] if len(sys.argv) > 1 else None
    print(f"{counted_program.instructions(LIQUID, 4, library, len(sys.argv) > 2) / 1e9:.4f}")


if __name__ == "__main__":
    main()
