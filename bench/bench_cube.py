#!/usr/bin/env python3
"""Time and memory of report algebra on large reports, and the yardstick: reading and writing as much through zlib.

usage: bench_cube.py make REPORT...          writes reports of 5,000 call paths x 4,096 locations, 311 MB each
       bench_cube.py seconds COMMAND...      runs COMMAND, prints the seconds it took
       bench_cube.py megabytes COMMAND...    runs COMMAND, prints the most memory it held
       bench_cube.py zlib IN... OUT          reads all, writes the first through zlib, prints the seconds
"""
import io
import os
import random
import struct
import sys
import tarfile
import time
import zlib

PATHS, LOCATIONS, LIST = 5000, 4096, 64
# name, type, stored flavour, struct code, rows
METRICS = [("visits", "UINT64", "EXCLUSIVE", "Q", 2500), ("time", "DOUBLE", "INCLUSIVE", "d", 5000),
           ("mpi", "DOUBLE", "EXCLUSIVE", "d", 1000), ("bytes_sent", "UINT64", "EXCLUSIVE", "Q", 1000)]


def anchor():
    text = ['<?xml version="1.0" encoding="UTF-8"?>\n<cube version="4.4">\n<metrics>\n']
    for number, (name, dtype, kind, *_) in enumerate(METRICS):
        text.append(f'<metric id="{number}" type="{kind}">\n<disp_name>{name}</disp_name><uniq_name>{name}</uniq_name>'
                    f"<dtype>{dtype}</dtype><uom></uom><url></url><descr></descr></metric>\n")
    text.append("</metrics>\n<program>\n")
    text += [f'<region id="{r}" mod="a.c" begin="{r}" end="{r + 1}"><name>function_{r}</name><mangled_name>function_{r}'
             "</mangled_name><paradigm>compiler</paradigm><role>function</role><url></url><descr></descr></region>\n"
             for r in range(500)]
    # A root with chains of ten below it.
    text.append('<cnode id="0" calleeId="0">')
    for path in range(1, PATHS):
        text.append(f'<cnode id="{path}" calleeId="{path % 500}">')
        if path % 10 == 0 or path == PATHS - 1:
            text.append("</cnode>" * ((path - 1) % 10 + 1) + "\n")
    text.append('</cnode>\n</program>\n<system>\n<systemtreenode Id="0"><name>cluster</name><class>machine</class>\n'
                '<systemtreenode Id="1"><name>n0</name><class>node</class>\n')
    text += [f'<locationgroup Id="{r}"><name>MPI Rank {r}</name><rank>{r}</rank><type>process</type>\n<location Id="{r}">'
             "<name>Master thread</name><rank>0</rank><type>thread</type></location></locationgroup>\n"
             for r in range(LOCATIONS)]
    text.append("</systemtreenode></systemtreenode>\n</system>\n</cube>\n")
    return "".join(text).encode()


class Rows(io.RawIOBase):
    """Data of a metric, made while it is read."""

    def __init__(self, code, count, dice):
        draw = (lambda: dice.lognormvariate(0, 1)) if code == "d" else (lambda: dice.randrange(1 << 20))
        self.samples = [struct.pack(f"<{LOCATIONS}{code}", *(draw() for _ in range(LOCATIONS))) for _ in range(LIST)]
        self.pending, self.row, self.count = b"CUBEX.DATA", 0, count

    def read(self, size=-1):
        while len(self.pending) < size and self.row < self.count:
            self.pending += self.samples[self.row % LIST]
            self.row += 1
        piece, self.pending = self.pending[:size], self.pending[size:]
        return piece


def make(path, seed):
    dice = random.Random(seed)

    def add(archive, name, size, source):
        entry = tarfile.TarInfo(name)
        entry.size = size
        archive.addfile(entry, source)

    with tarfile.open(path, "w", format=tarfile.USTAR_FORMAT) as archive:
        for number, (_, _, _, code, rows) in enumerate(METRICS):
            add(archive, f"{number}.data", 10 + rows * LOCATIONS * 8, Rows(code, rows, dice))
            step = PATHS // rows
            index = b"CUBEX.INDEX" + struct.pack("<IHBI", 1, 0, 1, rows) + struct.pack(f"<{rows}I", *range(0, PATHS, step))
            add(archive, f"{number}.index", len(index), io.BytesIO(index))
        text = anchor()
        add(archive, "anchor.xml", len(text), io.BytesIO(text))


def run(command):
    started = time.monotonic()
    child = os.spawnvp(os.P_NOWAIT, command[0], command)
    _, status, usage = os.wait4(child, 0)
    if status:
        sys.exit(f"{' '.join(command)}: status {status}")
    return time.monotonic() - started, usage.ru_maxrss / 1024


def through_zlib(inputs, output):
    started = time.monotonic()
    with open(output, "wb") as out:
        packer = zlib.compressobj()
        for number, name in enumerate(inputs):
            with open(name, "rb") as file:
                while piece := file.read(1 << 20):
                    if number == 0:
                        out.write(packer.compress(piece))
        out.write(packer.flush())
        out.flush()
        os.fsync(out.fileno())
    return time.monotonic() - started


def main():
    what, arguments = sys.argv[1], sys.argv[2:]
    if what == "make":
        for seed, path in enumerate(arguments):
            make(path, seed)
    elif what == "zlib":
        print(through_zlib(arguments[:-1], arguments[-1]))
    elif what in ("seconds", "megabytes"):
        print(run(arguments)[what == "megabytes"])
    else:
        sys.exit(__doc__)


main()
