#!/usr/bin/env python3
"""Compares the call paths of a trace with what gdb saw on the stack at the same calls.

usage: check_backtraces.py ARCHIVE RANK BACKTRACES COUNT

BACKTRACES is from gdb_backtraces.py. Of samples, all must be in the trace, one after the other, and COUNT or more. Of
calls, there must be COUNT, each in the trace with all its frames, and less than 1 % of the call paths may lack their
outermost functions. Left out on both sides are the libraries that run the program. A function without a symbol must
have the name FILE+0xADDRESS, with the address at which .eh_frame begins it, and the outermost one of the program the
name main. In a process with Python, the path has the functions that the interpreter names, instead.
"""
import bisect
import collections
import functools
import json
import os
import re
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), os.pardir, "oracle"))
import read_archive

RUNTIME = re.compile(r"""(libtarry|libmpi|libopen[-_]|mca_|libpmix|libevent|libhwloc|libuc|libfabric|libgomp|libc\.|ld-linux
                         |libpthread|libdl\.|libm\.|libgfortran|libquadmath|libgcc_s|libstdc\+\+)""", re.VERBOSE)
CLONE = re.compile(r"( \[clone [^]]*\]|\.(isra|constprop|part|cold|lto_priv)(\.\d+)?)+$")
FORTRAN = re.compile(r"__(\w+?)_MOD_(\w+)$")
COMPILER = 2  # paradigm of functions
MOST_SHOWN = 5
MOST_OF_START = 0x30  # bytes of _start


def lines_of(*command):
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                          text=True).stdout.splitlines()


class Module:
    """Symbols and frame descriptions of one file."""

    def __init__(self, path):
        self.path, names = path, collections.defaultdict(set)
        for options in ([], ["-D"]):
            for line in lines_of("nm", "--defined-only", "-S", *options, path):
                fields = line.split()
                if len(fields) == 4 and fields[2] in "tTwWiuV":
                    names[int(fields[0], 16), int(fields[1], 16)].add(fields[3].partition("@")[0])
        self.symbols = sorted(names.items())
        self.begins = [place for (place, _), _ in self.symbols]

    @functools.cached_property
    def start(self):
        entry = next(line for line in lines_of("readelf", "-h", self.path) if "Entry point" in line)
        return int(entry.split()[-1], 16)

    def is_start(self, address):
        """Whether the process starts there: that function belongs to the C library."""
        return 0 <= address - self.start < MOST_OF_START

    @functools.cached_property
    def described(self):
        ranges = re.findall(r"pc=([0-9a-f]+)\.\.([0-9a-f]+)", "\n".join(
            lines_of("readelf", "--wide", "--debug-dump=frames", self.path)))
        return sorted((int(begin, 16), int(end, 16)) for begin, end in ranges)

    def names_at(self, address):
        """All names that the function there may have."""
        at = bisect.bisect_right(self.begins, address) - 1
        found = set()
        while at >= 0 and self.begins[at] > address - (1 << 20):
            (begin, size), names = self.symbols[at]
            if begin <= address < begin + size:
                found |= names
            at -= 1
        if found:
            plain = {CLONE.sub("", name) for name in found}
            fortran = {f"{match[1]}::{match[2]}" for name in plain if (match := FORTRAN.match(name))}
            without_underscore = {name.rstrip("_") for name in plain}
            return plain | fortran | without_underscore | {CLONE.sub("", name) for name in demangled(plain)}
        at = bisect.bisect_right(self.described, (address, 1 << 64)) - 1
        is_inside = at >= 0 and address < self.described[at][1]
        return {f"{os.path.basename(self.path)}+{self.described[at][0]:#x}"} if is_inside else set()


def demangled(names):
    return {line for name in names for line in lines_of("c++filt", name)}


@functools.cache
def module_of(path):
    return Module(path)


@functools.cache
def names_of(path, address):
    return frozenset(module_of(path).names_at(address))


def is_of_program(module, address):
    if not module.startswith("/") or RUNTIME.match(os.path.basename(module)):
        return False
    return not module_of(module).is_start(address)


def events_of(folder, rank):
    """(thread, time, kind, region or None if the event is no ENTER) of each event of that rank, as the dump has them."""
    dump = subprocess.Popen(["tarry", "archive", "dump", "--rank", rank, folder], stdout=subprocess.PIPE,
                            text=True, errors="surrogateescape")
    for line in dump.stdout:
        _, thread, time, kind, *fields = line.rstrip("\n").split(" ", 4)
        is_enter = kind == "ENTER"
        yield thread, time, kind, int(fields[0].removeprefix("region=").partition(":")[0]) if is_enter else None
    if dump.wait() != 0:
        sys.exit("the trace cannot be read")


def paths_at(folder, definitions, rank, wanted):
    """The functions that are open at the calls of that rank that begin at the wanted times, outermost first."""
    found = {}
    is_function = [region["paradigm"] == COMPILER for region in definitions["regions"]]
    root = {index for index, region in enumerate(definitions["regions"]) if is_function[index] and not region["file"]}
    open_regions = collections.defaultdict(list)
    for thread, time, kind, region in events_of(folder, rank):
        stack = open_regions[thread]
        if kind == "LEAVE":
            stack.pop()
        elif kind == "ENTER":
            if time in wanted and not is_function[region]:
                shown = [entered for entered in stack if is_function[entered]]
                if shown and shown[0] in root:
                    del shown[0]
                found[time] = [text(definitions["regions"][entered]["name"]) for entered in shown]
            stack.append(region)
    return found


def stacks_of(folder, definitions, rank):
    """The functions that are open at the samples of that rank, in order; the same twice in a row once. While gdb looks,
    the program is blocked: the sample tells for how long, and what it had left before is left before that."""
    stacks, stack, before, is_sample = [], [], None, False
    for _, time, kind, region in events_of(folder, rank):
        if time != before and is_sample:
            stacks.append(tuple(stack[1:]))
        is_sample = kind != "LEAVE" or time == before and is_sample
        before = time
        if kind == "LEAVE":
            stack.pop()
        elif kind == "ENTER":
            stack.append(text(definitions["regions"][region]["name"]))
    return once(stacks)


def once(stacks):
    """Without those that equal the one before, and those without a function of the program."""
    stacks = [stack for stack in stacks if stack]
    return [stack for before, stack in zip([None, *stacks], stacks) if stack != before]


def check_samples(folder, definitions, rank, samples):
    """Whether the samples of a thread are what gdb has seen, one after the other."""
    seen = once([tuple(map(frozenset, named(sample["frames"]))) for sample in samples])
    recorded = stacks_of(folder, definitions, rank)
    wrong = [(frames, path) for frames, path in zip(seen, recorded) if not is_equal(frames, path)]
    for frames, path in wrong[:MOST_SHOWN]:
        print("  gdb:", " / ".join("|".join(sorted(names)) for names in frames), "\n  recorded:", " / ".join(path))
    print(f"{len(samples)} samples: {len(seen)} changes of the stack seen by gdb, {len(recorded)} recorded, {len(wrong)} differ;",
          f"up to {max(map(len, seen), default=0)} deep")
    return not wrong and len(seen) == len(recorded) and len(seen) > 1


def text(name):
    return name.decode(errors="surrogateescape")


def is_equal(frames, path):
    return len(frames) == len(path) and all(name in names for names, name in zip(frames, path))


def named(frames):
    """Of the program's frames, outermost first, all names that each may have."""
    of_program = [names_of(module, address) for module, address, _ in reversed(frames)
                  if is_of_program(module, address)]
    is_start = module_of(frames[-1][0]).is_start(frames[-1][1]) if frames[-1][0].startswith("/") else False
    if of_program and is_start and all("+0x" in name for name in of_program[0]):
        of_program[0] = {"main"}
    return of_program


def main():
    folder, rank, backtraces, count = sys.argv[1:]
    definitions = read_archive.Archive(folder).definitions
    clock = definitions["clock"]
    samples = [json.loads(line) for line in open(backtraces)]
    if samples and "ticks" not in samples[0]:
        sys.exit(0 if check_samples(folder, definitions, rank, samples) and len(samples) >= int(count) else 1)
    times = [f"{(sample['ticks'] - clock['origin']) / clock['rate']:.9f}" for sample in samples]
    recorded = paths_at(folder, definitions, rank, set(times))
    counts, shown = collections.Counter(), 0
    for sample, time in zip(samples, times):
        frames = named(sample["frames"]) if sample["python"] is None else [{name} for name in sample["python"]]
        path = recorded.get(time)
        if path is None:
            outcome = "missing"
        elif is_equal(frames, path):
            outcome = "same"
        elif len(path) < len(frames) and is_equal(frames[len(frames) - len(path):], path):
            outcome = "truncated"
        else:
            outcome = "wrong"
        counts[outcome] += 1
        if outcome != "same" and (shown := shown + 1) <= MOST_SHOWN:
            print(f"{outcome} at {time} (gdb: {sample['stop']})\n  gdb:",
                  " / ".join("|".join(sorted(names)) for names in frames),
                  "\n  recorded:", path and " / ".join(path))
    depths = [len(sample["frames"]) for sample in samples]
    print(f"{len(samples)} calls:", ", ".join(f"{number} {what}" for what, number in sorted(counts.items())) + ";",
          f"{len({tuple(map(tuple, sample['frames'])) for sample in samples})} stacks, up to {max(depths, default=0)} deep")
    is_good = counts["same"] + counts["truncated"] == len(samples) == int(count)
    sys.exit(0 if is_good and counts["truncated"] * 100 < len(samples) else 1)


main()
