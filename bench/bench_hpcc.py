#!/usr/bin/env python3
"""Instructions that a run of the HPC Challenge benchmark with one process takes, in thousands of millions.

usage: bench_hpcc.py plain|traced

Counted by callgrind, from the start of the program to its end: time would say less on a machine that does other things, and
one process does not wait for anybody. With "traced", tarry measure -t starts the same launcher with the same input.
"""
import pathlib
import re
import shutil
import subprocess
import sys

# Only the first word of a line counts: one matrix of 288 x 288 for HPL on a 1 x 1 grid.
INPUT = """
input
HPCC

HPL.out
8
1
288
1
32
0
1
1
1
16.0
1
2
1
4
1
2
1
1
1
1
1
0
2
64
0
1
8

0
1200
0
40
""".lstrip("\n")


def main():
    if sys.argv[1:] not in (["plain"], ["traced"]):
        sys.exit(__doc__)
    pathlib.Path("hpccinf.txt").write_text(INPUT)
    shutil.rmtree("run", ignore_errors=True)
    command = ["mpirun", "-np", "1", "valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", "hpcc"]
    if sys.argv[1] == "traced":
        command = ["tarry", "measure", "-q", "-t", "-o", "run", "--"] + command
    done = subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    counts = [int(count) for count in re.findall(r"Collected : (\d+)", done.stderr)]
    if done.returncode != 0 or not counts:
        sys.exit(f"bench_hpcc.py: {' '.join(command)}: status {done.returncode}\n{done.stderr}")
    print(f"{max(counts) / 1e9:.4f}")


if __name__ == "__main__":
    main()
