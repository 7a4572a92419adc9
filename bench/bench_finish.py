#!/usr/bin/env python3
"""Seconds that it takes to finish a large trace, and to write the same bytes through zlib.

usage: bench_finish.py ours PROGRAM LIBRARY BYTES      records BYTES of events in memory, into ./finish
       bench_finish.py zlib                            compresses what ./finish holds, into ./finish.zlib

Ours counts from the end of main to the end of the process: chunks compressed, summed and written, names looked up,
definitions written. Both use level 1, one thread, and leave the file to the system's cache.
"""
import os
import pathlib
import shutil
import subprocess
import sys
import time
import zlib

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "tests" / "oracle"))
import read_archive  # noqa: E402


def finish(program, library, size):
    shutil.rmtree("finish", ignore_errors=True)
    os.mkdir("finish")
    environment = dict(os.environ, LD_PRELOAD=library, TARRY_ARCHIVE=os.path.abspath("finish"), TARRY_TRACE="1",
                       TARRY_MEMORY="4G", TARRY_SPOOL="memory")
    done = subprocess.run([program, size], env=environment, stdout=subprocess.PIPE, text=True, check=True)
    return time.clock_gettime(time.CLOCK_MONOTONIC) - float(done.stdout)


def compress():
    payloads = []
    for path in pathlib.Path("finish/events").glob("*.tev"):
        payloads += [chunk.payload() for chunk in read_archive.read_container(path.read_bytes()) if chunk.kind == 1]
    start = time.perf_counter()
    with open("finish.zlib", "wb") as out:
        for payload in payloads:
            out.write(zlib.compress(payload, 1))
    return time.perf_counter() - start


def main():
    if sys.argv[1:2] == ["ours"] and len(sys.argv) == 5:
        print(f"{finish(*sys.argv[2:]):.3f}")
    elif sys.argv[1:] == ["zlib"]:
        print(f"{compress():.3f}")
    else:
        sys.exit(__doc__)


if __name__ == "__main__":
    main()
