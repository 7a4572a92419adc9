#!/usr/bin/env python3
"""wrap_header.py -- makes the library that stands in front of the functions of a header, and prints its path.

usage: wrap_header.py FOLDER PROCESSOR HEADER [LIBRARY]

LIBRARY is a path, or a name as for -l. What is made stays in FOLDER, for the next time: the name tells the table, and
LD_PRELOAD gets an empty library that names the one with the code (lib/measure/rules.mk).
"""
import hashlib
import os
import subprocess
import sys
import tempfile

import header_table
import wrapped_table


class CannotMake(Exception):
    """A step has failed."""


def compiler():
    return os.environ.get("TARRY_CC") or "cc"


def run(words, **more):
    try:
        done = subprocess.run(words, capture_output=True, text=True, check=False, **more)
    except OSError as error:
        raise CannotMake(f"{words[0]}: {error.strerror}") from None
    if done.returncode != 0:
        raise CannotMake(f"{words[0]}: {(done.stderr.strip() or 'failed').splitlines()[0]}")
    return done.stdout


def find_library(name):
    if os.path.exists(name):
        return name
    found = run([compiler(), f"-print-file-name=lib{name}.so"]).strip()
    if not os.path.exists(found):
        raise CannotMake(f"{name}: no such library")
    return found


def make(folder, processor, header, library):
    arguments = header_table.parse([header] + (["--library", find_library(library)] if library else []))
    lines, left_out = header_table.table_of(arguments)
    if not lines:
        raise CannotMake(f"{header}: declares no functions that can be wrapped")
    functions = wrapped_table.read_table(lines)
    name = os.path.basename(library or header)
    code = wrapped_table.library_code(functions, processor, "".join(c if c.isalnum() or c in "._+-" else "_" for c in name))
    digest = hashlib.sha256(code.encode()).hexdigest()[:16]
    behind, preloaded = f"libtarry-wrap-{digest}.so", f"libtarry-preload-wrap-{digest}.so"
    os.makedirs(folder, exist_ok=True)
    for file, words, text in ((behind, ["assembler"], code),
                              (preloaded, ["c", f"-Wl,--auxiliary,$ORIGIN/{behind}"], "")):
        if not os.path.exists(os.path.join(folder, file)):
            build(folder, file, words, text)
    return os.path.join(folder, preloaded), len(functions), left_out


def build(folder, file, words, text):
    """Under another name at first: a library is whole, or not there."""
    with tempfile.TemporaryDirectory(dir=folder, prefix=".draft-") as draft:
        made = os.path.join(draft, file)
        run([compiler(), "-shared", "-nostdlib", *words[1:], "-o", made, "-x", words[0], "-"], input=text)
        os.replace(made, os.path.join(folder, file))


def main():
    folder, processor, header = sys.argv[1:4]
    try:
        path, count, left_out = make(folder, processor, header, sys.argv[4] if len(sys.argv) > 4 else "")
    except (CannotMake, header_table.NotThere, wrapped_table.WrongLine, OSError) as error:
        sys.exit(f"{error}")
    print(path)
    if left_out:
        print(f"{count} functions; left out: {', '.join(left_out)}")


if __name__ == "__main__":
    main()
