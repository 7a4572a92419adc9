#!/usr/bin/env python3
"""Definitions of metrics for the explorer, from docs/METRICS.md: what it says below the heading of each, and pictures.

usage: metric_texts.py METRICS.md > metric_texts.json

The result is {"metrics": {NAME: [part, ...]}, "pictures": {FILE: SVG}}. A part has one member: "text" (a paragraph),
"item" (of a list), "code" (lines as they are) or "picture" (a file, with "alt").
"""
import json
import pathlib
import re
import sys

HEADING = re.compile(r"^#{2,4} .*?(?:\(`(\w+)`\))?$")
PICTURE = re.compile(r"^!\[(.*)\]\(pictures/(.+\.svg)\)$")
LINK = re.compile(r"\[([^\]]*)\]\([^)]*\)")
ITEM = re.compile(r"^[*-] ")


def plain(text):
    """A paragraph without links and bold face; `names` stay marked."""
    return LINK.sub(r"\1", text).replace("**", "")


def part_of(lines):
    """What one block of lines between empty ones is."""
    picture = PICTURE.match(lines[0])
    if picture:
        return [{"picture": picture.group(2), "alt": picture.group(1)}]
    if all(line.startswith("    ") for line in lines):
        return [{"code": "\n".join(line[4:] for line in lines)}]
    if lines[0].startswith("|"):
        return [{"code": "\n".join(lines)}]
    if ITEM.match(lines[0]):
        items = re.split(r"\n[*-] ", "\n" + "\n".join(lines))[1:]
        return [{"item": plain(" ".join(item.split()))} for item in items]
    return [{"text": plain(" ".join(line.strip() for line in lines))}]


def parts_of(lines):
    blocks = [block.split("\n") for block in re.split(r"\n\s*\n", "\n".join(lines).strip("\n")) if block.strip()]
    return [part for block in blocks for part in part_of(block)]


def texts_of(document):
    """{metric: lines below its heading}"""
    texts, at = {}, None
    for line in document.splitlines():
        heading = HEADING.match(line)
        if heading:
            at = texts.setdefault(heading.group(1), []) if heading.group(1) else None
        elif at is not None:
            at.append(line)
    return texts


def main(path):
    document = pathlib.Path(path)
    metrics = {name: parts_of(lines) for name, lines in texts_of(document.read_text()).items()}
    files = sorted({part["picture"] for parts in metrics.values() for part in parts if "picture" in part})
    pictures = {file: (document.parent / "pictures" / file).read_text() for file in files}
    json.dump({"metrics": metrics, "pictures": pictures}, sys.stdout, separators=(",", ":"), sort_keys=True)


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__.strip())
    main(sys.argv[1])
