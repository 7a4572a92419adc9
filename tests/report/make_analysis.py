#!/usr/bin/env python3
"""Writes a small analysis report with known wait states, for tests of `tarry report`.

usage: make_analysis.py OUT [--without-waits] [--incomplete TEXT] [--iterations N] [--counters F]

Three ranks; rank 2 computes 4 s longer than the others, who wait for it in MPI_Allreduce (6.75 s in all) and before in
MPI_Recv (1 s, three quarters of it because messages are taken in the wrong order). Delay costs tell the cause of the
waits in MPI_Allreduce, not of those in MPI_Recv. With N iterations of `compute`, rank 2 has 3 ms in each, the others 1
and 2 ms, and in iteration 4 all wait longer. With --counters, the processor has counted 2 cycles per nanosecond and
F instructions per cycle, but 9 in MPI, as other tools name and store that.
"""
import argparse
import struct

from make_cubex import index_and_data, member

REGIONS = [("heat", "compiler", "function"), ("compute", "compiler", "function"), ("MPI_Allreduce", "mpi", "all2all"),
           ("MPI_Recv", "mpi", "point2point")]

# unique name, display name, unit, type, parent, {call path: values}
TIMES = [
    ("visits", "Visits", "occ", "UINT64", None, {0: [1, 1, 1], 1: [10, 10, 10], 2: [10, 10, 10], 3: [20, 20, 0]}),
    ("time", "Time", "sec", "DOUBLE", None, {0: [1, 1, 1], 1: [4, 4, 8], 2: [4, 4, 1], 3: [1, 1, 0]}),
    ("execution", "Execution", "sec", "DOUBLE", "time", {0: [1, 1, 1], 1: [4, 4, 8], 2: [4, 4, 1], 3: [1, 1, 0]}),
]
WAITS = [
    ("mpi_wait_nxn", "Wait at N x N", "sec", "DOUBLE", "execution", {2: [3.5, 3.25, 0]}),
    ("mpi_latesender", "Late Sender", "sec", "DOUBLE", "execution", {3: [0.5, 0.5, 0]}),
    ("mpi_latesender_wo", "Messages in Wrong Order", "sec", "DOUBLE", "mpi_latesender", {3: [0.5, 0.25, 0]}),
    ("delay_n2n", "Short-term", "sec", "DOUBLE", None, {1: [0, 0, 6], 2: [0, 0.25, 0]}),
    ("delay_n2n_longterm", "Long-term", "sec", "DOUBLE", None, {1: [0, 0, 0.5]}),
]


def counters(per_cycle):
    """Cycles are stored with those of the call paths below."""
    times = TIMES[1][5]
    cycles = {path: [int(2e9 * seconds) for seconds in row] for path, row in times.items()}
    instructions = {path: [int(n * (9 if path > 1 else per_cycle)) for n in row] for path, row in cycles.items()}
    cycles[0] = [sum(column) for column in zip(*cycles.values())]
    return [("PAPI_TOT_INS", "Instructions", "#", "UINT64", None, instructions),
            ("PAPI_TOT_CYC", "Cycles", "#", "UINT64", None, cycles)]


def metric_xml(metrics, parent):
    text = ""
    for number, (name, display, unit, kind, above, _) in enumerate(metrics):
        if above == parent:
            storage = "INCLUSIVE" if name == "PAPI_TOT_CYC" else "EXCLUSIVE"
            text += (f'<metric id="{number}" type="{storage}"><disp_name>{display}</disp_name><uniq_name>{name}</uniq_name>'
                     f"<dtype>{kind}</dtype><uom>{unit}</uom><url></url><descr></descr>\n"
                     f"{metric_xml(metrics, name)}</metric>\n")
    return text


def anchor(metrics, incomplete):
    regions = "".join(
        f'<region id="{i}" mod="" begin="-1" end="-1"><name>{name}</name><mangled_name>{name}</mangled_name>'
        f"<paradigm>{paradigm}</paradigm><role>{role}</role><url></url><descr></descr></region>\n"
        for i, (name, paradigm, role) in enumerate(REGIONS))
    ranks = "".join(
        f'<locationgroup Id="{i}"><name>MPI Rank {i}</name><rank>{i}</rank><type>process</type>\n'
        f'<location Id="{i}"><name>Master thread</name><rank>0</rank><type>thread</type></location></locationgroup>\n'
        for i in range(3))
    note = f'<attr key="Tarry::Incomplete" value="{incomplete}"/>\n' if incomplete else ""
    return (f'<?xml version="1.0" encoding="UTF-8"?>\n<cube version="4.4">\n<attr key="Creator" value="make_analysis"/>\n'
            f"{note}<metrics>\n{metric_xml(metrics, None)}</metrics>\n<program>\n{regions}"
            '<cnode id="0" calleeId="0"><cnode id="1" calleeId="1"></cnode>\n<cnode id="2" calleeId="2"></cnode>\n'
            '<cnode id="3" calleeId="3"></cnode></cnode>\n</program>\n<system>\n'
            '<systemtreenode Id="0"><name>cluster</name><class>machine</class>\n'
            f'<systemtreenode Id="1"><name>n0</name><class>node</class>\n{ranks}</systemtreenode></systemtreenode>\n'
            "</system>\n</cube>\n")


def varint(value):
    return bytes([value & 127 | 128]) + varint(value >> 7) if value > 127 else bytes([value])


def text(string):
    return varint(len(string)) + string.encode()


def iteration_table(count):
    """As docs/CUBEX.md has it: the time in microseconds, the waits in seconds."""
    times = b"".join(varint(value) for i in range(count) for value in (1000, 2000, 3000))
    waits = b"".join(struct.pack("<d", (0.5 if i == 4 else 0.0625) * rank) for i in range(count) for rank in (2, 1, 0))
    rows = b"".join(varint(2 * i) + varint(2 * i) + varint(1) for i in range(count))
    return (varint(1) + text("compute") + b"\0" + varint(3) + b"".join(varint(2 * rank) for rank in range(3)) +
            varint(count) + rows + text("time") + text("sec") + struct.pack("<d", 1e-6) + b"\1" + times +
            text("mpi_wait_nxn") + text("sec") + struct.pack("<d", 1) + b"\0" + waits)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("out")
    parser.add_argument("--without-waits", action="store_true")
    parser.add_argument("--incomplete", default="")
    parser.add_argument("--iterations", type=int, default=0)
    parser.add_argument("--counters", type=float, metavar="F")
    options = parser.parse_args()
    options.dense = options.compressed = False
    metrics = TIMES if options.without_waits else TIMES + WAITS
    metrics = metrics + counters(options.counters) if options.counters else metrics
    members = [("iterations.table", iteration_table(options.iterations))] if options.iterations else []
    for number, (_, _, _, kind, _, rows) in enumerate(metrics):
        stored = (str(number), "Q" if kind == "UINT64" else "d", range(len(REGIONS)), rows, 0)
        index, data = index_and_data(stored, "<", options)
        members += [(f"{number}.data", data), (f"{number}.index", index)]
    members.append(("anchor.xml", anchor(metrics, options.incomplete).encode()))
    with open(options.out, "wb") as out:
        out.write(b"".join(member(name, body) for name, body in members) + bytes(1024))


main()
