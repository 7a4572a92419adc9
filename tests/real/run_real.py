#!/usr/bin/env python3
"""Runs programs of Debian bare and measured, and checks that both are alike and that what is said of them is so.

usage: run_real.py [--tools BIN] [--work FOLDER] [--install] [--table FILE] [PROGRAM...]     (`make check-real`)

Takes the programs of programs.tsv, or those that are named. A line of it has, between tabs, `-` being nothing:

  name         of the program, and of its folder in FOLDER
  packages     that it needs: the first one's version is in the table; without them it is skipped
  ranks        of `mpirun -np`; 0: it is started by itself
  environment  NAME=VALUE, for all of its runs
  input        a script in inputs/ with its arguments: it makes the inputs in the current folder
  command      for the shell; $BIN is the folder of the input script's own programs
  masks        between two blanks: `sort` compares sorted lines, `sort:GLOB` those of some files, `skip:GLOB` leaves a
               file out (`skip:stdout` the output), `drop:EXPRESSION` leaves lines out that not every run prints,
               `unreceived` expects messages that the program never receives,
               anything else is a regular expression: what it matches in a line of output or of a file counts as alike

Each program runs twice bare, then with -s, with -t and with -s -t --sample. Expected are: the same output, status and
files; 99 of 100 stacks are whole; reports and archives are sound; a screen of at most 100 lines whose numbers
check_screen.py finds again in the report; no efficiency above 100 %; conversions that their readers accept. A run whose
masked output differs between the two bare runs is not compared, and the table says so. Prints a line for each program
and what is wrong; status 1 if something is.

--table writes the results of all programs that ever ran in FOLDER as a document.
"""
import argparse
import csv
import fnmatch
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import time

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
COLUMNS = "name packages ranks environment input command masks".split()
# Folders of one length, so that lines break in the same places.
WAYS = {"summ": ["-s"], "trac": ["-t"], "samp": ["-s", "-t", "--sample"]}
TIMEOUT = 300
MOST_EVENTS = 200000  # that are converted: the readers are slow
MOST_LINES = 100
LEAST_WHOLE = 0.99
OWN_LINE = re.compile(r"^tarry-measure: .*\n?", re.M)


def read_programs():
    programs = []
    for line in (HERE / "programs.tsv").read_text().splitlines():
        if line and not line.startswith("#"):
            fields = line.split("\t")
            if len(fields) != len(COLUMNS):
                sys.exit(f"programs.tsv: {len(fields)} fields, not {len(COLUMNS)}: {line}")
            programs.append({key: "" if value == "-" else value for key, value in zip(COLUMNS, fields)})
    return programs


def versions_of(packages):
    """{package: version} of those that are installed."""
    run = subprocess.run(["dpkg-query", "-W", "-f", "${db:Status-Status} ${Package} ${Version}\n", *packages],
                         capture_output=True, text=True)
    rows = [line.split() for line in run.stdout.splitlines()]
    return {row[1]: row[2] for row in rows if len(row) == 3 and row[0] == "installed"}


def install(programs):
    """One after another: some do not stand beside others, and then only their program is skipped."""
    for program in programs:
        packages = program["packages"].split(",")
        if set(packages) - set(versions_of(packages)):
            subprocess.run(["apt-get", "install", "-y", "-qq", "--no-install-recommends", *packages],
                           env={**os.environ, "DEBIAN_FRONTEND": "noninteractive"})


class Failure(Exception):
    pass


class Run:
    """What one run left."""
    def __init__(self, folder, status, output, errors, wall, user):
        self.folder, self.status, self.output, self.errors = folder, status, output, errors
        self.wall, self.user = wall, user


class Program:
    def __init__(self, row, tools, work):
        self.__dict__.update(row)
        self.ranks = int(self.ranks)
        self.folder = work / self.name
        self.tools = tools
        words = self.masks.split("  ") if self.masks else []
        self.skipped = [word[5:] for word in words if word.startswith("skip:")]
        self.sorted = [word[5:] for word in words if word.startswith("sort:")] + (["*"] if "sort" in words else [])
        self.unreceived = "unreceived" in words
        self.dropped = [re.compile(word[5:]) for word in words if word.startswith("drop:")]
        self.patterns = [re.compile(word) for word in words if word not in ("sort", "unreceived")
                         and word[:5] not in ("skip:", "sort:", "drop:")]
        self.complaints, self.notes, self.facts = [], [], {}

    # ---- running ----

    def variables(self):
        """As a root user on few cores; the program's own variables win."""
        own = dict(pair.split("=", 1) for pair in self.environment.split())
        return {**os.environ, "OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
                "OMPI_MCA_rmaps_base_oversubscribe": "1", "PRTE_MCA_rmaps_default_mapping_policy": ":oversubscribe",
                "OMPI_MCA_mpi_yield_when_idle": "1", "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1",
                "BIN": str(self.folder / "bin"), "REAL": str(HERE / "inputs"),
                "PATH": f"{self.tools}:{os.environ['PATH']}", **own}

    def make_inputs(self):
        shutil.rmtree(self.folder, ignore_errors=True)
        (self.folder / "input").mkdir(parents=True)
        (self.folder / "bin").mkdir()
        if self.input:
            run = subprocess.run(f"$REAL/{self.input}", shell=True, cwd=self.folder / "input", env=self.variables(),
                                 capture_output=True, text=True, errors="replace")
            if run.returncode:
                raise Failure(f"its inputs are not made: {(run.stdout + run.stderr).strip()[-500:]}")

    def run(self, way, options=None):
        folder = self.folder / way
        shutil.copytree(self.folder / "input", folder, symlinks=True)
        launcher = f"mpirun -np {self.ranks} " if self.ranks else ""
        measure = f"tarry measure {' '.join(options)} -o ../run-{way} -- " if options else ""
        out, err = self.folder / f"{way}.out", self.folder / f"{way}.err"
        begin = time.monotonic()
        with open(out, "w") as output, open(err, "w") as errors:
            child = subprocess.Popen(["timeout", "--foreground", "-k", "10", str(TIMEOUT), "sh", "-c",
                                      measure + launcher + self.command],
                                     cwd=folder, env=self.variables(), stdout=output, stderr=errors,
                                     stdin=subprocess.DEVNULL)
            _, status, usage = os.wait4(child.pid, 0)
            child.returncode = os.waitstatus_to_exitcode(status)
        wall = time.monotonic() - begin
        return Run(folder, child.returncode, out.read_text(errors="replace"), err.read_text(errors="replace"),
                   wall, usage.ru_utime)

    # ---- comparing ----

    def masked(self, text, name, folder):
        lines = text.replace(str(folder), "@FOLDER@").split("\n")
        lines = [line for line in lines if not any(pattern.search(line) for pattern in self.dropped)]
        for pattern in self.patterns:
            lines = [pattern.sub("~", line) for line in lines]
        return sorted(lines) if any(fnmatch.fnmatch(name, glob) for glob in self.sorted) else lines

    def left_by(self, run):
        """{name: masked contents}: of files and of both streams; files that hold no text are compared as they are."""
        left = {"stdout": self.masked(run.output, "stdout", run.folder),
                "stderr": self.masked(OWN_LINE.sub("", run.errors), "stderr", run.folder)}
        for path in sorted(run.folder.rglob("*")):
            name = str(path.relative_to(run.folder))
            if path.is_symlink() or path.is_dir():
                left[name] = os.readlink(path) if path.is_symlink() else "folder"
                continue
            data = path.read_bytes()
            try:
                left[name] = self.masked(data.decode(), name, run.folder)
            except UnicodeDecodeError:
                left[name] = data
        return left

    def is_skipped(self, name):
        return any(fnmatch.fnmatch(name, glob) for glob in self.skipped)

    def differences(self, one, other):
        """What the runs differ in, as lines; a file that is left out must be there all the same."""
        first, second = self.left_by(one), self.left_by(other)
        if one.status != other.status:
            yield "status", f"status {one.status} and {other.status}"
        for name in sorted(first.keys() | second.keys()):
            if name not in first or name not in second:
                if not self.is_skipped(name):
                    yield name, f"{name} is only in {(one if name in first else other).folder.name}"
            elif first[name] != second[name] and not self.is_skipped(name):
                detail = ""
                if isinstance(first[name], list) and isinstance(second[name], list):
                    pairs = [(a, b) for a, b in zip(first[name] + [""], second[name] + [""]) if a != b]
                    detail = f": {len(pairs)} lines, the first: {pairs[0][0][:100]!r} and {pairs[0][1][:100]!r}" if pairs \
                        else ": one is longer"
                yield name, f"{name} differs{detail}"

    # ---- checking ----

    def complain(self, text):
        self.complaints.append(text)

    def tarry(self, *arguments, quiet=True):
        run = subprocess.run(["tarry", *map(str, arguments)], capture_output=True, text=True, errors="replace",
                             cwd=self.folder, env=self.variables())
        if run.returncode:
            words = " ".join(map(str, arguments))
            said = (run.stderr.strip() or run.stdout.strip())[-400:]
            self.complain(f"tarry {words}: status {run.returncode}: {said}")
        return run

    def helper(self, script, *arguments, stdin=None):
        """A checker of the other tests."""
        run = subprocess.run(["/usr/bin/python3", ROOT / "tests" / script, *arguments], capture_output=True, text=True,
                             errors="replace", cwd=self.folder, stdin=stdin, env=self.variables())
        if run.returncode:
            wrong = [line for line in run.stdout.splitlines() if line.startswith("WRONG")]
            self.complain(f"{script}: {' | '.join(wrong)[:600] or (run.stdout + run.stderr).strip()[-400:]}")

    def check_stacks(self, way, errors):
        match = re.search(r"call paths cost .*?: (\d+) stacks?(?:; (\d+) of them lack)?", errors)
        if not match:
            return
        whole = 1 - int(match[2] or 0) / int(match[1])
        self.facts["whole"] = min(self.facts.get("whole", 1), whole)
        if whole < LEAST_WHOLE:
            self.complain(f"{way}: {100 * whole:.2f} % of {match[1]} stacks are whole")

    def check_report(self, report, way):
        """Returns the screen and what is behind it."""
        self.tarry("cube", "sanity", report)
        screen = self.tarry("report", report).stdout
        (self.folder / f"{way}.screen").write_text(screen)
        if screen.count("\n") > MOST_LINES:
            self.complain(f"{way}: the screen has {screen.count(chr(10))} lines")
        found = self.tarry("report", "--json", report).stdout
        (self.folder / f"{way}.json").write_text(found)
        table = self.tarry("report", "--efficiency", "--csv", report)
        for row in csv.DictReader(table.stdout.splitlines()):
            for key, value in row.items():
                if key in ("value", "efficiency") and value and float(value) > 1 + 1e-9:
                    self.complain(f"{way}: {row}: more than 100 %")
        for percent in re.findall(r"([0-9.]+) ?%", screen):
            if float(percent) > 100.05:
                self.complain(f"{way}: {percent} % on the screen")
        return screen, json.loads(found) if found else None

    def check_analysis(self, way):
        run = f"run-{way}"
        replay = self.tarry("replay", "--strict", run)
        if replay.returncode:
            return
        if self.unreceived != ("sent and never received" in replay.stderr):
            self.complain(f"{way}: messages that nobody receives: {replay.stderr}")
        report = f"{run}/analysis.cubex"
        screen, found = self.check_report(report, way)
        if not found:
            return
        dump = self.folder / f"{way}.csv"
        dump.write_text(self.tarry("cube", "dump", "--csv", report).stdout)
        self.helper("report/check_screen.py", f"{way}.screen", f"{way}.json", f"{way}.csv")
        self.facts["waiting"] = found["waiting"] / found["allocation"] if found["allocation"] else 0
        self.facts["told"] = self.told_share(screen, found)
        self.facts["finding"] = found["advice"][0]["sentence"] if found["advice"] else ""

    @staticmethod
    def told_share(screen, found):
        if not found["waiting"]:
            return None
        said = re.search(r"the call paths above have ([0-9.]+)% of the waiting", screen)
        return float(said[1]) / 100 if said else 0.8

    def convert(self, way):
        run = f"run-{way}"
        events = self.facts["events"]
        part = []
        if events > MOST_EVENTS:
            part = ["--time", f"0:{self.facts[way + '_wall'] * MOST_EVENTS / events:.6f}"]
        lacks = part or self.unreceived
        strict = [] if lacks else ["--strict"]
        if not self.tarry("merge", "-q", "--strict", run, "-o", f"{way}-otf2", "--to", "otf2").returncode:
            reader = subprocess.run(["otf2-print", f"{way}-otf2/traces.otf2"], stdout=subprocess.DEVNULL, text=True,
                                    stderr=subprocess.PIPE, cwd=self.folder)
            if reader.returncode or reader.stderr:
                self.complain(f"otf2-print: {reader.stderr.strip()[:300]}")
        for target, name in (("csv", f"{way}.events"), ("paraver", f"{way}.prv"), ("perfetto", f"{way}.pftrace")):
            if self.tarry("merge", "-q", *strict, *part, run, "-o", name, "--to", target).returncode:
                return
        # At the end of a part there are messages that nobody receives.
        self.helper("convert/check_prv.py", f"{way}.prv", *([] if lacks else [f"{way}.events"]))
        with open(self.folder / f"{way}.pftrace") as trace:
            if lacks:
                if subprocess.run(["protoc", "--decode_raw"], stdin=trace, stdout=subprocess.DEVNULL).returncode:
                    self.complain("protoc does not read what is converted for Perfetto")
                return
            decode = ["protoc", "--decode=Trace", "-I", ROOT / "tests/convert", "perfetto_fields.proto"]
            reader = subprocess.Popen(decode, stdin=trace, stdout=subprocess.PIPE)
        self.helper("convert/check_perfetto.py", f"{way}.events", stdin=reader.stdout)
        reader.stdout.close()
        reader.wait()

    def check_run(self, way, bare, varying):
        run = self.run(way, WAYS[way])
        for name, what in self.differences(bare, run):
            if name not in varying:
                self.complain(f"{way}: {what}")
        self.facts[f"{way}_wall"], self.facts[f"{way}_user"] = run.wall, run.user
        self.check_stacks(way, run.errors)
        own = OWN_LINE.findall(run.errors)
        if not (self.folder / f"run-{way}").is_dir():
            return self.complain(f"{way}: no archive: {''.join(own)[-300:]}")
        self.tarry("archive", "verify", f"run-{way}")
        if way == "trac":
            match = re.search(r"(\d+) events?,", "".join(own))
            self.facts["events"] = int(match[1]) if match else 0
        if (self.folder / f"run-{way}/summary.cubex").is_file():
            self.check_report(f"run-{way}/summary.cubex", f"{way}-summary")
        elif way != "trac":
            self.complain(f"{way}: no summary: {''.join(own)[-300:]}")
        if way == "summ":
            return
        self.check_analysis(way)
        if way == "trac":
            self.convert(way)

    def check(self):
        self.make_inputs()
        bare, again = self.run("bare"), self.run("base")
        if bare.status:
            raise Failure(f"status {bare.status} bare: {(bare.errors or bare.output).strip()[-500:]}")
        varying = {}
        for name, what in self.differences(bare, again):
            varying[name] = what
            self.notes.append(f"bare, too, {what}")
        self.facts["bare_wall"], self.facts["bare_user"] = min(bare.wall, again.wall), min(bare.user, again.user)
        for way in WAYS:
            self.check_run(way, bare, varying)
        shutil.rmtree(self.folder / "base")


# ---- the document ----

HEAD = """# Programs that nobody here wrote

`make check-real TABLE=docs/REAL_PROGRAMS.md` runs the programs of `tests/real/programs.tsv` and writes this table.
`make deps-real` installs them. A new program is one line there.

Each program runs twice bare, then with `-s`, with `-t`, and with `-s -t --sample`. The measured runs must have the
output, the status and the files of the bare ones. `tests/real/run_real.py` lists what else must hold.

* **user**: user time of a run and all that `tarry measure` does behind it, in units of a bare run's. A run of a second
  pays for the end of its recording. Ranks that wait spin, so other work on the machine shows here. It is no benchmark.
* **whole**: share of the stacks that were walked up to the beginning of the program or thread.
* **waiting**: share of the allocation time. **listed**: what the call paths on the first screen have of it.

"""


def ratio(facts, way):
    return f"{facts[way + '_user'] / max(facts['bare_user'], 0.01):.2f}" if way + "_user" in facts else ""


def percent(value):
    return "" if value is None else f"{100 * value:.1f} %"


def cell(text):
    return text.replace(f"{ROOT}/", "").replace("|", "\\|").replace("\n", " ")


def write_table(results, path):
    lines = ["| program | package | ranks | bare: wall, user | user: -s | -t | -s -t --sample | whole | events | waiting | listed "
             "| first finding | result |", "|---|---|---|---|---|---|---|---|---|---|---|---|---|"]
    for name in sorted(results):
        entry = results[name]
        facts = entry["facts"]
        told = facts.get("told")
        lines.append("| " + " | ".join([
            name, entry["package"], str(entry["ranks"] or ""),
            f"{facts['bare_wall']:.1f}, {facts['bare_user']:.1f} s" if "bare_wall" in facts else "",
            *(ratio(facts, way) for way in WAYS), percent(facts.get("whole")), str(facts.get("events", "")),
            percent(facts.get("waiting")), "" if told is None else "≥ 80 %" if told == 0.8 else percent(told),
            cell(facts.get("finding", ""))[:160],
            "; ".join(cell(each)[:200] for each in entry["complaints"] + entry["notes"]) or "as it must be"]) + " |")
    good = sum(1 for entry in results.values() if not entry["complaints"])
    path.write_text(HEAD + "\n".join(lines) + f"\n\n{good} of {len(results)} programs have no complaint.\n")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tools", default=ROOT / "bin", type=pathlib.Path)
    parser.add_argument("--work", default=ROOT / "build" / "real", type=pathlib.Path)
    parser.add_argument("--install", action="store_true", help="install the packages, and run nothing")
    parser.add_argument("--table", type=pathlib.Path)
    parser.add_argument("--keep", action="store_true", help="keep the runs of programs without complaint")
    parser.add_argument("programs", nargs="*", metavar="PROGRAM")
    options = parser.parse_args()
    rows = [row for row in read_programs() if not options.programs or row["name"] in options.programs]
    if not rows:
        sys.exit(f"programs.tsv has none of these: {' '.join(options.programs)}")
    if options.install:
        return install(rows)
    options.work = options.work.resolve()
    options.work.mkdir(parents=True, exist_ok=True)
    store = options.work / "results.json"
    results = json.loads(store.read_text()) if store.exists() else {}
    failed = skipped = 0
    for row in rows:
        packages = row["packages"].split(",")
        versions = versions_of(packages)
        if set(packages) - set(versions):
            print(f"skip {row['name']}: not installed: {' '.join(sorted(set(packages) - set(versions)))}", flush=True)
            skipped += 1
            continue
        begin = time.monotonic()
        program = Program(row, options.tools.resolve(), options.work)
        try:
            program.check()
        except Failure as failure:
            program.complain(str(failure))
        print(f"{'FAIL' if program.complaints else 'ok  '} {row['name']} ({time.monotonic() - begin:.0f} s)")
        for line in [*program.complaints, *(f"note: {note}" for note in program.notes)]:
            print(f"     {line}")
        sys.stdout.flush()
        failed += bool(program.complaints)
        results[row["name"]] = {"package": f"{packages[0]} {versions[packages[0]]}", "ranks": program.ranks,
                                "facts": program.facts, "complaints": program.complaints, "notes": program.notes}
        store.write_text(json.dumps(results, indent=1))
        if not program.complaints and not options.keep:
            shutil.rmtree(program.folder)
    print(f"{len(rows) - failed - skipped} passed, {failed} failed, {skipped} skipped")
    if options.table:
        write_table(results, options.table)
    return 1 if failed else 0


sys.exit(main())
