"""limits.py -- runs each tool where memory, files, descriptors or streams are short.

usage: limits.py TOOLS START TRACE

TOOLS holds the tools, START what their commands begin with, TRACE is an OTF2 anchor file. Each run begins with a copy of
START. It either ends with 0 and with the files of a run without limits, or it ends with 1, says why in one line, and
leaves each file as it was or as a whole run makes it.
"""
import filecmp
import os
import pathlib
import re
import resource
import shutil
import signal
import subprocess
import sys
import tempfile

TOOLS, START, TRACE = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2]).resolve(), sys.argv[3]
MB = 1 << 20
LOADER_FAILED = 127  # the dynamic loader found no room: the tool never ran

# What each tool is asked; "-" behind the name marks a command whose result goes to stdout.
COMMANDS = [
    ["archive", "info", "run"],
    ["archive", "dump", "run"],
    ["archive", "verify", "run"],
    ["cube", "dump", "--csv", "analysis.cubex"],
    ["cube", "diff", "analysis.cubex", "analysis.cubex", "-o", "diff.cubex"],
    ["instrument", "--dry-run", "cc", "-c", "a.c"],
    ["measure", "--print-config"],
    ["measure", "-q", "-s", "-o", "measured", "--", "true"],
    ["merge", "run", "--to", "csv", "-o", "run.csv"],
    ["merge", "run", "--to", "otf2", "-o", "otf2"],
    ["merge", "run", "--to", "paraver", "-o", "paraver"],
    ["merge", "run", "--to", "perfetto", "-o", "run.pftrace"],
    ["merge", "--from", "otf2", TRACE, "-o", "imported"],
    ["replay", "-q", "run", "-o", "-"],
    ["replay", "-q", "run", "--instances", "5", "--critical-path", "path.csv"],
    ["replay", "-q", "run", "--memory", "64M", "-o", "small.cubex"],
    ["report", "analysis.cubex"],
    ["report", "--json", "analysis.cubex", "-o", "findings.json"],
    ["score", "--cost-per-event", "20ns", "analysis.cubex"],  # costs that are measured differ each time
    ["sync", "run", "--check"],
    ["sync", "-q", TRACE, "-o", "synced"],
    ["sync", "-q", "run"],
    ["unify", "-q", "open"],
]
# Their content names the time, the folder or the process of the run, or was written by several threads.
OWN_EACH_TIME = re.compile(r"manifest\.xml$|^measured/|/traces\.otf2$|/events/")

complaints = []
runs = failures = 0


def limit(kind, value):
    return lambda: resource.setrlimit(kind, (value, resource.getrlimit(kind)[1]))


class Situation:
    """What is short, and whether a command may still succeed."""

    def __init__(self, name, prepare=None, stdout=subprocess.PIPE, environment=None):
        self.name, self.prepare, self.stdout, self.environment = name, prepare, stdout, environment or {}


def files_below(folder):
    return {str(path.relative_to(folder)): path for path in sorted(folder.rglob("*")) if path.is_file()}


def run(command, situation, folder):
    """The finished process, and the files that are in `folder` then."""
    shutil.copytree(START, folder)
    environment = dict(os.environ, OMP_NUM_THREADS="1", **situation.environment)
    words = [str(TOOLS / f"tarry-{command[0]}"), *command[1:]]
    done = subprocess.run(words, cwd=folder, stdin=subprocess.DEVNULL, stdout=situation.stdout, stderr=subprocess.PIPE,
                          preexec_fn=situation.prepare, env=environment, timeout=60)
    return done, files_below(folder)


def is_own_each_time(name):
    return OWN_EACH_TIME.search(name) is not None


def same(left, right):
    return filecmp.cmp(left, right, shallow=False)


def wrong_files(found, before, whole, is_done):
    """Files that are missing, left over or half-written."""
    if is_done:
        yield from (f"{name} is missing" for name in whole.keys() - found.keys())
    else:
        yield from (f"{name} is gone" for name in (before.keys() & whole.keys()) - found.keys())
    for name, path in found.items():
        choices = [files[name] for files in ([whole] if is_done else [before, whole]) if name in files]
        if not choices:
            yield f"{name} is left"
        elif not is_own_each_time(name) and not any(same(path, choice) for choice in choices):
            yield f"{name} is half-written"


def judge(command, situation, done, found, reference):
    whole_output, whole_files = reference
    stderr = done.stderr.decode("utf-8", "replace")
    lines = stderr.splitlines()
    if done.returncode == LOADER_FAILED and not stderr.startswith("tarry-"):
        return
    is_done = done.returncode == 0
    # What another library could not read is missing, and said to be. So is the end of a recording whose command ran.
    is_told = is_done and ("missing location" in stderr or (command[0] == "measure" and lines))
    faults = [] if is_told else list(wrong_files(found, files_below(START), whole_files, is_done))
    # The command that is to be measured may not find room where the tool does.
    cannot_execute = command[0] == "measure" and done.returncode == 126 and len(lines) == 1
    if done.returncode not in (0, 1) and not cannot_execute:
        faults.append(f"status {done.returncode}")
    if is_done and situation.stdout == subprocess.PIPE and done.stdout != whole_output:
        faults.append("status 0, and another output")
    if done.returncode == 1 and (len(lines) != 1 or not lines[0].startswith(f"tarry-{command[0]}: ")):
        faults.append("does not fail with one line")
    if faults:
        complaints.append(f"tarry {' '.join(command)} [{situation.name}]: {'; '.join(faults)}\n    " +
                          "\n    ".join(lines[:8]))


def probe(command, situation, reference):
    """Runs and judges; the status."""
    global runs, failures
    with tempfile.TemporaryDirectory() as folder:
        done, found = run(command, situation, pathlib.Path(folder) / "at")
        judge(command, situation, done, found, reference)
    runs += 1
    failures += done.returncode == 1
    return done.returncode


def probe_memory(command, reference):
    """From too little memory for the loader to enough; closely where the tool begins to work."""
    def status_with(bytes_):
        situation = Situation(f"ulimit -v {bytes_ // 1024}", limit(resource.RLIMIT_AS, bytes_))
        with tempfile.TemporaryDirectory() as folder:
            started, _ = run([command[0], "--version"], situation, pathlib.Path(folder) / "at")
        # The kernel kills a program for which it finds no room.
        return None if started.returncode == -signal.SIGSEGV else probe(command, situation, reference)

    few, many = 4 * MB, 4096 * MB
    while many - few > max(few // 64, 256 << 10):
        middle = (few + many) // 2 if many < 2 * few else int((few * many) ** 0.5)
        if status_with(middle // 4096 * 4096) == 0:
            many = middle
        else:
            few = middle
    for percent in (30, 50, 60, 70, 80, 85, 90, 94, 97):
        status_with(many * percent // 100 // 4096 * 4096)


def close_stdout():
    os.close(1)


def main():
    no_folder = str(START / "no-such-folder")
    situations = [Situation(f"ulimit -f {size / 1024:g}", limit(resource.RLIMIT_FSIZE, size))
                  for size in (0, 1 << 10, 3 << 10, 64 << 10)]
    situations += [Situation(f"ulimit -n {number}", limit(resource.RLIMIT_NOFILE, number)) for number in (6, 8, 16)]
    situations += [Situation("closed stdout", close_stdout, subprocess.DEVNULL),
                   Situation("no TMPDIR", environment={"TMPDIR": no_folder}),
                   Situation("read-only TMPDIR", environment={"TMPDIR": "/proc/self"})]
    for command in COMMANDS:
        failed_before, runs_before = failures, runs
        with tempfile.TemporaryDirectory() as folder, open("/dev/full", "w", encoding="utf-8") as full:
            done, files = run(command, Situation("nothing"), pathlib.Path(folder) / "at")
            if done.returncode != 0:
                sys.exit(f"tarry {' '.join(command)}: status {done.returncode}\n{done.stderr.decode()}")
            reference = done.stdout, files
            for situation in [*situations, Situation("full stdout", stdout=full)]:
                probe(command, situation, reference)
            probe_memory(command, reference)
        print(f"{runs - runs_before:3} runs, {failures - failed_before:3} failed well: tarry {' '.join(command)}")
        if failures == failed_before:
            complaints.append(f"tarry {' '.join(command)}: no limit was reached")
    print(f"{runs} runs, {failures} with status 1, {len(complaints)} wrong")
    print("\n".join(complaints))
    return 1 if complaints else 0


sys.exit(main())
