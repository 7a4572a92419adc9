#!/usr/bin/env python3
"""Prints the commands of a document in their order, as a script.

usage: document_steps.py DOCUMENT

Commands stand in fenced blocks without a language, or with the language `sh`. If some lines of such a block begin with
"$ ", these are the commands, and the others are what they print. Else all lines are. What is to be read only has
another language: `text`, `c`, `slurm`.
"""
import pathlib
import re
import sys

BLOCK = re.compile(r"^```(.*)\n((?:.*\n)*?)```$", re.M)


def commands(block):
    shown = [line[2:] for line in block.splitlines() if line.startswith("$ ")]
    return "".join(line + "\n" for line in shown) if shown else block


def main():
    blocks = [block for language, block in BLOCK.findall(pathlib.Path(sys.argv[1]).read_text())
              if language in ("", "sh")]
    print("".join(map(commands, blocks)), end="")
    return not blocks


if __name__ == "__main__":
    sys.exit(main())
