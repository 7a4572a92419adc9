#!/usr/bin/env python3
"""Prints what the blocks of a document that begin with ```sh run say, in their order.

usage: document_steps.py DOCUMENT
"""
import pathlib
import re
import sys

BLOCK = re.compile(r"^```sh run\n((?:.*\n)*?)```$", re.M)


def main():
    blocks = BLOCK.findall(pathlib.Path(sys.argv[1]).read_text())
    print("".join(blocks), end="")
    return not blocks


if __name__ == "__main__":
    sys.exit(main())
