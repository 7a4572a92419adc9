#!/usr/bin/env python3
"""Writes the manual pages of tools and of their operations from what they say of themselves.

usage: make_man.py FOLDER TOOL...

`TOOL --help` becomes FOLDER/<name of TOOL>.1. If it has a section "Operations:", the help of each becomes a page, too:
tarry-cube-diff.1. The first paragraph of a help text is the purpose, the line "Usage: ..." the synopsis; a line in the
first column that ends with a colon, or one that starts with "Files:", "See also:" and the like, begins a section.
SOURCE_DATE_EPOCH sets the date of the pages (default: none).
"""
import datetime
import os
import pathlib
import re
import subprocess
import sys

SECTION = re.compile(r"([A-Za-z][A-Za-z ]*):\s*$")
SECTION_WITH_TEXT = re.compile(r"(?i)(files|reads|see also|exit status|usage):\s+(\S.*)$")
TITLES = {"POSITIONALS": "ARGUMENTS", "READS": "FILES", "USAGE": "SYNOPSIS"}
ENTRY_SECTIONS = ("ARGUMENTS", "OPTIONS", "OPERATIONS")
EXAMPLE_SECTIONS = ("EXAMPLES",)
ENTRY = re.compile(r"  (\S+(?: \S+)*)(?:  +(\S.*))?$")


def escaped(text):
    """The text as roff takes it literally."""
    text = text.replace("\\", "\\e").replace("-", "\\-")
    return "\\&" + text if text[:1] in (".", "'") else text


def output_of(command):
    done = subprocess.run(command, capture_output=True, text=True, timeout=30)
    if done.returncode != 0 or not done.stdout:
        sys.exit(f"make_man.py: {' '.join(command)} fails: {done.stderr.strip()}")
    return done.stdout


def sections_of(text):
    """[(title, lines)] of a help text; the first one has the title ""."""
    sections = [("", [])]
    for line in text.strip("\n").split("\n"):
        begin, with_text = SECTION.match(line), SECTION_WITH_TEXT.match(line)
        if begin or with_text:
            title = (begin or with_text).group(1).upper()
            sections.append((TITLES.get(title, title), [with_text.group(2)] if with_text else []))
        else:
            sections[-1][1].append(line)
    return sections


def entries(lines):
    """Tagged paragraphs of "  name   text" lines; what is indented further continues the text."""
    roff = []
    for line in lines:
        entry = ENTRY.match(line)
        if entry:
            roff += [".TP", ".B " + escaped(entry.group(1))]
            line = entry.group(2) or ""
        if line.strip():
            roff.append(escaped(line.strip()))
    return roff


def as_it_is(lines):
    return [".nf", *(escaped(line) for line in lines), ".fi"]


def references(lines):
    """`tarry cube diff` as tarry\\-cube\\-diff(1)."""
    def page_name(found):
        return "tarry" + found.group(1).replace(" ", "-") + "(1)"

    text = " ".join(line.strip() for line in lines)
    return [escaped(re.sub(r"tarry((?: [a-z]+)+)(?= OP\b|,|$)", page_name, text))]


def trimmed(lines):
    while lines and not lines[0].strip():
        lines = lines[1:]
    while lines and not lines[-1].strip():
        lines = lines[:-1]
    return lines


def page(name, text, version):
    """The manual page `name` of a help text."""
    sections = sections_of(text)
    purpose = " ".join(line.strip() for line in sections[0][1] if line.strip()) or "finds where parallel programs wait"
    epoch = os.environ.get("SOURCE_DATE_EPOCH")
    date = datetime.datetime.fromtimestamp(int(epoch), datetime.timezone.utc).strftime("%Y-%m-%d") if epoch else ""
    roff = [f'.TH {name.upper()} 1 "{date}" "Tarry {version}" "Tarry manual"',
            ".SH NAME", f"{escaped(name)} \\- {escaped(purpose.rstrip('.'))}"]
    for title, lines in sections[1:]:
        lines = trimmed(lines)
        if not lines:
            continue
        roff.append(f".SH {title}")
        if title == "SYNOPSIS":
            usage, blank, notes = "\n".join(lines).partition("\n\n")
            usage = re.sub(r"(?m)^(\s*)tarry-([a-z]+)\b", r"\1tarry \2", usage)
            roff += as_it_is(usage.split("\n"))
            roff += [".SH DESCRIPTION", *as_it_is(notes.split("\n"))] if blank else []
        elif title in ENTRY_SECTIONS:
            listed = lines[:lines.index("")] if "" in lines else lines
            notes = trimmed(lines[len(listed):])
            roff += entries(listed)
            roff += [".SH NOTES", *as_it_is(notes)] if notes else []
        elif title in EXAMPLE_SECTIONS:
            listed = lines[:lines.index("")] if "" in lines else lines
            notes = trimmed(lines[len(listed):])
            roff += as_it_is(listed)
            roff += [".SH NOTES", *as_it_is(notes)] if notes else []
        elif title == "SEE ALSO":
            roff += references(lines)
        else:
            roff += as_it_is([line[2:] if line.startswith("  ") else line for line in lines])
    return "\n".join([*roff, ""])


def operations_of(text):
    for title, lines in sections_of(text):
        if title == "OPERATIONS":
            return [entry.group(1) for entry in map(ENTRY.match, lines) if entry]
    return []


def main():
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    folder = pathlib.Path(sys.argv[1])
    for tool in sys.argv[2:]:
        name = pathlib.Path(tool).name
        words = output_of([tool, "--version"]).split()
        version = words[1] if len(words) > 1 else ""
        text = output_of([tool, "--help"])
        (folder / f"{name}.1").write_text(page(name, text, version))
        for operation in operations_of(text):
            own = page(f"{name}-{operation}", output_of([tool, operation, "--help"]), version)
            (folder / f"{name}-{operation}.1").write_text(own)


if __name__ == "__main__":
    main()
