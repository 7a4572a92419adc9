#!/usr/bin/env python3
"""Runs the test suite: unit test binaries, tables of command lines, end-to-end scripts.

usage: run_tests.py [options]          (run by `make run-tests`)

Prints one line per test, `ok|FAIL|skip name (seconds)`, at the end the slowest, and `N passed, N failed, N skipped`;
status 1 if one failed. Kinds of tests:

  unit      BUILD/tests/unit/*_tests, GoogleTest binaries; one line per test case
  cli       tests/cli/<tool>/<case>.sh; compared with <case>.stdout, .stderr (unchecked where there is no file) and
            .status (no file: 0). Their own folder and the repository appear in golden files as @CWD@ and @ROOT@.
  pipeline  tests/pipeline/*.sh; passed if the status is 0

A script may say in its first lines: `# serial` (alone on the machine, as it measures times), `# timed` (beside others,
and if it fails there alone, up to twice: what it measures may be disturbed), `# long` (only with --long), `# timeout N`
(seconds), `# no-san` (not with sanitizers), and skips itself with status 77 and a last line that says why. It runs in an empty folder of its own, with the tools in front of PATH and TARRY_ROOT, TARRY_BUILD and MPICC
set. With `# mpich` it runs a second time, as `name@mpich`, where Debian's MPICH is installed beside Open MPI: then mpicc,
mpirun and so on are MPICH's, and TARRY_TEST_MPI says `mpich` instead of `openmpi`. `# mpich-long`: the same, only with
--long. Scripts named tests/cli/harness/must_* are controls: each must fail in every way that its golden files allow.

With --quick only unit tests and tables of command lines run, for an edit: those that take seconds are left out.

With --second-try a script that fails runs once more at the end, alone on the machine. What it said the first time stays
printed, and the last line counts and names the scripts that passed so: a bug that shows now and then.
"""
import argparse
import collections
import concurrent.futures
import difflib
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
# A test waits for half of its time, so there is one for each core and half as many more.
JOBS = len(os.sched_getaffinity(0)) * 3 // 2
CLI_TIMEOUT, UNIT_TIMEOUT, PIPELINE_TIMEOUT = 60, 300, 120
LEFTOVER_GRACE = 1.0
SLOWEST = 20
NOT_QUICK = "-Growth.*:RecordedKinds.*:MutatedTraces.*:Meetings.WhoWaits*:CallPathTree.OfDeepPaths*:FigureDelay.ManyWait*"
SKIP_STATUS = 77
OUTPUT_LINES = 60


class Outcome:
    def __init__(self, status, stdout, stderr, timed_out, leftovers, processor_seconds):
        self.status, self.stdout, self.stderr = status, stdout, stderr
        self.timed_out, self.leftovers, self.processor_seconds = timed_out, leftovers, processor_seconds


def processes_of_session(session):
    """Processes started below a test, also those that left its process group (as mpirun's children do)."""
    found = []
    for folder in pathlib.Path("/proc").glob("[0-9]*"):
        try:  # any of them may end now
            fields = (folder / "stat").read_text().rpartition(")")[2].split()
        except OSError:
            continue
        if int(fields[3]) == session and fields[0] != "Z":
            found.append(int(folder.name))
    return found


def end_session(session, grace):
    """Ends what a test left running: politely first, so that mpirun tidies up. What ends by itself within `grace`
    seconds was not left. Returns how many there were."""
    deadline = time.monotonic() + grace
    left = processes_of_session(session)
    while left and time.monotonic() < deadline:
        time.sleep(0.02)
        left = processes_of_session(session)
    for number, patience in ((signal.SIGTERM, 2.0), (signal.SIGKILL, 2.0)):
        deadline = time.monotonic() + patience
        remaining = processes_of_session(session)
        for pid in remaining:
            try:
                os.kill(pid, number)
            except OSError:
                pass
        while remaining and time.monotonic() < deadline:
            time.sleep(0.05)
            remaining = processes_of_session(session)
    return len(left)


def run(command, folder, environment, timeout):
    """Runs a command in a session of its own; whatever it started is gone afterwards."""
    with tempfile.TemporaryFile() as stdout, tempfile.TemporaryFile() as stderr:
        process = subprocess.Popen(command, cwd=folder, env=environment, stdin=subprocess.DEVNULL, stdout=stdout,
                                   stderr=stderr, start_new_session=True)
        timed_out = threading.Event()
        alarm = threading.Timer(timeout, lambda: (timed_out.set(), end_session(process.pid, 0)))
        alarm.start()
        try:
            _, status, used = os.wait4(process.pid, 0)
            process.returncode = os.waitstatus_to_exitcode(status)
        finally:
            alarm.cancel()
            leftovers = end_session(process.pid, 0 if timed_out.is_set() else LEFTOVER_GRACE)
        texts = []
        for stream in (stdout, stderr):
            stream.seek(0)
            texts.append(stream.read().decode("utf-8", "backslashreplace"))
        return Outcome(process.returncode, *texts, timed_out.is_set(), leftovers, used.ru_utime + used.ru_stime)


class Script:
    """One case of tests/cli or tests/pipeline."""

    def __init__(self, path, kind, mpi="openmpi"):
        self.path, self.kind, self.mpi = path, kind, mpi
        self.name = str(path.relative_to(ROOT / "tests").with_suffix("")) + ("" if mpi == "openmpi" else f"@{mpi}")
        head = path.read_text().split("\n")[:12]
        marks = dict(re.findall(r"^# (serial|timed|long|no-san|timeout|mpich-long|mpich)\b *(\d*)$", "\n".join(head), re.M))
        self.is_serial, self.is_long, self.needs_plain_build = ("serial" in marks, "long" in marks, "no-san" in marks)
        # How often it runs again, alone: whatever else stops a script that measures a clock, spoils its numbers.
        self.tries_alone = 2 if "timed" in marks else 1 if self.is_serial else 0
        self.is_for_mpich = "mpich" in marks or "mpich-long" in marks
        if mpi == "mpich":
            self.is_serial = True  # its ranks spin while they wait
            self.is_long |= "mpich-long" in marks
        self.timeout = int(marks.get("timeout") or (CLI_TIMEOUT if kind == "cli" else PIPELINE_TIMEOUT))
        self.is_control = kind == "cli" and path.parent.name == "harness" and path.name.startswith("must_")

    def golden(self, suffix):
        file = self.path.with_suffix(suffix)
        return file.read_text() if file.exists() else None

    def run(self, options):
        folder = pathlib.Path(tempfile.mkdtemp(prefix="tarry-test-"))
        started = time.monotonic()
        environment = options.environment if self.mpi == "openmpi" else mpich_environment(options)
        outcome = run(["bash", str(self.path)], folder, environment, self.timeout)
        seconds = time.monotonic() - started
        for stream in ("stdout", "stderr"):
            text = getattr(outcome, stream).replace(str(folder), "@CWD@").replace(str(ROOT), "@ROOT@")
            setattr(outcome, stream, text)
        skipped = outcome.status == SKIP_STATUS and not outcome.timed_out
        if options.update and self.kind == "cli" and not (self.is_control or skipped or outcome.timed_out):
            self.update_golden(outcome)
        complaints = [] if skipped else self.complaints(outcome)
        if self.is_control:
            complaints = self.control_complaints(complaints)
        if complaints:
            complaints.append(f"its folder: {folder}")
            complaints.append(f"again: make run-tests ONLY={self.name}" + (" LONG=1" if self.is_long else ""))
        else:
            shutil.rmtree(folder, ignore_errors=True)
        if skipped:
            why = (outcome.stderr.strip() or outcome.stdout.strip() or "no reason given").split("\n")[-1]
            return [Line("skip", self.name, seconds, [why], outcome.processor_seconds)]
        return [Line("FAIL" if complaints else "ok", self.name, seconds, complaints, outcome.processor_seconds)]

    def complaints(self, outcome):
        found = []
        if outcome.timed_out:
            found.append(f"timed out after {self.timeout} s")
        elif outcome.leftovers:
            found.append(f"left {outcome.leftovers} processes running")
        expected = int(self.golden(".status") or 0) if self.kind == "cli" else 0
        if outcome.status != expected and not outcome.timed_out:
            found.append(f"status {outcome.status}, expected {expected}")
        if self.kind == "cli":
            for stream in ("stdout", "stderr"):
                golden = self.golden("." + stream)
                if golden is not None and golden != getattr(outcome, stream):
                    found.append(f"{stream} differs:")
                    found += difference(golden, getattr(outcome, stream))
            if found and self.golden(".stderr") is None:
                found += tail(outcome.stderr, "stderr")
        elif found:
            found += tail(outcome.stderr, "stderr") + tail(outcome.stdout, "stdout")
        return found

    def control_complaints(self, complaints):
        """A control is fine if it failed in each way that it was made to."""
        needed = {"must_time_out": ["timed out"]}.get(self.path.stem, ["status", "stdout differs", "stderr differs"])
        return [f"the harness did not notice: {need}" for need in needed
                if not any(line.startswith(need) for line in complaints)]

    def update_golden(self, outcome):
        """Rewrites the golden files that exist; to have a stream checked, touch its file first."""
        for stream in ("stdout", "stderr"):
            file = self.path.with_suffix("." + stream)
            if file.exists():
                file.write_text(getattr(outcome, stream))
        file = self.path.with_suffix(".status")
        if outcome.status:
            file.write_text(f"{outcome.status}\n")
        elif file.exists():
            file.unlink()


class UnitBinary:
    """A GoogleTest binary; its cases are reported one by one."""

    is_serial, is_long, needs_plain_build, timeout = False, False, False, UNIT_TIMEOUT

    def __init__(self, path):
        self.path = path
        self.name = "unit/" + path.name.removesuffix("_tests")

    def run(self, options):
        folder = tempfile.mkdtemp(prefix="tarry-test-")
        started = time.monotonic()
        command = [str(self.path)]
        if options.case or options.quick:
            command.append(f"--gtest_filter={options.case or NOT_QUICK}")
        outcome = run(command, folder, options.environment, self.timeout)
        shutil.rmtree(folder, ignore_errors=True)
        lines, failed_at = self.lines(outcome.stdout)
        if lines:
            lines[-1].processor_seconds = outcome.processor_seconds
        if outcome.timed_out or outcome.leftovers or (outcome.status != 0 and not failed_at):
            why = f"timed out after {self.timeout} s" if outcome.timed_out else f"status {outcome.status}"
            if outcome.leftovers and not outcome.timed_out:
                why += f", left {outcome.leftovers} processes running"
            lines.append(Line("FAIL", self.name, time.monotonic() - started,
                              [why, f"again: make run-tests ONLY={self.name}"]
                              + tail(outcome.stderr, "stderr") + tail(outcome.stdout, "stdout")))
        elif not lines:
            lines.append(Line("FAIL", self.name, time.monotonic() - started, ["no test case ran"]))
        return lines

    def lines(self, text):
        lines, said, failed = [], [], False
        for line in text.split("\n"):
            ended = re.match(r"\[ +(OK|FAILED|SKIPPED) +\] (\S+?\.\S+?)(?:,.*)? \((\d+) ms\)$", line)
            if line.startswith("[ RUN "):
                said = []
            elif ended:
                verdict = {"OK": "ok", "FAILED": "FAIL", "SKIPPED": "skip"}[ended.group(1)]
                name = f"{self.name}/{ended.group(2)}"
                if verdict == "FAIL":
                    failed = True
                    said.append(f"again: make run-tests ONLY={name}")
                lines.append(Line(verdict, name, int(ended.group(3)) / 1000, [] if verdict == "ok" else said))
            elif line.strip():
                said.append(line)
        return lines, failed


class Line:
    def __init__(self, verdict, name, seconds, details, processor_seconds=0):
        self.verdict, self.name, self.seconds, self.details = verdict, name, seconds, details
        self.processor_seconds = processor_seconds

    def text(self):
        if self.verdict == "skip":
            return f"skip {self.name} ({self.seconds:.2f}): {self.details[-1] if self.details else ''}"
        return "\n".join([f"{self.verdict:4} {self.name} ({self.seconds:.2f})"] + ["     " + d for d in self.details])


def difference(golden, actual):
    lines = list(difflib.unified_diff(golden.split("\n"), actual.split("\n"), "expected", "actual", lineterm=""))
    return lines[:OUTPUT_LINES] + (["..."] if len(lines) > OUTPUT_LINES else [])


def tail(text, name):
    lines = text.rstrip("\n").split("\n") if text.strip() else []
    return ([f"{name} ends with:"] + lines[-OUTPUT_LINES:]) if lines else []


def folder_of_python(build):
    """A folder with the system's Python in front of others: packages install modules for it, and the shim of a version
    manager takes ten times as long to start."""
    folder, system = build / "tests/python", pathlib.Path("/usr/bin/python3")
    folder.mkdir(parents=True, exist_ok=True)
    if system.exists() and not (folder / "python3").exists():
        (folder / "python3").symlink_to(system)
    return folder


def environment_for(build, tools):
    environment = {name: value for name, value in os.environ.items()
                   if not name.startswith(("TARRY_", "OMPI_", "PRTE_", "MAKE", "MFLAGS", "LD_PRELOAD", "COLUMNS"))}
    environment.update(
        PATH=os.pathsep.join(dict.fromkeys([str(tools), str(ROOT / "bin"), str(folder_of_python(build)), os.environ["PATH"]])),
        LC_ALL="C", TERM="dumb", TARRY_ROOT=str(ROOT), TARRY_BUILD=str(build),
        # Tests start more ranks than there are cores, in containers, as whoever runs them.
        OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1", OMPI_MCA_rmaps_base_oversubscribe="1",
        OMPI_MCA_btl_vader_single_copy_mechanism="none", OMPI_MCA_osc="^rdma",
        # MPI_Init asks OpenCL for devices where it is installed, and its libraries make calls that are recorded.
        HWLOC_COMPONENTS="-opencl")
    environment.update(newer_open_mpi_settings(environment))
    environment.setdefault("MPICC", "mpicc")
    environment.setdefault("PYTHON", shutil.which("python3", path=environment["PATH"]) or sys.executable)
    environment["TARRY_TEST_MPI"] = "openmpi"
    return environment


def newer_open_mpi_settings(environment):
    """What Open MPI 5 and 6 need: windows of UCX fail here, and spawned processes do not find each other without `lo`."""
    try:
        told = subprocess.run(["mpirun", "--version"], env=environment, capture_output=True, text=True).stdout
    except OSError:
        told = ""
    version = int((re.match(r"mpirun \(Open MPI\) (\d+)", told) or [0, 0])[1])
    if version < 5:
        return {}
    mapping = "PRTE_MCA_rmaps_default_mapping_policy" if version == 5 else "PRTE_MCA_mapby"
    return {mapping: ":oversubscribe", "OMPI_MCA_osc": "^ucx", "OMPI_MCA_btl_tcp_if_include": "lo"}


def has_mpich():
    return all(shutil.which(f"{command}.mpich") for command in ("mpicc", "mpirun"))


def mpich_environment(options):
    """MPICH's commands under the names that scripts call. MPI_STATUSES_IGNORE of MPICH makes GCC warn of overflows."""
    folder = options.build / "tests/mpich"
    folder.mkdir(parents=True, exist_ok=True)
    for command in ("mpicc", "mpicxx", "mpifort", "mpif90", "mpif77", "mpirun", "mpiexec"):
        script = folder / command
        more = "-Wno-unknown-warning-option -Wno-stringop-overflow " if command in ("mpicc", "mpicxx") else ""
        text = f'#!/bin/sh\nexec {command}.mpich {more}"$@"\n'
        if not script.exists() or script.read_text() != text:
            script.write_text(text)
            script.chmod(0o755)
    path = options.environment["PATH"]
    return options.environment | {"PATH": f"{folder}{os.pathsep}{path}", "MPICC": "mpicc", "TARRY_TEST_MPI": "mpich"}


def find_tests(options):
    tests = [UnitBinary(path) for path in sorted((options.build / "tests/unit").glob("*_tests"))]
    tests += [Script(path, "cli") for path in sorted((ROOT / "tests/cli").glob("*/*.sh"))]
    tests += [Script(path, "pipeline") for path in sorted((ROOT / "tests/pipeline").glob("*.sh"))]
    if options.quick:
        return [test for test in tests if isinstance(test, UnitBinary) or test.kind == "cli" and not test.is_control]
    scripts = [test for test in tests if isinstance(test, Script)]
    if options.mpi == "mpich":
        tests = [Script(test.path, test.kind, "mpich") for test in scripts if test.is_for_mpich or options.only]
    elif options.mpi == "both" and has_mpich():
        tests += [Script(test.path, test.kind, "mpich") for test in scripts if test.is_for_mpich]
    if options.only:
        match = re.fullmatch(r"(unit/[^/]+)/(.+)", options.only)
        name, options.case = match.groups() if match else (options.only, None)
        names = (name, f"{name}@{options.mpi}")
        tests = [t for t in tests if t.name in names or t.name.startswith(name.rstrip("/") + "/")]
        if not tests:
            sys.exit(f"run_tests.py: '{options.only}': no such test")
    return tests


def why_not(test, options):
    if test.is_long and not options.long:
        return "long (LONG=1 runs it)"
    if test.needs_plain_build and options.sanitized:
        return "not with sanitizers"
    return None


def run_all(tests, options):
    """Most tests side by side, those that may take longest first, then the serial ones; returns all lines, and the scripts
    that passed only when they ran again."""
    printed = []
    gate = threading.Lock()
    failed = []

    def run_one(test):
        reason = why_not(test, options)
        lines = [Line("skip", test.name, 0, [reason])] if reason else test.run(options)
        with gate:
            if isinstance(test, Script) and any(line.verdict == "FAIL" for line in lines):
                if options.second_try or test.tries_alone:
                    failed.append(test)
            for line in lines:
                print(line.text(), flush=True)
            printed.extend(lines)

    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        list(pool.map(run_one, sorted((t for t in tests if not t.is_serial), key=lambda t: -t.timeout)))
    for test in tests:
        if test.is_serial:
            run_one(test)
    return printed, try_again(failed, options)


def try_again(failed, options):
    """Runs scripts that failed once more, or twice; returns the names of those that pass now."""
    return [test.name for test in failed if any(passes(test, options) for _ in range(max(1, test.tries_alone)))]


def passes(test, options):
    print(f"again {test.name}", flush=True)
    lines = test.run(options)
    for line in lines:
        print(line.text(), flush=True)
    return all(line.verdict == "ok" for line in lines)


def print_slowest(lines):
    total, used = sum(line.seconds for line in lines), sum(line.processor_seconds for line in lines)
    print(f"the slowest of {total:.0f} s, {used:.0f} s of processors:")
    for line in sorted(lines, key=lambda line: -line.seconds)[:SLOWEST]:
        print(f"  {line.seconds:7.1f} {line.processor_seconds:7.1f}  {line.name}")


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build", help="build folder")
    parser.add_argument("--tools", type=pathlib.Path, default=ROOT / "bin", help="folder of the tools to test")
    parser.add_argument("--jobs", type=int, default=JOBS, help="tests side by side")
    parser.add_argument("--only", help="one test, or all below a folder: cli/tarry, unit/base/Crc32.*")
    parser.add_argument("--long", action="store_true", help="also tests marked long")
    parser.add_argument("--quick", action="store_true", help="only what takes a minute")
    parser.add_argument("--mpi", choices=["openmpi", "mpich", "both"], default="both",
                        help="mpich: scripts for MPICH alone, and with --only any script")
    parser.add_argument("--sanitized", action="store_true", help="the build has sanitizers")
    parser.add_argument("--second-try", action="store_true", help="any script that fails runs once more, alone, not only those that measure a clock")
    parser.add_argument("--patience", type=int, default=1, metavar="N",
                        help="time limits are N times as long, for an emulator")
    parser.add_argument("--update", action="store_true", help="rewrite the golden files of tests/cli")
    options = parser.parse_args()
    options.case = None
    options.build, options.tools = options.build.resolve(), options.tools.resolve()
    options.environment = environment_for(options.build, options.tools)
    return options


def main():
    options = parse_arguments()
    tests = find_tests(options)
    for test in tests:
        test.timeout *= options.patience
    lines, unsteady = run_all(tests, options)
    counts = collections.Counter(line.verdict for line in lines)
    counts["FAIL"] -= len(unsteady)
    counts["ok"] += len(unsteady)
    if len(lines) > SLOWEST:
        print_slowest(lines)
    at_second_try = f" ({len(unsteady)} when run again: {', '.join(unsteady)})" if unsteady else ""
    print(f"{counts['ok']} passed{at_second_try}, {counts['FAIL']} failed, {counts['skip']} skipped")
    return 1 if counts["FAIL"] else 0


if __name__ == "__main__":
    sys.exit(main())
