#!/usr/bin/env python3
"""Fails if C++ code takes or gives a field of an event by its position.

usage: check_fields.py     (from the root of the tree)

Records have names for their fields (lib/trace/record.hpp): if lib/trace/event_kinds.def orders them otherwise, nothing
may change its meaning silently. So only the codec and its tests see Event::fields, and no source lists the fields of a
kind in braces. Facts about the fields of a kind, `info.fields`, are something else.
"""
import pathlib
import re
import sys

FOLDERS = ["lib", "tools", "tests", "bench"]
KINDS = pathlib.Path("lib/trace/event_kinds.def")
CODEC = {"lib/trace/event.cpp", "lib/trace/event_codec.cpp", "lib/trace/record.hpp", "tests/unit/trace/event_codec_test.cpp",
         "tests/unit/trace/event_test.cpp"}
ACCESS = re.compile(r"(?<!\binfo)(?<!\.)(?:\.|->)\s*fields\b(?!\s*\()")


def list_of_fields():
    """What finds `kMpiSend, {1, 0, 7, 8}`, for every kind that there is."""
    names = re.findall(r"^TARRY_EVENT\(\d+, (\w+),", KINDS.read_text(), re.M)
    return re.compile(rf"\bk(?:{'|'.join(names)})\s*,\s*\{{")


def without_comments(text):
    return re.sub(r"//[^\n]*", "", text)


def complaints(path, fields_in_braces):
    text = without_comments(path.read_text())
    for pattern, fault in ((ACCESS, "takes a field by its position: use record_of or visit_record"),
                           (fields_in_braces, "gives fields by their position: use a record")):
        for match in pattern.finditer(text):
            yield f"{path}:{text.count(chr(10), 0, match.start()) + 1}: {fault}"


def main():
    fields_in_braces = list_of_fields()
    files = sorted(path for folder in FOLDERS for path in pathlib.Path(folder).rglob("*.[ch]pp") if str(path) not in CODEC)
    found = [line for path in files for line in complaints(path, fields_in_braces)]
    print("\n".join(found) if found else "fields: ok")
    return 1 if found else 0


sys.exit(main())
