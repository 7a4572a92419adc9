#!/usr/bin/env python3
"""Kills what finishes an archive at every single call that changes a file, and takes the room away at every one of them.

usage: kill_finishing.py PROGRESS AT_CALL.so      (tests/apps/progress.c and at_call.c compiled; writes to the working folder)

At the N-th such call, for N = 1, 2, ... until there are no more, a tool or a rank is killed, killed in the middle of a
write, or told that the disk is full. Each time nothing may be lost that was recorded, no damage may be left behind,
another `tarry unify` must complete what was begun, and a measured program must not notice.
"""
import collections
import os
import pathlib
import re
import shutil
import struct
import subprocess
import sys

RANKS, BATCHES, MODES = 2, 60, ["kill", "tear", "nospace"]
MOST_CALLS = 200


class Wrong(Exception):
    pass


def expect(condition, what, *said):
    if not condition:
        raise Wrong("\n".join([what, *map(str, said)]))


class Bench:
    def __init__(self, program, shim):
        self.program, self.shim = program, shim

    def tarry(self, *arguments, mode=None, call=0, who=""):
        environment = dict(os.environ)
        if mode:
            environment.update(LD_PRELOAD=self.shim, AT_CALL=f"{mode}:{call}", AT_PROGRAM=who, AT_FOLDER="/archive")
        done = subprocess.run(["tarry", *arguments], capture_output=True, text=True, timeout=60, env=environment)
        return done.returncode, done.stdout, done.stderr

    def measure(self, archive, **how):
        for file in pathlib.Path().glob("progress.[0-9]"):
            file.unlink()
        return self.tarry("measure", "-s", "-t", "--memory", "1M", "-o", archive, "--", "mpirun", "-np", str(RANKS), self.program,
                          str(BATCHES), **how)

    def events(self, archive):
        status, out, err = self.tarry("archive", "dump", archive)
        expect(status == 0, "dump fails", err)
        return collections.Counter((line.split(None, 4)[0], line.split(None, 4)[3]) for line in out.splitlines())

    def verdict(self, archive):
        status, out, err = self.tarry("archive", "verify", archive)
        last = out.strip().split("\n")[-1]
        expect(": intact, " in last, "verify", out, err)
        expect((status == 0) == (": intact, complete;" in last), f"verify: status {status}", out)
        return status == 0


def each_call(run):
    """run(mode, call) returns false when there are no more calls."""
    for mode in MODES:
        for call in range(1, MOST_CALLS):
            try:
                if not run(mode, call):
                    print(f"  {mode}: {call - 1} calls")
                    break
            except Wrong as wrong:
                raise Wrong(f"{mode} at call {call}: {wrong}") from None


def one_line(text):
    return len(text.strip().split("\n")) == 1


def unify(bench, original):
    """Of an archive whose job was killed: spools, a container that is not sealed."""
    before = bench.events(original)

    def run(mode, call):
        shutil.rmtree("archive", ignore_errors=True)
        shutil.copytree(original, "archive")
        status, _, err = bench.tarry("unify", "archive", mode=mode, call=call, who="tarry-unify")
        is_over = status == 0
        if mode == "nospace" and not is_over:
            expect(status == 1 and one_line(err) and "archive" in err and "No space left" in err, f"status {status}", err)
        else:
            expect(is_over or status in (-9, 137), f"status {status}", err)
        expect(bench.events("archive") == before, "events are lost")
        bench.verdict("archive")
        status, _, err = bench.tarry("unify", "archive")
        expect(status == 0, "unify again", err)
        expect(bench.events("archive") == before, "events are lost by the second run")
        expect(not bench.verdict("archive"), "complete, though its job was killed")
        left = [file for file in os.listdir("archive/events") if not file.endswith(".tev") and file != "job"]
        expect(not left, "left in events", left)
        return not is_over

    each_call(run)


def replay(bench, original):
    def run(mode, call):
        shutil.rmtree("archive", ignore_errors=True)
        shutil.copytree(original, "archive")
        status, _, err = bench.tarry("replay", "archive", mode=mode, call=call, who="tarry-replay")
        if mode == "nospace" and status != 0:
            expect(status == 1 and one_line(err) and "archive" in err and "No space left" in err, f"status {status}", err)
        else:
            expect(status in (0, -9, 137), f"status {status}", err)
        bench.verdict("archive")
        status_again, _, err = bench.tarry("replay", "archive")
        expect(status_again == 0, "replay again", err)
        expect(bench.verdict("archive"), "not complete after replay")
        expect(bench.tarry("report", "archive")[0] == 0, "report fails")
        return status != 0

    each_call(run)


def counted():
    counts = []
    for rank in range(RANKS):
        with open(f"progress.{rank}", "rb") as file:
            counts.append(struct.unpack("4Q", file.read(32))[0])
    return counts


def measure(bench, who):
    """A rank or `tarry measure` while they record and finish."""
    whole = RANKS * [BATCHES * 20]

    def run(mode, call):
        shutil.rmtree("archive", ignore_errors=True)
        status, _, err = bench.measure("archive", mode=mode, call=call, who=who)
        if mode == "nospace":
            expect(status == 0 or not os.path.exists("archive"), f"the program notices: status {status}", err)
        if not os.path.exists("archive"):
            expect(status == 1 and one_line(err), f"no archive: status {status}", err)
            return True
        if not os.path.exists("archive/manifest.xml") and mode != "nospace" and who == "tarry-measure":
            return True
        was_complete = bench.verdict("archive")
        if mode == "nospace":
            expect(was_complete or re.search(' missing="[^"]', pathlib.Path("archive/manifest.xml").read_text()),
                   "the manifest does not say what is missing", err)
            expect(was_complete or "No space left" in err, "stderr does not say what is missing", err)
        status, _, err = bench.tarry("unify", "archive")
        if status == 0:
            is_complete = bench.verdict("archive")
            expect(is_complete or not was_complete, "unify makes it incomplete")
            events = bench.events("archive") if os.path.exists("progress.0") and mode != "nospace" else {}
            for rank in range(RANKS if events else 0):
                found = events[str(rank), "MPI_SEND"]
                expect(found >= counted()[rank], f"rank {rank} sent {counted()[rank]}, recorded {found}")
        else:
            expect(status == 1 and one_line(err), "unify", status, err)
            expect(mode == "nospace" or not os.path.exists("progress.0") or sum(counted()) == 0, "all is lost", err)
        return not was_complete

    each_call(run)


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    bench = Bench(*map(os.path.abspath, sys.argv[1:]))
    expect(bench.measure("whole")[0] == 0, "the undisturbed run fails")
    shutil.rmtree("archive", ignore_errors=True)
    # The seventh call of a rank is in the middle of its end, that of `tarry measure` behind the end of the command.
    bench.measure("archive", mode="kill", call=7)
    expect(list(pathlib.Path("archive/events").glob("*.spool")), "no spool is left to salvage")
    os.rename("archive", "dead")
    for name, test in [("tarry unify", lambda: unify(bench, "dead")), ("tarry replay", lambda: replay(bench, "whole")),
                       ("tarry measure", lambda: measure(bench, "tarry-measure")),
                       ("the ranks", lambda: measure(bench, "progress"))]:
        print(name, flush=True)
        try:
            test()
        except Wrong as wrong:
            print(f"WRONG: {wrong}")
            return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
