#!/usr/bin/env python3
"""Two builds of the tools over the same traces: every file that they write must be the same to the last bit.

usage: compare_builds.py BEFORE AFTER [--random N] [--first SEED] [--ways WAY,...] [--only TEXT]

BEFORE and AFTER are folders with the tools, as bin/. Works in the current folder. BEFORE runs with one worker, AFTER in
each of the ways: wK is K workers, pK is mpirun with K processes. Compared are the reports of tarry replay in both modes
with instances and the critical path, the archives that tarry sync corrects, all output of tarry merge, reports that
tarry cube computes, predictions, and the page of tarry explore. Traces: tests/data/peer, and N random ones. Prints one line for each trace; status 1 if any file
differs or only one of the builds writes it. A tool that fails in both builds in the same words is no difference.
"""
import argparse
import concurrent.futures
import gzip
import hashlib
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
WAYS = "w1,w2,w3,w5,p1,p2,p3,p5"
MODES = {"default": [], "compat": ["--compat"]}
CONVERSIONS = {"csv": "merged.csv", "paraver": "merged.prv", "perfetto": "merged.perfetto", "otf2": "merged"}
CUBE = {  # name -> arguments; D and C are the reports of the two modes
    "diff": ["diff", "D", "C"], "merge": ["merge", "D", "C"], "mean": ["mean", "D", "C"], "max": ["max", "D", "C"],
    "cut": ["cut", "--prune", "MPI_Barrier", "D"], "clean": ["clean", "D"], "part": ["part", "--ranks", "0", "D"],
}
PRINTED = {"dump": ["dump", "--csv", "D"], "stat": ["stat", "D"], "info": ["info", "D"], "cmp": ["cmp", "D", "C"],
           "calltree": ["calltree", "D"], "regioninfo": ["regioninfo", "D"], "topn": ["topn", "D"]}
# They hold the time of day, a number that OTF2 draws, and attributes in the order in which threads came to them.
UNLIKE = {"manifest.xml", "traces.otf2", "otf2.tdef"}
SOURCE = re.compile(rb" \([a-z_/]+\.cpp\)(?=</descr>)")  # earlier builds named it in each metric's description
SHOWN = 200  # characters of a message
DURATION = re.compile(rb"\d+(\.\d+)? (min|s|ms|us)\b")


class Build:
    """The tools of one build, run in a folder of their own with the same relative paths as the other's."""

    def __init__(self, tools, folder):
        self.tools = pathlib.Path(tools).resolve()
        self.folder = folder
        folder.mkdir(parents=True, exist_ok=True)

    def run(self, command, way="w1", output=None):
        env = dict(os.environ, PATH=f"{self.tools}:{os.environ['PATH']}")
        if way[0] == "p":
            command = ["mpirun", "-np", way[1:]] + command
        done = subprocess.run(command, cwd=self.folder, env=env, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                              timeout=900)
        if output:
            (self.folder / output).write_bytes(done.stdout)
        words = DURATION.sub(b"TIME", done.stderr).replace(bytes(self.tools), b"TOOLS")
        return done.returncode, words

    def digests(self):
        return {str(path.relative_to(self.folder)): digest(path)
                for path in sorted(self.folder.rglob("*")) if path.is_file() and path.name not in UNLIKE}


def digest(path):
    """Of a report, of all files in it."""
    if path.suffix != ".cubex":
        return hashlib.sha256(path.read_bytes()).hexdigest()
    sums = hashlib.sha256()
    with tarfile.open(path) as report:
        for member in report:
            data = report.extractfile(member).read()
            data = gzip.decompress(data) if data[:2] == b"\x1f\x8b" else data
            if member.name.endswith(".xml"):  # padded with line ends
                data = SOURCE.sub(b"", data).rstrip()
            sums.update(member.name.encode() + data)
    return sums.hexdigest()


def replay(build, anchor, way):
    workers = ["--workers", way[1:] if way[0] == "w" else "1"]
    return [build.run(["tarry-replay", "-q", "--strict", *mode, *workers, "--no-provenance", anchor, "-o",
                       f"{name}.cubex", "--instances", "3", "--critical-path", f"{name}-path.csv"], way)
            for name, mode in MODES.items()]


def convert(build, anchor):
    yield build.run(["tarry-merge", "-q", anchor, "--to", "tarry", "-o", "archive"])
    for form, output in CONVERSIONS.items():
        yield build.run(["tarry-merge", "-q", anchor, "--to", form, "-o", output])
    yield build.run(["tarry-sync", "-q", "archive"])
    yield build.run(["tarry-merge", "-q", "archive", "--to", "csv", "-o", "corrected.csv"])


def algebra(build):
    reports = {"D": "default.cubex", "C": "compat.cubex"}
    for name, arguments in CUBE.items():
        yield build.run(["tarry-cube", *(reports.get(a, a) for a in arguments), "-o", f"{name}.cubex"])
    for name, arguments in PRINTED.items():
        yield build.run(["tarry-cube", *(reports.get(a, a) for a in arguments)], output=f"{name}.txt")


def predict(build):
    yield build.run(["tarry-replay", "-q", "--no-provenance", "archive"])
    yield build.run(["tarry-predict", "archive", "--rank-delays", "--json"], output="gains.json")
    yield build.run(["tarry-predict", "archive", "--without-delay", "1", "-o", "predicted.cubex"], output="predicted.txt")
    yield build.run(["tarry-explore", "-q", "archive", "--what-if", "2", "-o", "page.html"])


def differences(before, said_before, after, said_after):
    left, right = before.digests(), after.digests()
    for name in sorted(set(left) | set(right)):
        if left.get(name) != right.get(name):
            yield f"{name} ({'differs' if name in left and name in right else 'written by one only'})"
    for left, right in zip(said_before, said_after):
        if left != right:
            yield f"status and messages {str(left)[:SHOWN]} and {str(right)[:SHOWN]}"


def compare(trace, anchor, options):
    """The differences of one trace, as sentences."""
    with tempfile.TemporaryDirectory(dir=".") as folder:
        folder = pathlib.Path(folder).resolve()
        before = Build(options.before, folder / "before")
        expected = replay(before, anchor, "w1")
        for way in options.ways.split(","):
            after = Build(options.after, folder / way)
            for difference in differences(before, expected, after, replay(after, anchor, way)):
                yield f"{trace}, {way}: {difference}"
            shutil.rmtree(folder / way)
        after = Build(options.after, folder / "after")
        replay(after, anchor, "w1")
        said = [[*algebra(build), *convert(build, anchor), *predict(build)] for build in (before, after)]
        for difference in differences(before, said[0], after, said[1]):
            yield f"{trace}: {difference}"


def traces(options):
    """(name, anchor file) of each."""
    for packed in sorted((ROOT / "tests/data/peer").glob("*.tar.xz")):
        with tarfile.open(packed) as archive:
            archive.extractall("peer")
    for anchor in sorted(pathlib.Path("peer").rglob("traces.otf2")):
        yield str(anchor.parent.relative_to("peer")), str(anchor.resolve())
    for seed in range(options.first, options.first + options.random):
        folder = pathlib.Path(f"random/{seed}")
        if not folder.exists():
            folder.parent.mkdir(exist_ok=True)
            subprocess.run(["/usr/bin/python3", "-B", ROOT / "tests/oracle/random_trace.py", str(seed), folder], check=True)
        yield f"random {seed}", str((folder / "traces.otf2").resolve())


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("before")
    parser.add_argument("after")
    parser.add_argument("--random", type=int, default=200, metavar="N")
    parser.add_argument("--first", type=int, default=1, metavar="SEED")
    parser.add_argument("--ways", default=WAYS)
    parser.add_argument("--only", default="", metavar="TEXT", help="traces whose name contains this")
    options = parser.parse_args()
    for tools in (options.before, options.after):
        if not (pathlib.Path(tools) / "tarry-replay").exists():  # else those in $PATH would be compared
            parser.error(f"{tools}: there is no tarry-replay; name the folder with the tools, as bin/")
    chosen = [(name, anchor) for name, anchor in traces(options) if options.only in name]
    failed = 0
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        for (name, _), found in zip(chosen, pool.map(lambda trace: list(compare(*trace, options)), chosen)):
            failed += bool(found)
            print("\n".join(found) or f"{name}: the same", flush=True)
    print(f"{len(chosen)} traces, {failed} differ")
    return 1 if failed or not chosen else 0


if __name__ == "__main__":
    sys.exit(main())
