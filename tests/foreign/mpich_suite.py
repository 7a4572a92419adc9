#!/usr/bin/env python3
"""MPICH's own test suite under Tarry: each of its programs must pass measured if it passes without.

usage: mpich_suite.py SOURCE [--only REGEX] [--jobs N] [--results FILE] [--tools FOLDER] [--limit SECONDS] [--list]

SOURCE is the folder test/mpi of MPICH's sources; nothing is written there. Needs an installed MPICH with the commands
mpicc.mpich and mpiexec.mpich. Builds the C programs of the suite's test lists in the current folder, below
mpich-suite, and runs each line of the lists with tarry measure -s -t. A line that fails runs again without Tarry; if it
passes there, it gets a second measured run. tarry replay --strict and tarry archive verify must accept each recording,
those of programs that are wrong on purpose aside. The summary must have the values of the analysis.

Prints one line for each line of the lists that does not pass, and a summary. Status 1 if a line passes without Tarry
and fails measured, if a recording is not accepted, or if nothing was run. Results go to FILE (results.jsonl), one JSON
object for each line. What is already there does not run again.
"""
import argparse
import collections
import concurrent.futures
import json
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import threading
import time

from mpich_programs import Programs
from mpich_testlists import read_testlists

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
sys.path[:0] = [str(ROOT / "tests"), str(ROOT / "tests/pipeline")]
from compare_summary import compare  # noqa: E402
from run_tests import run  # noqa: E402

# Their recordings are as wrong as the programs: replay --strict complains about them, and must.
WRONG_ON_PURPOSE = {
    "errhan/errfatal": "ends in an error handler, before MPI_Finalize",
    "errors/coll/bcastlength": "ranks give a broadcast different lengths",
    "errors/coll/gatherlength": "ranks give a gather different lengths",
    "errors/comm/ccreate1": "creates a communicator from ranks outside the group",
}
# Replay matches messages in the order in which they are received, and takes bytes from the sender's record. Where the
# library matched them otherwise, the summary has them at other calls.
MATCHED_OTHERWISE = {"pt2pt/mprobe", "part/nonblocking_pready"}
PASSES, WRONG = "passes", "passes, wrong on purpose"
NOT_BUILT, FAILS_TOO = "not built", "fails without Tarry too"
MEASURED_ONLY, COMPLAINT = "FAILS MEASURED ONLY", "RECORDING NOT ACCEPTED"
VERDICTS = (PASSES, WRONG, FAILS_TOO, NOT_BUILT, MEASURED_ONLY, COMPLAINT)
BAD = (MEASURED_ONLY, COMPLAINT)
KEPT = 1500  # characters of output in the results


class Suite:
    def __init__(self, options):
        self.options = options
        self.folder = pathlib.Path("mpich-suite").resolve()
        self.programs = Programs(options.source.resolve(), self.folder)
        self.gate = threading.Lock()
        self.environment = dict(os.environ, PATH=f"{options.tools.resolve()}:{os.environ['PATH']}",
                                MPIR_CVAR_POLLS_BEFORE_YIELD="1", LD_PRELOAD=str(self.build_doze()))

    def build_doze(self):
        library = self.folder / "doze.so"
        subprocess.run(["cc", "-O2", "-shared", "-fPIC", HERE / "doze.c", "-o", library, "-ldl"], check=True)
        return library

    def judge(self, case):
        """(verdict, output that explains it, folder of the run or None)"""
        complaint = self.programs.build(case)
        if complaint:
            return NOT_BUILT, complaint, None
        folder = pathlib.Path(tempfile.mkdtemp(prefix="run-", dir=self.folder))
        verdict, output = self.measure(case, folder)
        if verdict not in BAD:
            shutil.rmtree(folder)
            folder = None
        return verdict, output, folder

    def measure(self, case, folder):
        """Runs a case in a folder with its programs, which spawn one another, and the files that they read."""
        for path in [*self.programs.path(case).parent.iterdir(), *(self.options.source / case.folder).glob("*.txt")]:
            (folder / path.name).symlink_to(path.resolve())
        environment = self.environment | case.environment | {"TMPDIR": str(folder)}
        measured = ["tarry", "measure", "-s", "-t", "-o", "recording", "--", *case.command]
        outcome = run(measured, folder, environment, self.options.limit)
        if not case.is_passed_by(outcome):
            # Half the time: what needs more without Tarry is too slow to be judged.
            bare = run(case.command, folder, environment, self.options.limit / 2)
            if not case.is_passed_by(bare):
                return FAILS_TOO, text_of(bare)
            shutil.rmtree(folder / "recording", ignore_errors=True)
            outcome = run(measured, folder, environment, self.options.limit)
            if not case.is_passed_by(outcome):
                return MEASURED_ONLY, text_of(outcome)
        complaint = self.complaint(case, folder, environment)
        if not complaint:
            return PASSES, ""
        return (WRONG if f"{case.folder}/{case.program}" in WRONG_ON_PURPOSE else COMPLAINT), complaint

    def complaint(self, case, folder, environment):
        for command in (["replay", "--strict"], ["archive", "verify"]):
            outcome = run(["tarry", *command, "recording"], folder, environment, self.options.limit)
            if outcome.status:
                return text_of(outcome)
        is_comparable = f"{case.folder}/{case.program}" not in MATCHED_OTHERWISE
        return self.differences(folder, environment) if is_comparable else None

    def differences(self, folder, environment):
        """What the summary has other than the analysis, as text; None if there is nothing."""
        values = []
        for report in ("summary", "analysis"):
            outcome = run(["tarry", "cube", "dump", "--csv", f"recording/{report}.cubex"], folder, environment,
                          self.options.limit)
            if outcome.status:
                return text_of(outcome)
            values.append(folder / f"{report}.csv")
            values[-1].write_text(outcome.stdout)
        _, _, wrong = compare(*values)
        return "\n".join(["the summary is not the analysis:", *map(str, wrong)]) if wrong else None

    def run_case(self, case):
        started = time.monotonic()
        verdict, output, folder = self.judge(case)
        result = {"case": case.name, "verdict": verdict, "seconds": round(time.monotonic() - started, 2),
                  "output": output[-KEPT:]}
        with self.gate:
            with open(self.options.results, "a") as results:
                results.write(json.dumps(result) + "\n")
            report(result, folder)
        return result


def text_of(outcome):
    return outcome.stdout + outcome.stderr + ("\n(out of time)" if outcome.timed_out else "")


def report(result, folder=None):
    if result["verdict"] != PASSES:
        print(f"{result['verdict']}: {result['case']}" + (f" (see {folder})" if folder else ""), flush=True)


def earlier_results(path):
    if not path.exists():
        return {}
    return {result["case"]: result for result in map(json.loads, path.read_text().splitlines())}


def run_all(cases, options):
    """The results of all cases; those that were there before are reported again."""
    results = earlier_results(options.results)
    for case in cases:
        if case.name in results:
            report(results[case.name])
    left = [case for case in cases if case.name not in results]
    if left:
        suite = Suite(options)
        one_each = {suite.programs.path(case): case for case in left}.values()
        with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
            list(pool.map(suite.programs.build, one_each))
            results.update((result["case"], result) for result in pool.map(suite.run_case, left))
    return [results[case.name] for case in cases]


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("source", type=pathlib.Path, help="the folder test/mpi of MPICH's sources")
    parser.add_argument("--only", default="", metavar="REGEX", help="lines that match, as in: ^coll/bcast")
    parser.add_argument("--jobs", type=int, default=2, metavar="N", help="lines at the same time")
    parser.add_argument("--results", type=pathlib.Path, default=pathlib.Path("results.jsonl"), metavar="FILE")
    parser.add_argument("--tools", type=pathlib.Path, default=ROOT / "bin", metavar="FOLDER", help="the tools to test")
    parser.add_argument("--limit", type=float, default=150, metavar="SECONDS",
                        help="of a measured run; half without Tarry")
    parser.add_argument("--list", action="store_true", help="print the commands and what they expect; run nothing")
    return parser.parse_args()


def main():
    options = parse_arguments()
    cases = [case for case in read_testlists(options.source) if re.search(options.only, case.name)]
    if options.list:
        for case in cases:
            settings = [f"{name}={value}" for name, value in case.environment.items()]
            print(f"{case.folder}: {shlex.join([*settings, *case.command])} ({case.expects})")
        return 0 if cases else 1
    counts = collections.Counter(result["verdict"] for result in run_all(cases, options))
    found = [f"{counts[verdict]} {verdict}" for verdict in VERDICTS if counts[verdict]]
    print(", ".join([f"{len(cases)} lines", *found]))
    return 1 if not cases or any(counts[verdict] for verdict in BAD) else 0


if __name__ == "__main__":
    sys.exit(main())
