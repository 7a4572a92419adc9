"""Writes over some bytes of the first file of events that is named: in its first chunk.

usage: spoil_events.py FILE.tev...
"""
import sys

with open(sys.argv[1], "r+b") as file:
    file.seek(32 + 64 + 20)  # the file's head, that of the chunk, some events
    file.write(b"\xff" * 8)
