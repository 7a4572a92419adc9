#!/usr/bin/env python3
"""Fails if a declaration of the recorder has a plain number where it means a region, a communicator and so on.

usage: check_ids.py     (from the root of the tree)

Looks at the headers of lib/measure: parameters and results whose name says what they are, but whose type is an integer.
lib/defs/definitions.hpp has the types. What MPI itself calls a rank may be an int.
"""
import pathlib
import re
import sys

TYPES = {"region": "RegionId", "comm": "CommId", "window": "WindowId", "handle": "IoHandleId", "group": "GroupId",
         "counter": "CounterId", "process": "WorldRank", "receiver": "CommRank"}
NO_IDS = {"process_id"}  # the system's
INTEGER = r"(?:std::)?u?int(?:8|16|32|64)?(?:_t)?|unsigned(?: int| long)?|(?:std::)?size_t|long(?: long)?"
PARAMETER = re.compile(rf"[(,]\s*(?:const )?(?:{INTEGER})&?\s+(?P<name>\w+)\s*(?=[,)=])")
RESULT = re.compile(rf"\b(?:{INTEGER})\s+(?:\w+::)?(?P<name>\w+)\(")


def kind_of(name):
    """"region" for region, its_region, region_of_call, region_at."""
    if name in NO_IDS:
        return None
    first, *others = name.split("_")
    for kind in TYPES:
        is_last = [first, *others][-1] == kind and first != "count"
        if is_last or (first == kind and others and others[0] in ("of", "at", "id", "in", "named")):
            return kind
    return None


def without_comments(text):
    return re.sub(r"//[^\n]*", "", text)


def complaints(path):
    text = without_comments(path.read_text())
    for pattern in (PARAMETER, RESULT):
        for match in pattern.finditer(text):
            kind = kind_of(match["name"])
            if kind:
                line = text.count("\n", 0, match.start("name")) + 1
                yield f"{path}:{line}: {match['name']} is a number: use {TYPES[kind]}"


def main():
    headers = sorted(pathlib.Path("lib/measure").rglob("*.hpp"))
    found = [line for path in headers for line in complaints(path)]
    print("\n".join(found) if found else "ids: ok")
    return 1 if found else 0


sys.exit(main())
