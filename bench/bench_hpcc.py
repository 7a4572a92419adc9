#!/usr/bin/env python3
"""Instructions that a run of the HPC Challenge benchmark with one process takes, in thousands of millions.

usage: bench_hpcc.py usual|solving|polling [LIBRARY [callpaths]]

With LIBRARY, our recorder, preloaded and tracing; without call paths unless told so.

Callgrind counts them from the start of the process to its end, the writing of the trace included; time would say less on a
machine that does other things too. The launcher is the same with the recorder and without, `mpirun -np 1 valgrind ... hpcc`,
and is not counted itself. One process waits for nobody, so that the counts of two runs differ by less than 1 in 100.

usual    what hpcc's own example solves (_hpccinf.txt, which Debian installs with it), on one process instead of four: one
         system of 1000 unknowns; besides, it asks MPI_Testany 4.2 million times, once for each update of a table, whether a
         message has come, and none ever does
solving  solves 360 systems of 100 unknowns, one for each combination of HPL's parameters: computation, and 0.07 million calls
         of MPI
polling  solves one of 640 only, and asks 2.1 million times: the most calls for the least computation that its sizes allow

What a trace costs here is a little more than without callgrind, under which the program runs some 50 times more slowly: calls in vain
are recorded together for a millisecond, so that there are as many times more records of them.
"""
import os
import pathlib
import re
import shutil
import subprocess
import sys

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
INPUTS = {
    "usual": INPUT.format(size=1000, blocks=choices("80"), kinds=choices("2", "4", "2", "1"), depths=choices("1")),
    "solving": INPUT.format(size=100, blocks=choices("8 16 32 48 64"), kinds=choices("0 1 2", "2 4", "2 3", "0 1 2"),
                            depths=choices("0 1")),
    "polling": INPUT.format(size=640, blocks=choices("32"), kinds=choices("1", "4", "2", "1"),
                            depths=choices("1")),
}
COMMAND = ["mpirun", "-np", "1", "valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", "hpcc"]
ARCHIVE, RESULTS = pathlib.Path("run"), pathlib.Path("hpccoutf.txt")


def run(command, environment=None):
    done = subprocess.run(command, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    if done.returncode != 0:
        sys.exit(f"bench_hpcc.py: {' '.join(command)}: status {done.returncode}\n{done.stderr}")
    return done.stderr


def instructions(kind, library, call_paths):
    for command in (COMMAND[0], COMMAND[3], COMMAND[-1]):
        if not shutil.which(command):
            sys.exit(f"bench_hpcc.py: {command} is not installed (bin/install-packages test)")
    pathlib.Path("hpccinf.txt").write_text(INPUTS[kind])
    RESULTS.unlink(missing_ok=True)
    environment = dict(os.environ)
    if library:
        shutil.rmtree(ARCHIVE, ignore_errors=True)
        ARCHIVE.mkdir()
        environment.update(LD_PRELOAD=os.path.abspath(library), TARRY_ARCHIVE=str(ARCHIVE.resolve()), TARRY_TRACE="1",
                           TARRY_CALLPATHS=str(int(call_paths)))
    counts = re.findall(r"Collected : (\d+)", run(COMMAND, environment))
    if not counts or "\nSuccess=1" not in RESULTS.read_text():
        sys.exit("bench_hpcc.py: hpcc did not come to its end")
    if library:
        run(["tarry", "unify", "-q", str(ARCHIVE)])
        run(["tarry", "archive", "verify", str(ARCHIVE)])
    return sum(map(int, counts))


def main():
    if len(sys.argv) not in (2, 3, 4) or sys.argv[1] not in INPUTS or sys.argv[3:] not in ([], ["callpaths"]):
        sys.exit(__doc__)
    print(f"{instructions(sys.argv[1], sys.argv[2] if len(sys.argv) > 2 else None, len(sys.argv) > 3) / 1e9:.4f}")


if __name__ == "__main__":
    main()
