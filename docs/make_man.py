#!/usr/bin/env python3
"""Writes a manual page for each tool from what it says of itself.

usage: make_man.py FOLDER TOOL...

The text of `TOOL --help` becomes FOLDER/<name of TOOL>.1: the first paragraph is the purpose, the line that starts with
"Usage:" the synopsis, every other line that starts in the first column and ends with a colon a heading. All else keeps
its line breaks.
"""
import pathlib
import re
import subprocess
import sys


def escaped(line):
    """The line as roff takes it literally."""
    line = line.replace("\\", "\\e").replace("-", "\\-")
    return "\\&" + line if line[:1] in (".", "'") else line


def help_of(tool):
    done = subprocess.run([tool, "--help"], capture_output=True, text=True, timeout=30)
    if done.returncode != 0 or not done.stdout:
        sys.exit(f"make_man.py: {tool}: --help fails: {done.stderr.strip()}")
    return done.stdout


def version_of(tool):
    done = subprocess.run([tool, "--version"], capture_output=True, text=True, timeout=30)
    words = done.stdout.split()
    return words[1] if len(words) > 1 else ""


def page(name, text, version):
    lines = re.sub(r"\n{3,}", "\n\n", text.strip("\n")).split("\n")
    is_usage = [bool(re.match(r"(?i)usage:", line)) for line in lines]
    purpose = "finds where parallel programs wait"
    if not is_usage[0]:
        end = next((i for i, line in enumerate(lines) if not line.strip() or is_usage[i]), len(lines))
        purpose = " ".join(line.strip() for line in lines[:end])
        lines, is_usage = lines[end:], is_usage[end:]

    roff = [f'.TH {name.upper()} 1 "" "Tarry {version}" "Tarry manual"',
            ".SH NAME", f"{escaped(name)} \\- {escaped(purpose.rstrip('.'))}"]
    filled, indent = True, 0
    for line, usage in zip(lines, is_usage):
        heading = re.fullmatch(r"([A-Za-z][A-Za-z ]*):", line.rstrip())
        if usage or heading:
            roff += [] if filled else [".fi"]
            roff += [".SH " + ("SYNOPSIS" if usage else heading.group(1).upper()), ".nf"]
            filled = False
            indent = len(line) - len(re.sub(r"(?i)^usage: *", "", line)) if usage else 0
            line = line[indent:] if usage else ""
        elif not line.strip():
            indent = 0
        elif not line[:indent].strip():
            line = line[indent:]
        if filled:
            roff.append(".nf")
            filled = False
        if line.strip() or not roff[-1].startswith("."):
            roff.append(escaped(line.rstrip()))
    return "\n".join(roff + [".fi", ""])


def main():
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    folder = pathlib.Path(sys.argv[1])
    for tool in sys.argv[2:]:
        name = pathlib.Path(tool).name
        (folder / f"{name}.1").write_text(page(name, help_of(tool), version_of(tool)))


if __name__ == "__main__":
    main()
