#!/usr/bin/env python3
"""Writes a summary of a made-up program, for tests of what judges reports.

usage: make_program.py OUT [--scale REGION=FACTOR]... [--ranks N] [--program NAME] [--names NAME NAME]

main <setup, solve <MPI_Allreduce>> on four ranks; visits and inclusive time. --scale makes the exclusive time of a region
longer or shorter. --names gives setup and solve other names.
"""
import argparse
import io
import struct
import tarfile
import xml.sax.saxutils

escape = xml.sax.saxutils.escape
PATHS = [("main", -1, 1.0, 1), ("setup", 0, 2.0, 1), ("solve", 0, 10.0, 10), ("MPI_Allreduce", 2, 30.0, 100)]


def anchor(count):
    regions = "".join(
        f'<region id="{i}" mod="" begin="-1" end="-1"><name>{escape(name)}</name><mangled_name>{escape(name)}</mangled_name>'
        f'<paradigm>{"mpi" if name.startswith("MPI") else "compiler"}</paradigm><role>function</role><url></url>'
        "<descr></descr></region>\n" for i, (name, *_) in enumerate(PATHS))
    ranks = "".join(
        f'<locationgroup Id="{r}"><name>MPI Rank {r}</name><rank>{r}</rank><type>process</type>\n<location Id="{r}">'
        "<name>Master thread</name><rank>0</rank><type>thread</type></location></locationgroup>\n" for r in range(count))
    metric = ('<metric id="{}" type="{}">\n<disp_name>{}</disp_name><uniq_name>{}</uniq_name><dtype>{}</dtype><uom>{}</uom>'
              "<url></url><descr></descr></metric>\n")
    return ('<?xml version="1.0" encoding="UTF-8"?>\n<cube version="4.4">\n<metrics>\n' +
            metric.format(0, "EXCLUSIVE", "Visits", "visits", "UINT64", "occ") +
            metric.format(1, "INCLUSIVE", "Time", "time", "DOUBLE", "sec") + "</metrics>\n<program>\n" + regions +
            '<cnode id="0" calleeId="0"><cnode id="1" calleeId="1"></cnode>\n<cnode id="2" calleeId="2">'
            '<cnode id="3" calleeId="3"></cnode></cnode></cnode>\n</program>\n<system>\n<systemtreenode Id="0">'
            "<name>cluster</name><class>machine</class>\n<systemtreenode Id=\"1\"><name>n0</name><class>node</class>\n" +
            ranks + "</systemtreenode></systemtreenode>\n</system>\n</cube>\n")


def main():
    options = argparse.ArgumentParser()
    options.add_argument("out")
    options.add_argument("--scale", action="append", default=[])
    options.add_argument("--ranks", type=int, default=4)
    options.add_argument("--program", default="main")
    options.add_argument("--names", nargs=2, default=["setup", "solve"])
    options = options.parse_args()
    count = options.ranks
    PATHS[0] = (options.program, *PATHS[0][1:])
    scale = {name: float(factor) for name, factor in (word.split("=") for word in options.scale)}
    own = [seconds * scale.get(name, 1) for name, _, seconds, _ in PATHS]
    whole = own[:]
    for path, name in enumerate(options.names, 1):
        PATHS[path] = (name, *PATHS[path][1:])
    for path in range(len(PATHS) - 1, 0, -1):
        whole[PATHS[path][1]] += whole[path]
    index = b"CUBEX.INDEX" + struct.pack("<IHBI4I", 1, 0, 1, 4, 0, 1, 2, 3)
    # Rows of inclusive metrics: all children of a node before their own children; here that is 0 1 2 3 as well.
    members = {"0.data": b"CUBEX.DATA" + b"".join(struct.pack(f"<{count}Q", *[v] * count) for *_, v in PATHS), "0.index": index,
               "1.data": b"CUBEX.DATA" + b"".join(struct.pack(f"<{count}d", *[s] * count) for s in whole), "1.index": index,
               "anchor.xml": anchor(count).encode()}
    with tarfile.open(options.out, "w", format=tarfile.USTAR_FORMAT) as archive:
        for name, data in members.items():
            entry = tarfile.TarInfo(name)
            entry.size = len(data)
            archive.addfile(entry, io.BytesIO(data))


main()
