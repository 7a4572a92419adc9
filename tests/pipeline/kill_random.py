#!/usr/bin/env python3
"""Kills measured jobs at random moments and checks that nothing is lost of what they had recorded.

usage: kill_random.py PROGRESS TIMES [SEED]      (PROGRESS: tests/apps/progress.c compiled; writes to the working folder)

Each time four ranks pass messages around and keep count of them in files that outlive them; one rank, the launcher, the
job, `tarry measure` or all of these get SIGKILL at a random moment between the start and a little after the end. Then
the archive must hold at least what was counted and at most one more of each kind, must say itself that it is incomplete
unless the kill came too late, and `unify`, `replay`, `report` and `dump` must work on it as the manual says. Every third
time it is a summary that is recorded, or both: then that must hold as much.
"""
import collections
import csv
import os
import pathlib
import random
import re
import shutil
import signal
import struct
import subprocess
import sys
import time

RANKS, BATCHES = 4, 4000
LAUNCHERS = ["mpirun", "mpirun.mpich", "hydra_pmi_proxy"]
VICTIMS = ["rank", "launcher", "job", "measure", "all"]
COUNTED = ["MPI_SEND", "MPI_RECV", "MPI_COLLECTIVE_END"]
SUMMED = [("comms_send", "syncs_send"), ("comms_recv", "syncs_recv"), ("comms_coll", "syncs_coll")]
MODES = [["-t"], ["-s"], ["-s", "-t"]]
PATIENCE = 60
# From when on a random delay counts, and how often that is chosen.
MOMENTS = {"start": 2, "first message": 12, "end": 6}
AFTER_END = 0.08


class Wrong(Exception):
    pass


def processes(*names):
    """Numbers of the processes of this test with one of these names: they work in this folder."""
    here, found = os.getcwd(), []
    for folder in pathlib.Path("/proc").glob("[0-9]*"):
        try:
            if (folder / "comm").read_text().strip() in names and os.readlink(folder / "cwd") == here:
                found.append(int(folder.name))
        except OSError:
            pass
    return found


def tarry(*arguments):
    done = subprocess.run(["tarry", *arguments], capture_output=True, text=True, timeout=PATIENCE)
    return done.returncode, done.stdout, done.stderr


def expect(condition, what, *said):
    if not condition:
        raise Wrong("\n".join([what, *map(str, said)]))


def counted_by(rank):
    """What a rank says of itself: operations that have returned, and whether it came to its end."""
    try:
        with open(f"progress.{rank}", "rb") as file:
            sends, receives, reductions, is_at_end = struct.unpack("4Q", file.read(32))
    except (OSError, struct.error):
        return [0, 0, 0], False
    return [sends, receives, reductions], bool(is_at_end)


def has_come(moment):
    if moment == "start":
        return True
    return any(counted_by(rank)[moment == "end"] not in (False, [0, 0, 0]) for rank in range(RANKS))


def wait_until(condition):
    deadline = time.monotonic() + PATIENCE
    while not condition():
        expect(time.monotonic() < deadline, "the job does not end", processes(*LAUNCHERS, "progress", "tarry-measure"))
        time.sleep(0.005)


def start(program, archive, mode):
    for rank in range(RANKS):
        pathlib.Path(f"progress.{rank}").unlink(missing_ok=True)
    return subprocess.Popen(["tarry", "measure", *mode, "--memory", "1M", "-o", archive, "--", "mpirun", "-np", str(RANKS),
                             program, str(BATCHES)], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)


def run_whole(program, archive):
    """Runs the job undisturbed. Returns, for each moment, the longest delay in seconds after which a kill meets it."""
    job = start(program, archive, ["-t"])
    came = [time.monotonic()]
    for moment in ("first message", "end"):
        wait_until(lambda: job.poll() is not None or has_come(moment))
        came.append(time.monotonic())
    said = job.communicate(timeout=PATIENCE)[1].decode()
    expect(job.returncode == 0, "the undisturbed run fails", said)
    return {"start": came[1] - came[0], "first message": came[2] - came[1], "end": AFTER_END}


def run_and_kill(program, archive, mode, victim, delay, moment):
    """Kills `delay` seconds after the moment; returns how many and what `tarry measure` said."""
    job = start(program, archive, mode)
    wait_until(lambda: job.poll() is not None or has_come(moment))
    time.sleep(delay)
    names = {"rank": ["progress"], "launcher": LAUNCHERS, "job": [*LAUNCHERS, "progress"], "measure": ["tarry-measure"],
             "all": ["tarry-measure", *LAUNCHERS, "progress"]}[victim]
    targets = processes(*names)
    random.shuffle(targets)
    for target in targets[:1] if victim == "rank" else targets:
        try:
            os.kill(target, signal.SIGKILL)
        except ProcessLookupError:
            pass
    said = job.communicate(timeout=PATIENCE)[1].decode()
    wait_until(lambda: not processes(*LAUNCHERS, "progress", "tarry-measure"))
    return len(targets), said


def recorded_in(archive):
    """Records of each kind of each rank, from `tarry archive dump`."""
    counts = collections.defaultdict(lambda: [0] * len(COUNTED))
    with subprocess.Popen(["tarry", "archive", "dump", archive], stdout=subprocess.PIPE, stderr=subprocess.PIPE) as dump:
        table = subprocess.run(["awk", "{ ++n[$1 \" \" $4] } END { for (key in n) print key, n[key] }"], stdin=dump.stdout,
                               capture_output=True, text=True, check=True).stdout
        said = dump.stderr.read().decode()
    for rank, kind, count in (line.split() for line in table.splitlines()):
        if kind in COUNTED:
            counts[int(rank)][COUNTED.index(kind)] = int(count)
    return dump.returncode, counts, said


def check_counts(archive):
    """Returns true if there is an event at all."""
    status, recorded, said = recorded_in(archive)
    has_run = any(os.path.exists(f"progress.{rank}") for rank in range(RANKS))
    expect(status == 0 or not has_run, "dump fails", said)
    for rank in range(RANKS):
        for kind, least, found in zip(COUNTED, counted_by(rank)[0], recorded[rank]):
            # The last reduction may have been recorded, and MPI has some of its own at its beginning and end.
            expect(least <= found <= least + 1 + 5 * (kind == "MPI_COLLECTIVE_END"),
                   f"rank {rank} has counted {least} {kind}, the archive holds {found}")
    return status == 0


def check_verify(archive):
    status, out, err = tarry("archive", "verify", archive)
    verdict = out.strip().split("\n")[-1]
    expect(re.search(r": intact, (complete;|incomplete \((dead|recording)\);)", verdict), "verify", out, err)
    expect((status == 0) == (": intact, complete;" in verdict), f"verify: status {status}", out, err)
    # A process that was killed at its very end may have left all its events.
    return status == 0, "of a location" in out


def check_tools(archive, is_cut_off):
    status, out, err = tarry("replay", archive)
    expect(status == 0, f"replay: status {status}", err)
    last = err.strip().split("\n")[-1]
    expect(("skipped" in last) == is_cut_off, "replay does not say at its end what it skipped", err)
    status, out, err = tarry("replay", "--strict", archive, "-o", "strict.cubex")
    expect(status == is_cut_off, f"replay --strict: status {status}", err)
    status, out, err = tarry("report", archive)
    expect(status == 0, f"report: status {status}", err)
    expect(("ncomplete" in out) == is_cut_off, "the report is not flagged", out)


def check_summary(archive, is_complete):
    if not os.path.exists(f"{archive}/summary.cubex"):
        expect(not any(any(counted_by(rank)[0]) for rank in range(RANKS)), "there is no summary")
        return "empty"
    status, out, err = tarry("cube", "dump", "--csv", f"{archive}/summary.cubex")
    expect(status == 0, "the summary cannot be read", err)
    sums = collections.Counter()
    for row in csv.DictReader(out.splitlines()):
        sums[row["metric"], int(row["rank"])] += float(row["value"])
    for rank in range(RANKS):
        for kind, (metrics, least) in enumerate(zip(SUMMED, counted_by(rank)[0])):
            found = sum(sums[metric, rank] for metric in metrics)
            expect(least <= found <= least + 1 + 5 * (kind == 2),
                   f"rank {rank} has counted {least}, the summary holds {found:.0f} {metrics}")
    status, out, err = tarry("report", f"{archive}/summary.cubex")
    expect(status == 0, f"report of the summary: status {status}", err)
    expect(("ncomplete" in out.lower()) != is_complete, "the summary is not flagged", out)
    return "complete" if is_complete else "incomplete"


def check_summary_alone(archive):
    status, _, err = tarry("unify", archive)
    expect(status in (0, 1), f"unify: status {status}", err)
    if status == 1:
        return check_summary(archive, False)
    is_complete, _ = check_verify(archive)
    return check_summary(archive, is_complete)


def check(archive, mode):
    if mode == ["-s"]:
        return check_summary_alone(archive)
    outcome = check_trace(archive)
    if "-s" in mode and outcome != "empty":
        check_summary(archive, outcome == "complete")
    return outcome


def check_trace(archive):
    was_complete, _ = check_verify(archive)
    has_events = check_counts(archive)
    status, out, err = tarry("unify", archive)
    if not has_events:
        expect(status in (0, 1) and len(err.strip().split("\n")) <= 2, f"unify of an empty archive: {status}", err)
        expect(tarry("archive", "verify", archive)[0] == 1, "an archive without an event is complete")
        return "empty"
    expect(status == 0, f"unify: status {status}", err)
    expect("recording" not in os.listdir(archive), "it is still recording")
    expect(not list(pathlib.Path(archive, "events").glob("*.spool")), "spools are left", os.listdir(archive + "/events"))
    is_complete, is_cut_off = check_verify(archive)
    expect(is_complete or not was_complete, "unify makes a complete archive incomplete")
    all_counted = all(counted_by(rank)[1] for rank in range(RANKS))
    expect(all_counted or not is_complete, "it claims to be complete")
    check_counts(archive)
    check_tools(archive, is_cut_off)
    expect(check_verify(archive) == (is_complete, is_cut_off), "verify changes its mind after replay")
    status, out, err = tarry("unify", archive)
    expect(status == 0 and "already" in err, "unify again", err)
    return "complete" if is_complete else "incomplete"


def main():
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    program, times, seed = os.path.abspath(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3] if len(sys.argv) > 3 else 1)
    random.seed(seed)
    print(f"seed {seed}")
    longest = run_whole(program, "whole")
    expect(check("whole", ["-t"]) == "complete", "the undisturbed run is not complete")
    outcomes, failures = collections.Counter(), 0
    for trial in range(times):
        victim = VICTIMS[trial % len(VICTIMS)]
        moment = random.choices(list(MOMENTS), list(MOMENTS.values()))[0]
        delay = random.uniform(0, longest[moment])
        archive = f"run-{trial}"
        mode = MODES[trial % len(MODES)]
        what = f"{trial}: {' '.join(mode)}, {victim}, {delay:.3f} s after the {moment}"
        try:
            killed, said = run_and_kill(program, archive, mode, victim, delay, moment)
            outcome = check(archive, mode) if os.path.isdir(archive) else "none"
            print(f"{what}: {killed} found, {outcome}", flush=True)
            outcomes[outcome] += 1
            shutil.rmtree(archive, ignore_errors=True)
        except Wrong as wrong:
            print(f"{what}: WRONG: {wrong}", flush=True)
            failures += 1
    failures += outcomes["incomplete"] == 0  # then no kill came in the midst of a run
    print(f"{times} kills, {failures} wrong: " + ", ".join(f"{count} {name}" for name, count in outcomes.items()))
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
