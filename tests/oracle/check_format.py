#!/usr/bin/env python3
"""Holds the examples in docs/FORMAT.md to what the reader beside this file understands of the page.

usage: check_format.py FORMAT.md        status 1 and a line for each example that does not hold
"""
import pathlib
import re
import sys

import read_archive as format


def expected_of(words):
    return dict(word.split("=", 1) for word in words)


def numbers(text):
    return [int(number) for number in text.split(",")] if text else []


def check_record(data, words):
    expected = expected_of(words[1:])
    reader = format.Reader(data)
    code, delta, fields = format.read_record(reader)
    kind, names = format.KINDS[code]
    found = {name.rstrip("?"): "-" if value is None else str(value) for name, value in zip(names.split(), fields)}
    return not reader.left() and kind == words[0] and {**found, "delta": str(delta)} == expected


def check_calls(data, words):
    """Forms of calls: what each of the events of the last one is, with the time since the record before."""
    reader, pattern, records = format.Reader(data), None, []
    while reader.left():
        pattern, records = format.read_call(reader, pattern)
    found = [f"{format.KINDS[code][0]}+{delta}:" + ",".join("-" if value is None else str(value) for value in fields)
             for code, delta, fields in records]
    return found == words


def check_definition(data, words):
    expected = expected_of(words[1:])
    definitions = format.new_definitions()
    format.read_definitions(data, definitions)
    if words[0] == "system":
        return check_system(definitions, expected)
    found = definitions[words[0] + "s"][-1 if words[0] == "region" else 0]
    if "members" in expected:
        return found["members"] == numbers(expected["members"])
    if words[0] == "cart":
        dims = ",".join(f"{name.decode()}:{size}:{periodic}" for name, size, periodic in found["dims"])
        places = ";".join(f"{rank}:" + ",".join(map(str, at)) for rank, at in found["places"])
        found = {**found, "dims": dims, "places": places}
    if words[0] == "neighborhood":
        found = {**found, **{key: ",".join(map(str, found[key])) for key in ("sources", "destinations")}}
    text = {key: value.decode() if isinstance(value, bytes) else str(value) for key, value in found.items()}
    return all(text[key] == value for key, value in expected.items())


def check_system(found, expected):
    nodes = ",".join("-" if node["parent"] == format.NONE else str(node["parent"]) for node in found["nodes"])
    return (nodes == expected["nodes"]
            and [process["rank"] for process in found["processes"]] == numbers(expected["ranks"])
            and [location["thread"] for location in found["locations"]] == numbers(expected["threads"])
            and sum(location["events"] for location in found["locations"]) == int(expected["events"]))


def check_id_map(data, words):
    return format.read_id_maps(data) == [[numbers(word.split("=")[1]) for word in words]]


def check_corrections(data, words):
    expected = expected_of(words)
    curves, clocks = format.read_corrections(data)
    found = ";".join(",".join(f"{at}:{shift}" for at, shift in curve) or "-" for curve in curves)
    return found == expected["curves"] and clocks == numbers(expected["clocks"])


def check_profile(data, words):
    expected = [word.split("=")[1].split(",") for word in words if word.startswith("node=")]
    found = [[node[0] - 1 if node[0] else "-"] + node[1:] for node in format.read_profile(data)]
    clusters = [f"cluster={node}," + ",".join(f"{first}+{count}" for first, count in runs)
                for node, runs in format.read_clusters(data)]
    ids, values = format.read_counters(data, len(found))
    counters = [f"counters={','.join(map(str, ids))}:{';'.join(','.join(map(str, row)) for row in values)}"] if ids else []
    transfers = [f"transfers={node}:{','.join(map(str, kinds))}" for node, kinds in format.read_transfers(data).items()]
    receivers = [f"receiver={','.join(map(str, receiver))}" for receiver in format.read_receivers(data)]
    files = [f"file={','.join(map(str, file))}" for file in format.read_file_counts(data)]
    places = [f"{name}={node},{fork}" for name, part in (("fork", 6), ("team", 7))
              for node, fork in format.read_fork_places(data, part)]
    return [[str(value) for value in node] for node in found] == expected and \
        clusters + counters + transfers + receivers + files + places == [word for word in words if not word.startswith("node=")]


def check_chunk(data, _):
    chunk = format.chunk_at(data, 0)
    return format.read_records(chunk) == [(1068, 1, [7])] and chunk.process == 2 and chunk.flags == format.LAST


CHECKS = {
    "container-header": lambda data, words: format.container_header(data) == 0,
    "chunk": check_chunk, "record": check_record, "calls": check_calls, "definition": check_definition, "id-map": check_id_map,
    "profile": check_profile, "corrections": check_corrections,
    "column": lambda data, words: format.read_column(format.Reader(data)) == numbers(words[0]),
    "names": lambda data, words: b",".join(format.read_names(format.Reader(data))).decode() == words[0],
}


def main():
    text = pathlib.Path(sys.argv[1]).read_text()
    examples = re.findall(r"^```hex (.*)\n(.*(?:\n.*)*?)\n```$", text, re.M)
    failed = 0
    for title, digits in examples:
        kind, *words = title.split()
        try:
            holds = CHECKS[kind](bytes.fromhex(digits.replace("\n", " ")), words)
        except format.Damaged as error:
            print(f"{title}: {error}")
            holds = False
        if not holds:
            print(f"does not hold: {title}")
            failed += 1
    print(f"{len(examples)} examples, {failed} wrong")
    return 1 if failed or not examples else 0


sys.exit(main())
