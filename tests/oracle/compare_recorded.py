#!/usr/bin/env python3
"""Compares what `tarry replay` and the reference analyser find in traces that were recorded.

usage: compare_recorded.py TRACES.otf2...

Prints for each trace how many values agree; status 1 if one differs.
"""
import argparse
import collections
import os
import sys

from compare_random import compare_trace


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("traces", nargs="+", metavar="TRACES.otf2")
    parser.add_argument("--rel", type=float, default=1e-9, help="relative tolerance")
    parser.add_argument("--abs", type=float, default=1e-12, help="absolute tolerance")
    options = parser.parse_args()
    is_same = True
    for anchor in options.traces:
        compared = collections.Counter()
        problems = compare_trace(anchor, os.path.join(os.path.dirname(anchor), "tool.cubex"), options, compared,
                                 collections.Counter())
        print(f"{anchor}: {sum(compared.values())} values of {len(+compared)} metrics, {len(problems)} differ")
        print("".join(line + "\n" for line in problems), end="")
        is_same &= not problems and bool(+compared)
    return 0 if is_same else 1


if __name__ == "__main__":
    sys.exit(main())
