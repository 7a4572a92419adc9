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

INPUT = """\
units lj
atom_style atomic
lattice fcc 0.8442
region box block 0 20 0 20 0 20
create_box 1 box
create_atoms 1 box
mass 1 1.0
velocity all create 1.44 87287 loop geom
pair_style lj/cut 2.5
pair_coeff 1 1 1.0 1.0 2.5
neighbor 0.3 bin
neigh_modify delay 0 every 20 check no
fix 1 all nve
run 50
"""


def main():
    if len(sys.argv) > 3 or sys.argv[2:] not in ([], ["callpaths"]):
        sys.exit(__doc__)
    pathlib.Path("in.liquid").write_text(INPUT)
    library = sys.argv[1] if len(sys.argv) > 1 else None
    print(f"{counted_program.instructions(['lmp', '-in', 'in.liquid'], 4, library, len(sys.argv) > 2) / 1e9:.4f}")


if __name__ == "__main__":
    main()
