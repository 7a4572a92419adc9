#!/usr/bin/env python3
"""Instructions that a run of the HPC Challenge benchmark with one process takes, in thousands of millions.

usage: bench_hpcc.py usual|solving|sampled|polling [LIBRARY [callpaths]]

With LIBRARY, our recorder, preloaded and tracing; without call paths unless told so.

One process waits for nobody, so that the counts of two runs differ by less than 1 in 100.

usual    what hpcc's own example solves (_hpccinf.txt, which Debian installs with it), on one process instead of four: one
         system of 1000 unknowns; besides, it asks MPI_Testany 4.2 million times, once for each update of a table, whether a
         message has come, and none ever does
solving  solves 360 systems of 100 unknowns, one for each combination of HPL's parameters: computation, and 0.07 million calls
         of MPI
sampled  solves the 360 systems of "solving" with 300 unknowns each: little but computation, for bench_sampling.py
polling  solves one of 640 only, and asks 2.1 million times: the most calls for the least computation that its sizes allow

What a trace costs here is a little more than without callgrind, under which the program runs some 50 times more slowly: calls in vain
are recorded together for a millisecond, so that there are as many times more records of them.
"""
import pathlib
import sys

import counted_program

# Only the first words of a line count, and the lines are told apart by their number.
INPUT = """\
first line
second line
HPL.out
8            to that file
1            sizes
{size}
{blocks}
0            row-major
1            grid
1            P
1            Q
16.0         threshold
{kinds}
1            broadcast
0            1rg
{depths}
2            mixed swap
64           swapping threshold
0            L1 transposed
0            U transposed
1            equilibration
8            alignment
-
0            sizes for PTRANS
1200         unused
0            block sizes for PTRANS
40           unused
"""


def choices(*values):
    """A line with the number of values for each list, and one with the values."""
    return "\n".join(f"{len(listed.split())}\n{listed}" for listed in values)


# Block sizes; panel factorisations, recursive stopping criteria, numbers of panels, recursive factorisations; lookahead depths.
MANY_SYSTEMS = {"blocks": choices("8 16 32 48 64"), "kinds": choices("0 1 2", "2 4", "2 3", "0 1 2"), "depths": choices("0 1")}
INPUTS = {
    "usual": INPUT.format(size=1000, blocks=choices("80"), kinds=choices("2", "4", "2", "1"), depths=choices("1")),
    "solving": INPUT.format(size=100, **MANY_SYSTEMS),
    "sampled": INPUT.format(size=300, **MANY_SYSTEMS),
    "polling": INPUT.format(size=640, blocks=choices("32"), kinds=choices("1", "4", "2", "1"),
                            depths=choices("1")),
}
RESULTS = pathlib.Path("hpccoutf.txt")


def instructions(kind, library, call_paths):
    pathlib.Path("hpccinf.txt").write_text(INPUTS[kind])
    RESULTS.unlink(missing_ok=True)
    count = counted_program.instructions(["hpcc"], 1, library, call_paths)
    if "\nSuccess=1" not in RESULTS.read_text():
        sys.exit("bench_hpcc.py: hpcc did not come to its end")
    return count


def main():
    if len(sys.argv) not in (2, 3, 4) or sys.argv[1] not in INPUTS or sys.argv[3:] not in ([], ["callpaths"]):
        sys.exit(__doc__)
    print(f"{instructions(sys.argv[1], sys.argv[2] if len(sys.argv) > 2 else None, len(sys.argv) > 3) / 1e9:.4f}")


if __name__ == "__main__":
    main()
