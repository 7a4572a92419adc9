#!/usr/bin/env python3
"""What recording adds to a visit, as tarry score predicts it and as it is.

usage: bench_dilation.py [--runs N] TOOLS RECORDER build|predicted|measured|compare PROGRAM [CASE]
       bench_dilation.py [--runs N] --compile COMMAND --long ARGUMENTS --short ARGUMENTS TOOLS RECORDER compare PROGRAM

PROGRAM is one of tests/apps, CASE is trace, summary, both, filtered (a trace, with the filter of `tarry score -g`) or
compiled (the same filter, used to compile). `build` builds PROGRAM in the working folder, without and with `tarry
instrument`, and makes a summary and the filter. `predicted` and `measured` print nanoseconds a visit, `compare` all
cases side by side. The status of `compare` is 1 if a prediction is off by more than a factor of 2 and 10 ns.

Any other program can be compared, too: COMMAND compiles it and ends with what is behind `-o OUTPUT`, which comes before.
`--long` has the arguments of the run that counts, `--short` those of one that does next to nothing else than to start.

Measured times are processor time of the program, less that of a run of no steps, and predictions are less those for no
steps. A processor of a shared machine is faster at one time than at another. So each of N rounds measures all cases,
and makes a summary with a prediction of its own: medians of the rounds are printed. One process runs, since those that
wait take processor time as well.
"""
import argparse
import csv
import io
import os
import pathlib
import shlex
import shutil
import statistics
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
# name: row of tarry score --csv, what is recorded, runs of the program for one time, as little is added
CASES = {
    "trace": ("total", "trace", 1),
    "summary": ("total", "summary", 1),
    "both": ("total", "both", 1),
    "filtered": ("filtered", "trace", 3),
    "compiled": ("filtered_at_compile_time", "trace", 3),
}
FILTER, SUMMARY, EMPTY_SUMMARY = "score.filter", "full", "empty"


class Bench:
    def __init__(self, options):
        self.tarry = os.path.join(options.tools, "tarry")
        self.recorder = os.path.abspath(options.recorder)
        self.runs = options.runs
        self.name = options.program
        if options.compile:
            self.compile, self.long, self.short = map(shlex.split, (options.compile, options.long, options.short))
        else:
            source, compiler, steps = PROGRAMS[options.program]
            self.compile, self.long, self.short = [compiler, "-O2", str(APPS / source), "-lm"], [str(steps)], ["0"]
        self.launcher = ["mpirun", "-np", "1"] if self.compile[0].startswith("mpi") else []

    def run(self, *command):
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def build(self):
        def compile_to(name, *wrapper):
            self.run(*wrapper, self.compile[0], "-o", name, *self.compile[1:])

        compile_to("bare")
        compile_to("instrumented", self.tarry, "instrument")
        self.summarise()
        self.run(self.tarry, "score", SUMMARY, "-g", FILTER)
        compile_to("filtered", self.tarry, "instrument", "--filter", FILTER)

    def summarise(self):
        for archive, arguments in ((SUMMARY, self.long), (EMPTY_SUMMARY, self.short)):
            shutil.rmtree(archive, ignore_errors=True)
            self.run(self.tarry, "measure", "-s", "--throttle", "off", "-o", archive, "--", *self.launcher, "./instrumented", *arguments)

    def processor_time(self, program, arguments, mode=None, has_filter=False):
        """Seconds that the program and its launcher take on processors."""
        environment = dict(os.environ)
        command = [os.path.abspath(program), *arguments]
        if mode:
            shutil.rmtree("recorded", ignore_errors=True)
            os.mkdir("recorded")
            environment.update(TARRY_ARCHIVE=os.path.abspath("recorded"), TARRY_TRACE=str(int(mode != "summary")),
                               TARRY_SUMMARY=str(int(mode != "trace")), TARRY_THROTTLE="off")
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

    def steps_time(self, times, program, *recording):
        """Seconds of processor time that the steps take, on average of so many runs."""
        runs = [self.processor_time(program, self.long, *recording) - self.processor_time(program, self.short, *recording)
                for _ in range(times)]
        return statistics.mean(runs)

    def added(self, case):
        """Seconds that recording adds to the steps, and what they take without."""
        _, mode, times = CASES[case]
        bare = self.steps_time(times, "bare")
        program = "filtered" if case == "compiled" else "instrumented"
        return self.steps_time(times, program, mode, case == "filtered") - bare, bare

    def rows(self, archive=SUMMARY):
        done = subprocess.run([self.tarry, "score", archive, "-f", FILTER, "--csv"], capture_output=True, text=True,
                              check=True)
        return {row["kind"]: row for row in csv.DictReader(io.StringIO(done.stdout))}

    def visits(self):
        return float(self.rows()["total"]["visits"])

    def stretch(self, archive):
        """By how much a run that was scored waited for processors: predictions are of times, not processor times."""
        done = subprocess.run([self.tarry, "cube", "info", archive + "/summary.cubex"], capture_output=True, text=True,
                              check=True)
        for line in done.stdout.splitlines():
            if "recording_stretch = " in line:
                return float(line.rpartition(" ")[2])
        return 1.0

    def predicted_added(self, case, archive):
        row = self.rows(archive)[CASES[case][0]]
        return float(row["dilation_" + CASES[case][1]]) * float(row["undilated_time"]) / self.stretch(archive)

    def predicted(self, case):
        seconds = self.predicted_added(case, SUMMARY) - self.predicted_added(case, EMPTY_SUMMARY)
        return 1e9 * seconds / self.visits()

    def rounds(self, cases):
        """For each case what was measured and predicted, in nanoseconds a visit; and seconds of the bare steps."""
        measured, predicted, bare = {case: [] for case in cases}, {case: [] for case in cases}, []
        for _ in range(self.runs):
            self.summarise()
            for case in cases:
                added, without = self.added(case)
                measured[case].append(1e9 * added / self.visits())
                predicted[case].append(self.predicted(case))
                bare.append(without)
        medians = {case: (statistics.median(measured[case]), statistics.median(predicted[case])) for case in cases}
        return medians, statistics.median(bare)

    def compare(self):
        medians, bare = self.rounds(CASES)
        print(f"{self.name}: {bare:.3f} s of processor time, {self.visits():.0f} visits")
        is_far = False
        for case, (measured, predicted) in medians.items():
            error = abs(predicted - measured)
            is_far = is_far or (error > 10 and not 0.5 <= predicted / measured <= 2)
            note = "" if error <= max(1, 0.2 * abs(measured)) else "   not within 20 % or 1 ns"
            print(f"  {case:9} adds {measured:6.2f} ns to a visit, {measured * self.visits() / bare / 1e7:.1f} % to the "
                  f"steps; predicted {predicted:6.2f} ns{note}", flush=True)
        return int(is_far)


def main():
    parser = argparse.ArgumentParser(description=__doc__, usage=argparse.SUPPRESS,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--compile")
    parser.add_argument("--long")
    parser.add_argument("--short")
    parser.add_argument("tools")
    parser.add_argument("recorder")
    parser.add_argument("action", choices=("build", "predicted", "measured", "compare"))
    parser.add_argument("program")
    parser.add_argument("case", nargs="?", choices=CASES, default="trace")
    options = parser.parse_args()
    if not options.compile and options.program not in PROGRAMS:
        parser.error(f"no such program: {options.program}; it is one of {', '.join(PROGRAMS)}, or has --compile")
    if options.compile and (options.long is None or options.short is None):
        parser.error("--compile needs --long and --short")
    bench = Bench(options)
    if options.action == "build":
        bench.build()
    elif options.action == "predicted":
        print(f"{bench.predicted(options.case):.4g}")
    elif options.action == "measured":
        print(f"{bench.rounds([options.case])[0][options.case][0]:.4g}")
    else:
        bench.build()
        return bench.compare()
    return 0


sys.exit(main())
