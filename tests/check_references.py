#!/usr/bin/env python3
"""Fails if a document or a source refers to a document, a heading or a file of the tree that is not there.

usage: check_references.py      (in the root of the tree)

Checked are links between documents, `docs/X.md, "Heading"` in documents and sources, and paths in `code spans` of
documents that begin with a folder of the tree. Capitals (`bin/tarry-X`) are placeholders.
"""
import pathlib
import re
import sys

LINK = re.compile(r"\]\(([^)#\s]*)(?:#([^)\s]*))?\)")
QUOTED = re.compile(r"\b(?:docs/)?([A-Z_]+\.md)(?:\]\([^)]*\))?,\s(?:(?://|#|\*)\s)?((?:\"[^\"]+\"(?:,\s|\sand\s)?)+)")
PATH = re.compile(r"`((?:bench|bin|docs|lib|packaging|tests|tools)/[\w./-]+)`")
PLACEHOLDER = re.compile(r"(?:^|[/-])(?:[A-Z]+(?:/|$)|[A-Z]\.)")
SUFFIXES = {".cpp", ".hpp", ".h", ".c", ".def", ".inc", ".py", ".sh", ".md"}

# Documents that are about to be written, or rewritten.
NOT_YET = set()


def without_fences(text):
    return re.sub(r"^(```|~~~).*?^\1", "", text, flags=re.M | re.S)


def headings(path):
    return re.findall(r"^#+ (.*)$", without_fences(path.read_text()), re.M)


def short_name(heading):
    """Without the identifier of a metric: several metrics may share it."""
    return re.sub(r" \(`.*`\)$", "", heading)


def anchor(heading):
    return re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")


def broken_links(path, text):
    for target, name in LINK.findall(text):
        if "://" in target:
            continue
        file = path.parent / target if target else path
        if not file.exists():
            if str(file) not in NOT_YET:
                yield f"{path}: no file {target}"
        elif name and file.suffix == ".md" and name not in map(anchor, headings(file)):
            yield f"{path}: {file} has no heading #{name}"


def broken_quotes(path, text):
    text = re.sub(r"\n\s*(?://+<?|#|\*)\s?", " ", text) if path.suffix != ".md" else text.replace("\n", " ")
    for page, names in QUOTED.findall(text):
        file = pathlib.Path("docs") / page
        if not file.exists():
            yield f"{path}: no document {file}"
            continue
        for name in re.findall(r"\"([^\"]+)\"", names):
            if name not in map(short_name, headings(file)):
                yield f"{path}: {file} has no heading \"{name}\""


def broken_paths(path, text):
    for name in PATH.findall(without_fences(text)):
        if PLACEHOLDER.search(name) or "*" in name:
            continue
        if not any(pathlib.Path(name + suffix).exists() for suffix in ["", *SUFFIXES]):
            yield f"{path}: no file {name}"


def main():
    found = []
    documents = sorted(pathlib.Path(".").glob("*.md")) + sorted(pathlib.Path("docs").glob("*.md"))
    for path in documents:
        if str(path) in NOT_YET:
            continue
        text = path.read_text()
        found += [*broken_links(path, text), *broken_paths(path, text)]
    sources = [path for folder in ("lib", "tools", "tests", "bench") for path in sorted(pathlib.Path(folder).rglob("*"))
               if path.suffix in SUFFIXES and path.parent.name != "harness" and path.name != "check_references.py"]
    for path in documents + sources:
        found += broken_quotes(path, path.read_text(errors="replace"))
    print("\n".join(found) if found else "references: ok")
    return 1 if found else 0


sys.exit(main())
