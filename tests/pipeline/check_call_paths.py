#!/usr/bin/env python3
"""Compares the call paths of a trace with the stacks that call_paths.cpp has written.

usage: check_call_paths.py PROGRAM EVENTS TRUTH RANK

PROGRAM has symbols; EVENTS is from `tarry archive dump`. The calls of MPI_Comm_rank are compared, of all threads.
Frames of libraries that run the program are in no call path. Of the same name, PROGRAM may have run stripped.
"""
import collections
import os
import re
import subprocess
import sys

RUNTIME = re.compile(r"(libc\.|libmpi|libopen[-_]|libgomp|libstdc\+\+|libtarry|ld-linux|mca_|libpthread|libevent|libgcc)")
CLONE = re.compile(r"( \[clone [^]]*\]|\.(isra|constprop|part|cold)(\.\d+)?)+$")


class Symbols:
    """Function names by module and offset, from the symbol table."""

    def __init__(self, program):
        self.program, self.names = program, {}

    def look_up(self, places):
        by_module = collections.defaultdict(set)
        for module, offset in places:
            by_module[module].add(offset)
        for module, offsets in by_module.items():
            path = self.program if os.path.basename(module) == os.path.basename(self.program) else module
            lines = subprocess.run(["addr2line", "-f", "-C", "-e", path, *sorted(offsets)], check=True,
                                   stdout=subprocess.PIPE, text=True).stdout.splitlines()
            for offset, name in zip(sorted(offsets), lines[::2]):
                self.names[module, offset] = CLONE.sub("", name)


def true_paths(path, symbols):
    stacks = [[tuple(frame.rsplit(":", 1)) for frame in line.split()] for line in open(path)]
    stacks = [[f for f in stack if not RUNTIME.match(os.path.basename(f[0]))] for stack in stacks]
    symbols.look_up(f for stack in stacks for f in stack)
    named = [[symbols.names[f] for f in stack] for stack in stacks]
    return collections.Counter("/".join(n for n in stack if n != "_start") for stack in named)


def recorded_paths(path, rank, symbols):
    unnamed = re.compile(re.escape(os.path.basename(symbols.program)) + r"\+0x([0-9a-f]+)$")
    stacks, found = collections.defaultdict(list), []
    for line in open(path):
        fields = line.split(" ", 4)
        if fields[0] != rank:
            continue
        stack = stacks[fields[1]]
        if fields[3] == "ENTER":
            stack.append(fields[4].split('"', 1)[1].rstrip().rstrip('"'))
            if stack[-1] == "MPI_Comm_rank":
                found.append(stack[1:-1])
        elif fields[3] == "LEAVE":
            stack.pop()
    addresses = {m.group(1) for stack in found for name in stack if (m := unnamed.match(name))}
    symbols.look_up((symbols.program, a) for a in addresses)

    def name_of(name):
        match = unnamed.match(name)
        return symbols.names[symbols.program, match.group(1)] if match else name

    without_calls = [[name_of(n) for n in stack if not n.startswith(("MPI_", "pthread_"))] for stack in found]
    return collections.Counter("/".join(stack) for stack in without_calls)


def main():
    program, events, truth, rank = sys.argv[1:]
    symbols = Symbols(program)
    expected, recorded = true_paths(truth, symbols), recorded_paths(events, rank, symbols)
    for path in sorted(expected.keys() | recorded.keys()):
        if expected[path] != recorded[path]:
            print(f"rank {rank}: {recorded[path]} calls recorded, {expected[path]} made: {path}")
    print(f"rank {rank}: {sum(expected.values())} calls on {len(expected)} paths")
    sys.exit(expected != recorded or len(expected) < 10)


main()
