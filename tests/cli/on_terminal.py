#!/usr/bin/env python3
"""Runs a command whose standard output is a terminal, and copies what it prints there.

usage: on_terminal.py COMMAND...

The terminal is as wide as $TERMINAL_COLUMNS says; else it does not tell.
"""
import fcntl
import os
import struct
import subprocess
import sys
import termios

ours, theirs = os.openpty()
columns = int(os.environ.get("TERMINAL_COLUMNS", "0"))
fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24 if columns else 0, columns, 0, 0))
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
