#!/usr/bin/env python3
"""Does to a tree what the fenced blocks of a document say.

usage: follow_document.py DOCUMENT TREE

A block whose first line is ```LANGUAGE new FILE becomes that file; one with ```LANGUAGE before FILE TEXT goes above the
one line of FILE that begins with TEXT. Prints what it did. Status 1 if there is nothing to do, or if a line is missing.
"""
import pathlib
import re
import sys

BLOCK = re.compile(r"^```\w+ (new|before) (\S+) ?(.*)\n((?:.*\n)*?)```$", re.M)


def insert(path, anchor, text):
    lines = path.read_text().splitlines(keepends=True)
    found = [i for i, line in enumerate(lines) if line.startswith(anchor)]
    if len(found) != 1:
        sys.exit(f"{path}: {len(found)} lines begin with '{anchor}'")
    lines.insert(found[0], text)
    path.write_text("".join(lines))


def main():
    document, tree = map(pathlib.Path, sys.argv[1:])
    steps = BLOCK.findall(document.read_text())
    for action, name, anchor, text in steps:
        print(action, name, anchor)
        if action == "new":
            (tree / name).write_text(text)
        else:
            insert(tree / name, anchor, text)
    return not steps


if __name__ == "__main__":
    sys.exit(main())
