#!/usr/bin/env python3
"""Writes a summary of eight ranks whose work is distributed in known ways, for tests of `tarry report`.

usage: make_balance.py OUT [--oversubscribed | --preempted]

Rank 3 takes longer in `solve`, and loses its processor there with --preempted; ranks 4-7 do in `halo`. `up` and `down`
are unbalanced the opposite way. All ranks take the same in `even`. With --oversubscribed they share two processors.
"""
import argparse

from make_cubex import index_and_data, member

RANKS = range(8)
REGIONS = [
    ("app", [0.1] * 8),
    ("solve", [1, 1.01, 0.99, 3, 1, 1, 1.01, 0.99]),
    ("halo", [1, 1.01, 0.99, 1, 2, 2.01, 1.99, 2]),
    ("up", [1.5 if rank % 2 else 1 for rank in RANKS]),
    ("down", [1 if rank % 2 else 1.5 for rank in RANKS]),
    ("even", [2, 2.01, 1.99, 2, 2.01, 2, 1.99, 2]),
]


def use_of(rank, options):
    if options.oversubscribed:
        return "processors=0-1 wall_ns=10000000000 cpu_ns=2500000000 delay_ns=7000000000 preemptions=70 waits=3"
    if options.preempted:
        delay = 1_800_000_000 if rank == 3 else 10_000_000
        return (f"processors={rank} wall_ns=10000000000 cpu_ns={10_000_000_000 - delay} delay_ns={delay} "
                f"preemptions={delay // 10_000_000} waits=3")
    return None


def process(rank, options):
    use = use_of(rank, options)
    note = f'<attr key="Tarry::ProcessorUse" value="{use}"/>\n' if use else ""
    return (f'<locationgroup Id="{rank}"><name>MPI Rank {rank}</name><rank>{rank}</rank><type>process</type>\n{note}'
            f'<location Id="{rank}"><name>Master thread</name><rank>0</rank><type>thread</type></location></locationgroup>\n')


def anchor(options):
    regions = "".join(
        f'<region id="{i}" mod="" begin="-1" end="-1"><name>{name}</name><mangled_name>{name}</mangled_name>'
        f"<paradigm>compiler</paradigm><role>function</role><url></url><descr></descr></region>\n"
        for i, (name, _) in enumerate(REGIONS))
    children = "".join(f'<cnode id="{i}" calleeId="{i}"></cnode>\n' for i in range(1, len(REGIONS)))
    return ('<?xml version="1.0" encoding="UTF-8"?>\n<cube version="4.4">\n<attr key="Creator" value="make_balance"/>\n'
            '<metrics>\n<metric id="0" type="EXCLUSIVE"><disp_name>Time</disp_name><uniq_name>time</uniq_name>'
            "<dtype>DOUBLE</dtype><uom>sec</uom><url></url><descr></descr></metric>\n</metrics>\n"
            f'<program>\n{regions}<cnode id="0" calleeId="0">{children}</cnode>\n</program>\n<system>\n'
            '<systemtreenode Id="0"><name>cluster</name><class>machine</class>\n'
            '<systemtreenode Id="1"><name>n0</name><class>node</class>\n'
            f"{''.join(process(rank, options) for rank in RANKS)}</systemtreenode></systemtreenode>\n</system>\n</cube>\n")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("out")
    parser.add_argument("--oversubscribed", action="store_true")
    parser.add_argument("--preempted", action="store_true")
    options = parser.parse_args()
    options.dense = options.compressed = False
    rows = {path: seconds for path, (_, seconds) in enumerate(REGIONS)}
    index, data = index_and_data(("0", "d", range(len(REGIONS)), rows, 0), "<", options)
    members = [("0.data", data), ("0.index", index), ("anchor.xml", anchor(options).encode())]
    with open(options.out, "wb") as out:
        out.write(b"".join(member(name, body) for name, body in members) + bytes(1024))


main()
