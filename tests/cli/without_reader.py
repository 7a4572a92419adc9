#!/usr/bin/env python3
"""Runs a command whose standard output is a pipe that nobody reads.

usage: without_reader.py COMMAND...       prints `status N: COMMAND`; what the command says goes to standard error
"""
import os
import subprocess
import sys

reader, writer = os.pipe()
os.close(reader)
status = subprocess.run(sys.argv[1:], stdin=subprocess.DEVNULL, stdout=writer).returncode
print(f"status {status}: {' '.join(sys.argv[1:])}")
