#!/usr/bin/env python3
"""Holds the table of event kinds in docs/FORMAT.md to lib/trace/event_kinds.def.

usage: check_schema.py [--fix]        status 1 and a line if they differ; --fix writes the table anew

The oracle's reader of archives goes by the page, and the tools by the file: where both agree on a trace, both say the same.
"""
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
SCHEMA, PAGE = ROOT / "lib/trace/event_kinds.def", ROOT / "docs/FORMAT.md"
HEAD = "| code | kind | fields |\n|---|---|---|\n"


def table():
    rows = re.findall(r'^TARRY_EVENT\((\d+), \w+, "(\w+)",(.*?)\)\n(?=TARRY_EVENT|\Z)', SCHEMA.read_text(), re.M | re.S)
    return HEAD + "".join(f"| {code} | {kind} | {', '.join(fields_of(text))} |\n" for code, kind, text in rows)


def fields_of(text):
    fields = re.findall(r"TARRY_(FIELD|OPTIONAL)\([\w:]+, (\w+)\)", text)
    return [name + "?" * (mark == "OPTIONAL") for mark, name in fields]


def main():
    page = PAGE.read_text()
    begin = page.index(HEAD)
    end = page.index("\n\n", begin) + 1
    if page[begin:end] == table():
        print("schema: ok")
    elif "--fix" in sys.argv[1:]:
        PAGE.write_text(page[:begin] + table() + page[end:])
    else:
        sys.exit(f"{PAGE.relative_to(ROOT)}: its table of kinds is not that of {SCHEMA.relative_to(ROOT)}; run {sys.argv[0]} --fix")


main()
