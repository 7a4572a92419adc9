#!/usr/bin/env python3
"""Fails if a text for people holds what a terminal acts upon: control characters (C0, DEL, C1), what breaks lines or turns
the direction of writing, bytes that are no UTF-8, or a line that begins with WORD.

usage: check_printable.py WORD FILE...
"""
import re
import sys

FORBIDDEN = re.compile("[\0-\x09\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff\udc80-\udcff]")

wrong = 0
for name in sys.argv[2:]:
    text = open(name, encoding="utf-8", errors="surrogateescape", newline="").read()
    for number, line in enumerate(text.split("\n"), 1):
        found = FORBIDDEN.search(line)
        if found or line.startswith(sys.argv[1]):
            print(f"{name}:{number}: {line!a:.200}")
            wrong = 1
sys.exit(wrong)
