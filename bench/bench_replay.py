#!/usr/bin/env python3
"""Speed and memory of reading a trace of make_trace: one command, one figure.

usage: bench_replay.py speed|memory|mebibytes FOLDER COMMAND...

Runs COMMAND and prints how many million events it takes a second ("speed"), or how many bytes it needs an event at its
peak ("memory"), or how many MiB it needs in all ("mebibytes"). FOLDER/events says how many events there are.
"""
import pathlib
import resource
import subprocess
import sys
import time

what, folder, *command = sys.argv[1:]
events = int((pathlib.Path(folder) / "events").read_text())
begin = time.monotonic()
subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
seconds = time.monotonic() - begin
kibibytes = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
print({"speed": f"{events / seconds / 1e6:.4f}", "memory": f"{kibibytes * 1024 / events:.2f}",
       "mebibytes": f"{kibibytes / 1024:.1f}"}[what])
