#!/usr/bin/env python3
"""sweep_cluster.py PID FOLDER: when process PID is gone, kills what is left of the Slurm cluster in FOLDER.

Steps of jobs leave the session of the test, so that nobody else finds them when a test is killed. A process belongs to
the cluster if a file that it has open, a variable or an argument is below FOLDER. Folders do not count: whoever removes
them has them open.
"""
import os
import pathlib
import select
import signal
import sys
import time

QUIET_SECONDS = 1.0  # slurmd may be starting one more step


def texts_of(process):
    for name in ("cmdline", "environ"):
        yield (process / name).read_bytes()
    for link in (process / "fd").iterdir():
        if link.is_file():
            yield os.readlink(link).encode()


def belongs(process, folder):
    try:
        return any(folder in text for text in texts_of(process))
    except OSError:  # it ends just now
        return False


def find_left(folder):
    processes = (int(p.name) for p in pathlib.Path("/proc").glob("[0-9]*"))
    return [pid for pid in processes if pid != os.getpid() and belongs(pathlib.Path(f"/proc/{pid}"), folder)]


def main():
    pid, folder = int(sys.argv[1]), os.fsencode(sys.argv[2]) + b"/"
    try:
        watched = select.poll()
        watched.register(os.pidfd_open(pid), select.POLLIN)
        watched.poll()
    except ProcessLookupError:
        pass
    quiet_since = time.monotonic()
    while time.monotonic() < quiet_since + QUIET_SECONDS:
        for left in find_left(folder):
            quiet_since = time.monotonic()
            try:
                os.kill(left, signal.SIGKILL)
            except ProcessLookupError:
                pass
        time.sleep(0.1)


if __name__ == "__main__":
    main()
