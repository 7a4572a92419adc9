#!/usr/bin/env python3
"""Checks a Paraver trace with a parser of its own, against the events of the same trace as CSV.

usage: check_prv.py TRACE.prv [EVENTS.csv]

The header, the syntax of every record, their order, states that do not overlap, events whose types and values the .pcf
names, labels in the .row, communications whose times make sense; that all messages and MPI calls are there, with the
types and values of BSC's tools (tests/data/paraver-mpi-values.csv). Without events only what the trace says itself.
"""
import collections
import csv
import os
import re
import sys

HEADER = re.compile(r"#Paraver \(\d\d/\d\d/\d{4} at \d\d:\d\d\):(\d+)_ns:(\d+)\((\d+(?:,\d+)*)\):1:(\d+)\((\d+:\d+(?:,\d+:\d+)*)\),(\d+)\n")
MPI_TYPES = range(50000001, 50000006)


# Functions with the value of another: what Dimemas stops at, and the second way to begin.
KIN = {"MPI_Comm_dup_with_info": "MPI_Comm_dup", "MPI_Dist_graph_create_adjacent": "MPI_Dist_graph_create",
       "MPI_Comm_create_group": "MPI_Comm_create", "MPI_Exscan": "MPI_Scan", "MPI_Iexscan": "MPI_Iscan",
       "MPI_Init_thread": "MPI_Init"}


def check(is_fine, text):
    if not is_fine:
        sys.exit(f"check_prv.py: {text}")


def read_pcf(path):
    """Values by event type, and the states."""
    types, states, part, current = {}, {}, "", None
    for line in open(path, errors="surrogateescape"):
        words = line.split(None, 2)
        if len(words) == 1 and not words[0][0].isdigit():
            part = words[0]
        elif part == "STATES" and words:
            states[int(words[0])] = line.split(None, 1)[1].strip()
        elif part == "EVENT_TYPE" and words:
            current = types.setdefault(int(words[1]), {})
        elif part == "VALUES" and words:
            current[int(words[0])] = line.split(None, 1)[1].strip()
    return types, states


def read_row(path):
    levels = {}
    lines = open(path).read().split("\n")
    i = 0
    while i < len(lines):
        match = re.fullmatch(r"LEVEL (\w+) SIZE (\d+)", lines[i])
        if match:
            size = int(match[2])
            levels[match[1]] = lines[i + 1:i + 1 + size]
            check(all(levels[match[1]]) and len(levels[match[1]]) == size, f".row: level {match[1]}")
            i += size
        i += 1
    return levels


def official_values():
    """(type, value) by function."""
    path = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "data", "paraver-mpi-values.csv")
    official = {row["name"]: (int(row["type"]), int(row["value"])) for row in csv.DictReader(open(path))}
    check(len(official) == 215, "the table of values")
    return official | {name: official[kin] for name, kin in KIN.items()}


def main():
    prv, events = sys.argv[1], sys.argv[2] if len(sys.argv) > 2 else None
    official = official_values()
    types, states = read_pcf(prv[:-4] + ".pcf")
    levels = read_row(prv[:-4] + ".row")
    file = open(prv)
    match = HEADER.fullmatch(file.readline())
    check(match, "the header is none")
    end, cpus = int(match[1]), [int(n) for n in match[3].split(",")]
    tasks = [tuple(int(n) for n in task.split(":")) for task in match[5].split(",")]
    check(len(cpus) == int(match[2]) and len(tasks) == int(match[4]), "numbers in the header")
    check(sum(cpus) == sum(threads for threads, _ in tasks) == len(levels["THREAD"]) == len(levels["CPU"]), "processors")
    check(len(levels["TASK"]) == len(tasks) and len(levels["NODE"]) == len(cpus), ".row and header")
    for _ in range(int(match[6])):
        fields = [int(n) for n in file.readline().rstrip("\n")[2:].split(":")]
        check(fields[0] == 1 and len(fields) == 3 + fields[2], "a communicator")

    def check_object(fields, what):
        cpu, application, task, thread = fields
        check(1 <= cpu <= sum(cpus) and application == 1 and 1 <= task <= len(tasks), what)
        check(1 <= thread <= tasks[task - 1][0], what)
        return task, thread

    before, comms, calls = (-1, 0), 0, collections.Counter()
    state_ends, seen_types = {}, set()
    for number, line in enumerate(file, int(match[6]) + 2):
        what = f"line {number}: {line.strip()}"
        check(re.fullmatch(r"[123](:\d+)+\n", line), what)
        fields = [int(n) for n in line.split(":")]
        place = check_object(fields[1:5], what)
        check((fields[5], fields[0]) >= before, f"order, {what}")
        before = (fields[5], fields[0])
        if fields[0] == 1:
            begin, stop, state = fields[5:]
            check(begin < stop <= end and state in states, what)
            check(state_ends.get(place, 0) <= begin, f"states overlap, {what}")
            state_ends[place] = stop
        elif fields[0] == 2:
            check(len(fields) >= 8 and len(fields) % 2 == 0 and fields[5] <= end, what)
            for kind, value in zip(fields[6::2], fields[7::2]):
                check(kind in types and (not types[kind] or value in types[kind]), what)
                seen_types.add(kind)
                if kind in MPI_TYPES and value:
                    calls[kind, value] += 1
                    for name in types[kind][value].split(" or "):
                        check(official.get(name) == (kind, value), f"{name} is {kind}:{value}, {what}")
        else:
            logical_send, physical_send = fields[5:7]
            check_object(fields[7:11], what)
            logical_receive, physical_receive, size, tag = fields[11:]
            check(logical_send <= physical_send <= end and logical_receive <= physical_receive <= end, what)
            comms += 1
    if not events:
        print(f"{comms} communications, types {sorted(seen_types)}")
        return
    kinds, entered = collections.Counter(), collections.Counter()
    for row in csv.DictReader(open(events)):
        kinds[row["kind"]] += 1
        if row["kind"] == "ENTER" and row["region"].startswith("MPI_"):
            entered[row["region"]] += 1
    sends = kinds["MPI_SEND"] + kinds["MPI_ISEND"]
    check(comms == sends == kinds["MPI_RECV"] + kinds["MPI_IRECV"], f"{comms} communications, {sends} messages")
    expected = collections.Counter()
    for name, count in entered.items():
        if name in official:
            expected[official[name]] += count
    check(calls == expected, f"MPI calls: {calls}, {expected}")
    print(f"{comms} communications, {sum(calls.values())} MPI calls, types {sorted(seen_types)}")


main()
