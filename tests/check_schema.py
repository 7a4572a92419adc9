#!/usr/bin/env python3
"""Holds docs to tables of the sources: events of docs/FORMAT.md to lib/trace/event_kinds.def, headings of docs/METRICS.md
to metrics.def and wait_kinds.def in lib/report/metrics.

usage: check_schema.py [--fix]        status 1 and a line if they differ; --fix writes the table of events anew, and a
                                      heading with the row's description behind that of the metric before

The oracle's reader of archives goes by the page, and the tools by the file: where both agree on a trace, both say the same.
"""
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
SCHEMA, PAGE = ROOT / "lib/trace/event_kinds.def", ROOT / "docs/FORMAT.md"
METRICS = ROOT / "docs/METRICS.md"
HEAD = "| code | kind | fields |\n|---|---|---|\n"
ROW = re.compile(r'^(TREE|METRIC|WAIT|COST)\((\w+),((?:[^"]|"[^"]*")*?)\)$', re.M)


def table():
    rows = re.findall(r'^TARRY_EVENT\((\d+), \w+, "(\w+)",(.*?)\)\n(?=TARRY_EVENT|\Z)', SCHEMA.read_text(), re.M | re.S)
    return HEAD + "".join(f"| {code} | {kind} | {', '.join(fields_of(text))} |\n" for code, kind, text in rows)


def fields_of(text):
    fields = re.findall(r"TARRY_(FIELD|OPTIONAL)\([\w:]+, (\w+)\)", text)
    return [name + "?" * (mark == "OPTIONAL") for mark, name in fields]


def with_table(page):
    begin = page.index(HEAD)
    end = page.index("\n\n", begin) + 1
    return page[:begin] + table() + page[end:]


def metrics_of(form, name, rest):
    """Identifier, parent, heading and description of the metrics of a row."""
    texts = re.findall(r'"([^"]*)"', rest)
    parent = rest.split(",")[0].strip()
    if form == "COST":
        stem, shown, waits, *parts = texts
        yield f"kDelay{name}All", parent, f"{shown} (`delay_{stem}_aggregate`)", f"{waits}, short-term and long-term"
        yield f"kDelay{name}", f"kDelay{name}All", f"Short-term (`delay_{stem}`)", waits + parts[0]
        yield f"kDelay{name}LongTerm", f"kDelay{name}All", f"Long-term (`delay_{stem}_longterm`)", waits + parts[1]
    else:
        text = texts[3] if form == "WAIT" else texts[-1]
        yield "k" * (form == "WAIT") + name, "kNone" if form == "TREE" else parent, f"{texts[1]} (`{texts[0]}`)", text


def catalogue():
    """Heading and description of all metrics, in the order of reports."""
    rows = [metric for name in ("metrics.def", "wait_kinds.def")
            for row in ROW.findall((ROOT / "lib/report/metrics" / name).read_text()) for metric in metrics_of(*row)]
    below = {}
    for row in rows:
        below.setdefault(row[1], []).append(row)

    def in_order(parent):
        for name, _, heading, text in below.get(parent, []):
            yield heading, text
            yield from in_order(name)
    return list(in_order("kNone"))


def with_headings(page):
    before = None
    for heading, text in catalogue():
        mark = f"### {heading}\n"
        if mark not in page:
            at = page.index(before) + len(before) if before else page.index("\n### ")
            end = re.compile(r"^#", re.M).search(page, at).start()
            page = f"{page[:end]}{mark}\n{text}.\n\n{page[end:]}"
        before = mark
    return page


def main():
    is_fixing, wrong = "--fix" in sys.argv[1:], []
    for path, expected in ((PAGE, with_table), (METRICS, with_headings)):
        page = path.read_text()
        if page == expected(page):
            continue
        if is_fixing:
            path.write_text(expected(page))
        else:
            wrong.append(f"{path.relative_to(ROOT)}: not as the tables of the sources are; run {sys.argv[0]} --fix")
    if wrong:
        sys.exit("\n".join(wrong))
    print("schema: ok")


main()
