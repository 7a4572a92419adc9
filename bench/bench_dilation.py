#!/usr/bin/env python3
"""What recording adds to a visit, as tarry score predicts it and as it is.

usage: bench_dilation.py [--runs N] TOOLS RECORDER build|predicted|measured|compare PROGRAM [CASE]

PROGRAM is one of tests/apps, CASE is trace, summary, both, filtered (a trace, with the filter of `tarry score -g`) or
compiled (the same filter, used to compile). `build` builds PROGRAM in the working folder, without and with `tarry
instrument`, and makes a summary and the filter. `predicted` and `measured` print nanoseconds a visit, `compare` all
cases side by side. The status of `compare` is 1 if a prediction is off by more than a factor of 2 and 10 ns.

Measured times are processor time of the program, less that of a run of no steps, the least of N runs in turns: so they
depend least on what else the machine does. One process runs, since those that wait take processor time as well.
"""
import argparse
import csv
import io
import os
import pathlib
import shutil
import subprocess
import sys

APPS = pathlib.Path(__file__).resolve().parent.parent / "tests" / "apps"
# name: source, compiler, steps
PROGRAMS = {
    "hot_function": ("hot_function.c", "gcc", 60),
    "small_templates": ("small_templates.cpp", "g++", 60),
    "element_loop": ("element_loop.f90", "gfortran", 40),
    "lu_sweeps": ("lu_sweeps.c", "mpicc", 120),
    "hpcg_levels": ("hpcg_levels.cpp", "mpicxx", 40),
}
# name: row of tarry score --csv, what is recorded
CASES = {
    "trace": ("total", "trace"),
    "summary": ("total", "summary"),
    "both": ("total", "both"),
    "filtered": ("filtered", "trace"),
    "compiled": ("filtered_at_compile_time", "trace"),
}
FILTER, SUMMARY = "score.filter", "full"


class Bench:
    def __init__(self, options):
        self.tarry = os.path.join(options.tools, "tarry")
        self.recorder = os.path.abspath(options.recorder)
        self.runs = options.runs
        self.name = options.program
        self.source, self.compiler, self.steps = PROGRAMS[options.program]
        self.launcher = ["mpirun", "-np", "1"] if self.compiler.startswith("mpi") else []

    def build(self):
        def run(*command):
            subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

        def compile_to(name, *wrapper):
            run(*wrapper, self.compiler, "-O2", "-o", name, str(APPS / self.source), "-lm")

        compile_to("bare")
        compile_to("instrumented", self.tarry, "instrument")
        shutil.rmtree(SUMMARY, ignore_errors=True)
        run(self.tarry, "measure", "-s", "-o", SUMMARY, "--", *self.launcher, "./instrumented", str(self.steps))
        run(self.tarry, "score", SUMMARY, "-g", FILTER)
        compile_to("filtered", self.tarry, "instrument", "--filter", FILTER)

    def processor_time(self, program, steps, mode=None, has_filter=False):
        """Seconds that the program and its launcher take on processors."""
        environment = dict(os.environ)
        command = [os.path.abspath(program), str(steps)]
        if mode:
            shutil.rmtree("recorded", ignore_errors=True)
            os.mkdir("recorded")
            environment.update(TARRY_ARCHIVE=os.path.abspath("recorded"), TARRY_TRACE=str(int(mode != "summary")),
                               TARRY_SUMMARY=str(int(mode != "trace")))
            if has_filter:
                environment["TARRY_FILTER"] = os.path.abspath(FILTER)
            command = ["env", f"LD_PRELOAD={self.recorder}", *command]
        command = [*self.launcher, *command]
        nowhere = [(os.POSIX_SPAWN_OPEN, 1, "/dev/null", os.O_WRONLY, 0)]
        child = os.posix_spawnp(command[0], command, environment, file_actions=nowhere)
        _, status, usage = os.wait4(child, 0)
        if status:
            sys.exit(f"{' '.join(command)}: status {status}")
        return usage.ru_utime + usage.ru_stime

    def times(self, cases):
        """Of the bare program, and of each case: seconds of processor time that the steps take."""
        variants = {"bare": ("bare",)}
        for case in cases:
            program = "filtered" if case == "compiled" else "instrumented"
            variants[case] = (program, CASES[case][1], case == "filtered")
        least = {}
        for _ in range(self.runs):
            for variant, (program, *recording) in variants.items():
                for steps in (self.steps, 0):
                    time = self.processor_time(program, steps, *recording)
                    least[variant, steps] = min(least.get((variant, steps), time), time)
        return {variant: least[variant, self.steps] - least[variant, 0] for variant in variants}

    def rows(self):
        done = subprocess.run([self.tarry, "score", SUMMARY, "-f", FILTER, "--csv"], capture_output=True, text=True,
                              check=True)
        return {row["kind"]: row for row in csv.DictReader(io.StringIO(done.stdout))}

    def visits(self):
        return float(self.rows()["total"]["visits"])

    def stretch(self):
        """By how much the run that was scored had to wait for processors: predictions are of times, not processor times."""
        done = subprocess.run([self.tarry, "cube", "info", SUMMARY + "/summary.cubex"], capture_output=True, text=True,
                              check=True)
        for line in done.stdout.splitlines():
            if "recording_stretch = " in line:
                return float(line.rpartition(" ")[2])
        return 1.0

    def predicted(self, case):
        row = self.rows()[CASES[case][0]]
        seconds = float(row["dilation_" + CASES[case][1]]) * float(row["undilated_time"])
        return 1e9 * seconds / self.stretch() / self.visits()

    def measured(self, case, times):
        return 1e9 * (times[case] - times["bare"]) / self.visits()

    def compare(self):
        times = self.times(CASES)
        print(f"{self.name}: {times['bare']:.3f} s of processor time, {self.visits():.0f} visits")
        is_far = False
        for case in CASES:
            measured, predicted = self.measured(case, times), self.predicted(case)
            error = abs(predicted - measured)
            is_far = is_far or (error > 10 and not 0.5 <= predicted / measured <= 2)
            note = "" if error <= max(1, 0.2 * abs(measured)) else "   not within 20 % or 1 ns"
            print(f"  {case:9} adds {measured:6.2f} ns to a visit, {100 * (times[case] / times['bare'] - 1):.1f} % to "
                  f"the steps; predicted {predicted:6.2f} ns{note}")
        return int(is_far)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("tools")
    parser.add_argument("recorder")
    parser.add_argument("action", choices=("build", "predicted", "measured", "compare"))
    parser.add_argument("program", choices=PROGRAMS)
    parser.add_argument("case", nargs="?", choices=CASES, default="trace")
    options = parser.parse_args()
    bench = Bench(options)
    if options.action == "build":
        bench.build()
    elif options.action == "predicted":
        print(f"{bench.predicted(options.case):.4g}")
    elif options.action == "measured":
        print(f"{bench.measured(options.case, bench.times([options.case])):.4g}")
    else:
        bench.build()
        return bench.compare()
    return 0


sys.exit(main())
