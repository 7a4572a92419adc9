#!/usr/bin/env python3
"""Checks the patterns of a trace in all formats: they are the same events, they nest, and their severities add up to the
metrics of the report.

usage: check_patterns.py FOLDER

FOLDER holds report.csv (`tarry cube dump --csv`), patterns.list (`tarry replay --list-patterns`), and the patterns as
patterns.csv, patterns.jsonl, patterns.prv with its .pcf and .row, perfetto.txt (decoded by protoc) and otf2.txt
(`otf2-print`). Severities are exact in CSV, JSON Lines and Perfetto, rounded to nanoseconds in Paraver and to six digits
by otf2-print. Names may be anything if HOSTILE is set. Times are rounded to nanoseconds, but for OTF2, which has ticks.
"""
import collections
import csv
import json
import math
import os
import re
import sys

# What the report has and no single event: idleness of whole threads; what follows a wait.
WITHOUT_EVENTS = {"delay_ompidle", "mpi_init_completion", "mpi_barrier_completion", "mpi_nxn_completion"}
TEXTS = {"layer", "pattern", "callpath", "delaying_callpath", "delaying_operation", "edge"}
FLOATS = {"begin", "end", "severity"}


def check(is_fine, text):
    if not is_fine:
        sys.exit(f"check_patterns.py: {text}")


def read_report(path):
    sums = collections.defaultdict(list)
    for row in csv.DictReader(open(path, newline="", encoding="utf-8", errors="surrogateescape")):
        sums[row["metric"]].append(float(row["value"]))
    return {metric: math.fsum(values) for metric, values in sums.items()}


def sums_of(events):
    values = collections.defaultdict(list)
    for pattern, severity in events:
        values[pattern].append(severity)
    return {pattern: (math.fsum(each), len(each)) for pattern, each in values.items()}


def read_csv(path):
    """The rows as objects of the JSON Lines."""
    return [{name: value if name in TEXTS else float(value) if name in FLOATS else int(value)
             for name, value in row.items() if value != ""}
            for row in csv.DictReader(open(path, newline="", encoding="utf-8", errors="surrogateescape"))]


def check_links(events):
    for number, event in enumerate(events):
        check(event["number"] == number, "numbers")
        check(event["begin"] <= event["end"] and event["severity"] >= 0, f"event {number}")
        for link, layer in (("delay", "delay"), ("through", "wait")):
            if link in event:
                other = events[event[link]]
                check(other["layer"] == layer and other["rank"] == event["delaying_rank"], f"{link} of {number}")
    begins = [event["begin"] for event in events]
    check(begins == sorted(begins), "order of time")
    waits = collections.Counter(event["delay"] for event in events if "delay" in event)
    for event in events:
        if event["layer"] == "delay" and not event["pattern"].endswith("_longterm"):
            check(0 < waits[event["number"]] == event["waits"] or event["begin"] == event["end"],
                  f"{waits[event['number']]} waits of delay {event}")


def check_report(folder, events):
    report = read_report(f"{folder}/report.csv")
    found = sums_of((event["pattern"], event["severity"]) for event in events)
    for pattern, (value, _) in found.items():
        # Where clocks contradict one another, a stretch of the path can be shorter than what is booked for it.
        tolerance = 1e-6 if pattern == "critical_path" else 1e-9
        check(math.isclose(report.get(pattern, 0), value, rel_tol=tolerance),
              f"{pattern}: {value}, {report.get(pattern)} in the report")
    for line in open(f"{folder}/patterns.list"):
        metric = line.split()[0]
        is_event = (re.search(r" sec +lib/analysis/waits/", line) or re.search(r" (Short|Long)-term ", line)
                    or metric == "critical_path")
        if is_event and metric not in found and metric not in WITHOUT_EVENTS:
            check(report.get(metric, 0) == 0, f"{metric}: no event, {report.get(metric)} in the report")
    return found


def check_nesting(ends, what):
    """`ends` of one track in order: (time, key) to begin, (time, None) to end."""
    stack, before = [], -1
    for when, key in ends:
        check(when >= before, f"{what}: order")
        before = when
        if key is not None:
            stack.append(key)
        else:
            check(stack, f"{what}: an end without a begin")
            stack.pop()
    check(not stack, f"{what}: {stack} does not end")


def nanoseconds(seconds):
    return round(seconds * 1e9)


def check_paraver(path, events, found):
    types, part, current = {}, "", None
    for line in open(path[:-4] + ".pcf", errors="surrogateescape"):
        words = line.rstrip("\n").split(None, 2)
        if len(words) == 1 and not words[0][0].isdigit():
            part = words[0]
        elif part == "EVENT_TYPE" and len(words) > 2:
            current = types.setdefault(int(words[1]), {})
        elif part == "VALUES" and words:
            current[int(words[0])] = line.split(None, 1)[1].strip()
    expected, severities, comms = collections.Counter(), [], 0
    for event in events:
        expected[event["rank"], nanoseconds(event["begin"]), event["pattern"]] += 1
    for line in open(path):
        fields = line.rstrip("\n").split(":")
        comms += fields[0] == "3"
        if fields[0] != "2":
            continue
        pairs = [(int(kind), int(value)) for kind, value in zip(fields[6::2], fields[7::2])]
        for (kind, value), (next_kind, severity) in zip(pairs, pairs[1:]):
            if next_kind == 71000005:
                severities.append((types[kind][value], severity * 1e-9))
                expected[int(fields[3]) - 1, int(fields[5]), types[kind][value]] -= 1
    check(not +expected and not -expected, f"{path}: other events: {(+expected).most_common(3)} {(-expected).most_common(3)}")
    for pattern, (value, count) in sums_of(severities).items():
        check(abs(value - found[pattern][0]) <= 0.51e-9 * count, f"{path}: {pattern}: {value}, not {found[pattern][0]}")
    links = sum("delay" in event for event in events)
    check(comms == links, f"{path}: {comms} communications, {links} waits with a delay")


def read_perfetto(path):
    """(track, type, time, fields) of each event, and the names."""
    names, texts, facts, events, processes, tracks = {}, {}, {}, [], {}, {}
    stack = [("", {})]
    for line in open(path, errors="surrogateescape"):
        line = line.strip()
        if line.endswith("{"):
            stack.append((line[:-2], collections.defaultdict(list)))
        elif line == "}":
            name, fields = stack.pop()
            stack[-1][1].setdefault(name, []).append(fields)
            if len(stack) == 1:
                packets(fields, names, texts, facts, events, processes, tracks)
                stack[0][1].clear()
        else:
            name, value = line.split(": ", 1)
            stack[-1][1].setdefault(name, []).append(value)
    return names, texts, facts, events, tracks


def packets(packet, names, texts, facts, events, processes, tracks):
    for data in packet.get("f12", []):
        for into, field in ((names, "f2"), (facts, "f3"), (texts, "f29")):
            for entry in data.get(field, []):
                into[entry["f1"][0]] = entry["f2"][0].strip('"')
    for track in packet.get("f60", []):
        if "f3" in track:
            processes[track["f1"][0]] = track["f3"][0]["f6"][0].strip('"')
        else:
            tracks[track["f1"][0]] = processes[track["f5"][0]] + " " + track["f2"][0].strip('"')
    for event in packet.get("f11", []):
        events.append((event["f11"][0], event["f9"][0], int(packet["f8"][0]), event))


def check_perfetto(path, events, found):
    names, texts, facts, slices, tracks = read_perfetto(path)
    ends, severities, flows = collections.defaultdict(list), [], collections.Counter()
    expected = collections.Counter((event["rank"], nanoseconds(event["begin"]), event["pattern"], event.get("callpath"))
                                   for event in events)
    for track, kind, when, fields in slices:
        check(track in tracks, f"{path}: track {track}")
        ends[track].append((when, names[fields["f10"][0]] if kind == "1" else None))
        if kind != "1":
            continue
        notes = {facts[note["f1"][0]]: note for note in fields["f4"]}
        severities.append((names[fields["f10"][0]], float(notes["severity"]["f5"][0])))
        callpath = texts[notes["callpath"]["f17"][0]] if "callpath" in notes else None
        rank = int(tracks[track].split()[1])
        key = (rank, when, names[fields["f10"][0]], callpath)
        if any("\\" in text for text in texts.values()):  # escaped by protoc
            key = next((each for each in expected if each[:3] == key[:3] and expected[each] > 0), key)
        expected[key] -= 1
        flows.update(("from", flow) for flow in fields.get("f47", []))
        flows.update(("to", flow) for flow in fields.get("f48", []))
    check(not +expected and not -expected, f"{path}: other slices: {(+expected).most_common(3)} {(-expected).most_common(3)}")
    for track, each in ends.items():
        check_nesting(each, f"{path}: {tracks[track]}")
    for pattern, (value, _) in sums_of(severities).items():
        check(math.isclose(value, found[pattern][0], rel_tol=1e-9), f"{path}: {pattern}: {value}")
    begun, ended = ({flow for side, flow in flows if side == wanted} for wanted in ("from", "to"))
    links = sum("delay" in event for event in events)
    check(begun == ended and len(begun) == links and max(flows.values(), default=1) == 1, f"{path}: flows")


def check_otf2(path, events, found):
    entered, ends, severities = [], collections.defaultdict(list), []
    for line in open(path, errors="surrogateescape"):
        match = re.match(r'(ENTER|LEAVE) +(\d+) +(\d+) +Region: "([^"]*)"', line)
        if match:
            kind, location, when, region = match.groups()
            ends[location].append((int(when), region if kind == "ENTER" else None))
            if kind == "ENTER":
                entered.append((region, int(location) & 0xffffffff))
        elif "ADDITIONAL ATTRIBUTES" in line:
            number = int(re.search(r'"number" <\d+>; UINT64; (\d+)', line)[1])
            severity = float(re.search(r'"severity" <\d+>; DOUBLE; ([^)]+)', line)[1])
            event = events[number]
            check((event["pattern"], event["rank"]) == entered[-1], f"{path}: event {number} is {entered[-1]}")
            cause = re.search(r'"delaying_location" <\d+>; LOCATION; "[^"]*" <(\d+)>', line)
            if not os.environ.get("HOSTILE"):  # a name may go on in the next line
                wanted = event["delaying_thread"] << 32 | event["delaying_rank"] if "delaying_rank" in event else -1
                check((int(cause[1]) if cause else -1) == wanted, f"{path}: cause of {number}")
            severities.append((event["pattern"], severity))
    check(len(entered) == len(events) == len(severities), f"{path}: {len(entered)} events, not {len(events)}")
    for location, each in ends.items():
        check_nesting(each, f"{path}: location {location}")
    for pattern, (value, _) in sums_of(severities).items():
        check(math.isclose(value, found[pattern][0], rel_tol=1e-5), f"{path}: {pattern}: {value}")


def main():
    folder = sys.argv[1]
    events = read_csv(f"{folder}/patterns.csv")
    check(events, "no patterns")
    lines = [json.loads(line) for line in open(f"{folder}/patterns.jsonl", encoding="utf-8", errors="surrogateescape")]
    check(len(lines) == len(events), "lines and rows")
    for line, event in zip(lines, events):
        texts = {name for name in TEXTS if line.get(name) != event.get(name)}
        check({**line, **{name: "" for name in texts}} == {**event, **{name: "" for name in texts}}, f"{line} {event}")
        check(not texts or os.environ.get("HOSTILE"), f"{line} {event}")
    check_links(events)
    found = check_report(folder, events)
    check_paraver(f"{folder}/patterns.prv", events, found)
    check_perfetto(f"{folder}/perfetto.txt", events, found)
    check_otf2(f"{folder}/otf2.txt", events, found)
    print(f"{len(events)} events of {len(found)} patterns")


main()
