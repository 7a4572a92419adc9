#!/usr/bin/env python3
"""Writes a small report the way other tools may, for tests of readers; shares no code with the tools.

usage: make_cubex.py OUT [--big-endian] [--dense] [--compressed] [--gzip-anchor] [--anchor-first] [--cut N] [--drop NAME]
                     [--names-end TEXT] [--long-names N] [--deep N]

The call tree is main <ring <ring <MPI_Send>>, ring <MPI_Send>> with names that need escaping and quoting; three threads
in two processes. --cut leaves N bytes off the end, --drop leaves a member out, --names-end adds TEXT to every name, and
--long-names adds it N times. --deep puts N more calls below the last one, each below the one before.
"""
import argparse
import gzip
import os
import re
import struct
import zlib

ANCHOR = """<?xml version="1.0" encoding="UTF-8"?>
<cube version="4.4">
<attr key="Creator" value="make_cubex"/>
<metrics>
<metric id="0" type="EXCLUSIVE">
<disp_name>Visits</disp_name><uniq_name>visits</uniq_name><dtype>UINT64</dtype><uom>occ</uom><url></url><descr></descr></metric>
<metric id="1" type="INCLUSIVE">
<disp_name>Time</disp_name><uniq_name>time</uniq_name><dtype>DOUBLE</dtype><uom>sec</uom><url></url><descr></descr>
<metric id="3" type="INCLUSIVE">
<disp_name>MPI</disp_name><uniq_name>mpi</uniq_name><dtype>DOUBLE</dtype><uom>sec</uom><url></url><descr></descr></metric>
</metric>
<metric id="2" type="EXCLUSIVE">
<disp_name>Shortest visit</disp_name><uniq_name>min_time</uniq_name><dtype>MINDOUBLE</dtype><uom>sec</uom><url></url><descr></descr></metric>
<metric id="5" type="POSTDERIVED">
<disp_name>Time per visit</disp_name><uniq_name>time_per_visit</uniq_name><dtype>DOUBLE</dtype><uom>sec</uom><url></url><descr></descr>
<cubepl>metric::time() / metric::visits()</cubepl></metric>
<metric id="4" type="EXCLUSIVE" viztype="GHOST">
<disp_name>Helper</disp_name><uniq_name>helper</uniq_name><dtype>UINT32</dtype><uom></uom><url></url><descr></descr></metric>
</metrics>
<program>
<region id="0" mod="ring.c" begin="10" end="40"><name>main</name><mangled_name>main</mangled_name><paradigm>compiler</paradigm><role>function</role><url></url><descr></descr></region>
<region id="1" mod="ring.cc" begin="1" end="9"><name>ring&lt;a/b\\c, &quot;x&quot;&gt;</name><mangled_name>ring</mangled_name><paradigm>compiler</paradigm><role>function</role><url></url><descr></descr></region>
<region id="2" mod="MPI" begin="-1" end="-1"><name>MPI_Send</name><mangled_name>MPI_Send</mangled_name><paradigm>mpi</paradigm><role>point2point</role><url></url><descr></descr></region>
<cnode id="0" calleeId="0"><cnode id="1" calleeId="1"><cnode id="2" calleeId="1"><cnode id="3" calleeId="2"></cnode></cnode></cnode>
<cnode id="4" calleeId="1"><cnode id="5" calleeId="2"></cnode></cnode></cnode>
</program>
<system>
<systemtreenode Id="0"><name>cluster</name><class>machine</class>
<systemtreenode Id="1"><name>n0</name><class>node</class>
<locationgroup Id="0"><name>MPI Rank 0</name><rank>0</rank><type>process</type>
<location Id="0"><name>Master thread</name><rank>0</rank><type>thread</type></location>
<location Id="1"><name>OMP thread 1</name><rank>1</rank><type>thread</type></location></locationgroup>
<locationgroup Id="1"><name>MPI Rank 1</name><rank>1</rank><type>process</type>
<location Id="2"><name>Master thread</name><rank>0</rank><type>thread</type></location></locationgroup>
</systemtreenode></systemtreenode>
</system>
</cube>
"""
INCLUSIVE_ROWS = [0, 1, 4, 2, 3, 5]
NEVER = struct.unpack("<d", bytes.fromhex("ffffffffffffef7f"))[0]  # the largest double

# member stem, struct code, row order, {call path: values}, what a missing row holds
METRICS = [
    ("0", "Q", range(6), {c: [c + 1, 0, 2 * c] for c in range(6)}, 0),
    ("1", "d", INCLUSIVE_ROWS, {0: [10.5, 1, 3.1], 1: [6, 0, 2], 2: [5, 0, 1.5], 3: [1.25, 0, 0.1], 4: [2, 0.1, 1],
                                5: [0.5, 0.1, 1]}, 0.0),
    ("3", "d", INCLUSIVE_ROWS, {0: [1.75, 0.1, 1.1], 1: [1.25, 0, 0.1], 2: [1.25, 0, 0.1], 3: [1.25, 0, 0.1],
                                4: [0.5, 0.1, 1], 5: [0.5, 0.1, 1]}, 0.0),
    ("2", "d", range(6), {1: [0.5, NEVER, 1e-9]}, NEVER),
    ("ghost_4", "I", range(6), {2: [7, 7, 7]}, 0),
]


def index_and_data(metric, order, options):
    _, code, numbering, rows, missing = metric
    listed = [(number, rows.get(path)) for number, path in enumerate(numbering)]
    if options.dense:
        listed = [(number, values or [missing] * 3) for number, values in listed]
    else:
        listed = [(number, values) for number, values in listed if values]
    index = b"CUBEX.INDEX" + struct.pack(order + "IHB", 1, 0, 3 if options.dense else 1)
    if not options.dense:
        index += struct.pack(f"{order}{len(listed) + 1}I", len(listed), *(number for number, _ in listed))
    packed = [struct.pack(f"{order}{len(values)}{code}", *values) for _, values in listed]
    if not options.compressed:
        return index, b"CUBEX.DATA" + b"".join(packed)
    streams = [zlib.compress(row) for row in packed]
    table, at = b"", 0
    for k, stream in enumerate(streams):
        table += struct.pack(order + "QQQ", k * len(packed[0]), at, len(stream))
        at += len(stream)
    return index, b"ZCUBEX.DATA" + struct.pack(order + "Q", len(streams)) + table + b"".join(streams)


def member(name, body):
    body += b"\0" * (len(body) % 512 == 0)
    header = bytearray(512)
    for at, text in ((0, name), (100, "0000600"), (108, "0000000"), (116, "0000000"), (124, "%011o" % len(body)),
                     (136, "00000000000"), (148, " " * 8), (156, "0"), (257, "ustar\x0000"), (265, "u"), (297, "g")):
        header[at:at + len(text)] = text.encode()
    header[148:156] = b"%06o\0 " % sum(header)
    return bytes(header) + body + bytes(-len(body) % 512)


def deep_anchor(calls):
    below = "".join(f'<cnode id="{6 + call}" calleeId="1">' for call in range(calls)) + "</cnode>" * calls
    last = '<cnode id="5" calleeId="2">'
    return ANCHOR.replace(last, last + below)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("out")
    for flag in ("big-endian", "dense", "compressed", "gzip-anchor", "anchor-first"):
        parser.add_argument("--" + flag, action="store_true")
    parser.add_argument("--cut", type=int, default=0)
    parser.add_argument("--drop", default="")
    parser.add_argument("--names-end", type=os.fsencode, default=b"")
    parser.add_argument("--long-names", type=int, default=1)
    parser.add_argument("--deep", type=int, default=0)
    options = parser.parse_args()
    ending = options.names_end * options.long_names
    anchor = re.sub(rb"(</(?:name|disp_name|uom|class)>|(?<=make_cubex)\")", lambda end: ending + end[0],
                    deep_anchor(options.deep).encode())
    members = [("anchor.xml", gzip.compress(anchor, mtime=0) if options.gzip_anchor else anchor)]
    for metric in METRICS:
        index, data = index_and_data(metric, ">" if options.big_endian else "<", options)
        members += [(metric[0] + ".data", data), (metric[0] + ".index", index)]
    if not options.anchor_first:
        members.append(members.pop(0))
    image = b"".join(member(name, body) for name, body in members if name != options.drop) + bytes(1024)
    with open(options.out, "wb") as out:
        out.write(image[:len(image) - options.cut])


if __name__ == "__main__":
    main()
