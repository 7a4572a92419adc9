#!/usr/bin/env python3
"""Runs a command whose standard output is a terminal, and copies what it prints there.

usage: on_terminal.py COMMAND...
"""
import os
import subprocess
import sys

ours, theirs = os.openpty()
process = subprocess.Popen(sys.argv[1:], stdin=subprocess.DEVNULL, stdout=theirs)
os.close(theirs)
while True:
    try:
        text = os.read(ours, 65536)
    except OSError:  # EIO: the command has ended
        break
    if not text:
        break
    sys.stdout.write(text.decode().replace("\r\n", "\n"))
    sys.stdout.flush()
sys.exit(process.wait())
