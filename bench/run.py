#!/usr/bin/env python3
"""Prints every figure that we publish, beside its yardstick measured in the same run.

usage: run.py [--build FOLDER] [--tools FOLDER] [--against FOLDER | --base TREE] [--repeat N] [FIGURE...]

A figure runs two commands, ours and a yardstick's, in turns, so that a busy machine slows both; a command prints its
value as the last word on stdout. Shown are the medians, their spread (half the distance between the quartiles), in
brackets the least and the greatest, and the ratio of ours to the yardstick. A ratio beyond its bar is marked and makes
the status 1. Values of figures without a yardstick stand alone. A name that is none means all figures that begin with
it: sync-mpi-speed-2 is one of sync-mpi. BENCH_TRACES adds figures of replay for recorded traces. In commands @BENCH@ is
the folder of the benchmark programs, @TOOLS@ that of the tools and @ROOT@ that of the repository; they run in an empty
folder.

With --against, the yardstick is an earlier build: the same command with the tools of that folder. A figure may be 3 %
worse. Figures that do not measure a tool are left out.

With --base, the yardstick is another tree that is built, its benchmark programs included (make bench-programs): the same
command with its programs, tools and recorder. Judged is the best of each: what else a shared machine does makes single
turns worse, never better.
"""
import argparse
import os
import pathlib
import shlex
import shutil
import statistics
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent


class Figure:
    """What is measured. `bar`: ("<=", 1.05) or (">=", 0.9) on the ratio, or on the value without a yardstick; ("-", 1.0):
    on the difference. `judged`: which of the values that is."""

    def __init__(self, name, what, unit, ours, yardstick=None, yardstick_name="", bar=None, setup=None, repeat=None,
                 judged=statistics.median):
        self.name, self.what, self.unit = name, what, unit
        self.ours, self.yardstick, self.yardstick_name = ours, yardstick, yardstick_name
        self.bar, self.setup, self.repeat, self.judged = bar, setup, repeat, judged


# The program of `make demo`.
MEASURE_HALO = ("sh -c 'mpicc -O2 -o halo_exchange @ROOT@/tests/apps/halo_exchange.c -lm && "
                "tarry measure -t -o run -- mpirun -np 8 ./halo_exchange'")

# The whole analysis and report, beside OTF2's own reader that only counts the same events.
FINISH = f"{sys.executable} {ROOT}/bench/bench_finish.py"
HPCC = f"{sys.executable} {ROOT}/bench/bench_hpcc.py"
REPLAY = f"{sys.executable} {ROOT}/bench/bench_replay.py"
NO_OP = "@BENCH@/otf2_noop trace/otf2/traces.otf2"


def replay_figures(kind, ranks, events):
    setup = f"@BENCH@/make_trace {kind} {ranks} {events} trace"
    for format_name, path in (("archive", "trace/archive"), ("otf2", "trace/otf2/traces.otf2")):
        tool = f"@TOOLS@/tarry-replay -q {path} -o report.cubex"
        for what, unit, text in (("speed", "Mevents/s", "replay"), ("memory", "bytes/event", "peak memory of replay")):
            yield Figure(f"replay-{what}-{format_name}-{ranks}", f"{text}, {kind}, {ranks} ranks, {format_name}", unit,
                         setup=setup, repeat=5, ours=f"{REPLAY} {what} trace {tool}",
                         yardstick=f"{REPLAY} {what} trace {NO_OP}", yardstick_name="OTF2 no-op reader",
                         bar=REPLAY_BARS.get((what, format_name)))


def replay_speed(name, what, setup, bar, metrics=""):
    """Replay of the archive that `setup` makes, beside OTF2's no-op reader on the same trace."""
    return Figure(f"replay-speed-{name}", f"replay, {what}", "Mevents/s", setup=setup, repeat=15,
                  ours=f"{REPLAY} speed trace @TOOLS@/tarry-replay -q trace/archive -o report.cubex{metrics}",
                  yardstick=f"{REPLAY} speed trace {NO_OP}", yardstick_name="OTF2 no-op reader", bar=bar)


def imported(commands):
    """What sets up such an archive from an OTF2 trace that shell commands put into trace/otf2."""
    return (f"sh -c 'mkdir trace && {commands} && "
            "@TOOLS@/tarry-merge -q --from otf2 trace/otf2/traces.otf2 -o trace/archive && "
            f"set -- $({NO_OP}) && echo $2 > trace/events'")


def functions_figure():
    """A trace that consists of visits of small functions, as where a compiler instruments all of them."""
    return replay_speed("functions", "all functions recorded, 16 ranks", "@BENCH@/make_trace functions 16 8000000 trace",
                        (">=", 1 / 0.6))


def waits_figures():
    """Traces in which many receives wait: a generated one, and one that was recorded."""
    recorded = imported("tar -xJf @ROOT@/tests/data/peer/sweep3d-64.tar.xz && mv sweep3d-64 trace/otf2")
    generated = "@BENCH@/make_trace sweep 64 8000000 trace"
    for name, what, setup in (("64", "sweeps, 64 ranks", generated), ("sweep3d", "Sweep3D on 64 ranks", recorded)):
        for suffix, text, metrics in (("", "", ""), ("-forward", ", without delay costs and critical path",
                                                     " --patterns 'time,mpi_late*,mpi_wait_nxn,visits,bytes'")):
            yield replay_speed(f"waits-{name}{suffix}", f"{what}{text}", setup, REPLAY_BARS["speed", "archive"], metrics)


def given_figures():
    """Recorded traces: BENCH_TRACES='NAME=FOLDER=BAR ...'. FOLDER holds traces.otf2; BAR is the part of the reader's time
    that replay may take, and may be left out."""
    for given in os.environ.get("BENCH_TRACES", "").split():
        name, folder, *allowed = given.split("=")
        yield replay_speed(f"trace-{name}", name, imported(f"ln -s {pathlib.Path(folder).resolve()} trace/otf2"),
                           (">=", 1 / float(allowed[0])) if allowed else None)


# On the ratio of speeds: the whole analysis as fast as OTF2's reader alone, or half as fast if it has to use that.
REPLAY_BARS = {("speed", "archive"): (">=", 1.0), ("speed", "otf2"): (">=", 0.5)}


def predict_figures():
    """A prediction, and a table of what twenty changes would gain, beside the analysis of the same trace."""
    for kind, ranks in (("sweep", 64), ("halo", 64)):
        setup = f"@BENCH@/make_trace {kind} {ranks} 4000000 trace archive"
        replay = f"{REPLAY} speed trace @TOOLS@/tarry-replay -q trace/archive -o report.cubex"
        for name, what, options, bar in (("", "prediction", "", 1.5), ("-table", "table of 20 what-ifs", " --rank-delays", 6)):
            yield Figure(f"predict{name}-{kind}", f"{what}, {kind}, {ranks} ranks", "Mevents/s", setup=setup, repeat=5,
                         ours=f"{REPLAY} speed trace @TOOLS@/tarry-predict -q trace/archive{options}", yardstick=replay,
                         yardstick_name="replay", bar=(">=", 1 / bar))


def growth_figure(ranks, events):
    """Speed by event with many ranks beside 64 ranks and as many events."""
    make = f"@BENCH@/make_trace halo {ranks} {events} many archive && @BENCH@/make_trace halo 64 {events} few archive"
    replay = f"{REPLAY} speed %s @TOOLS@/tarry-replay -q %s/archive -o report.cubex"
    name = f"replay-growth-{ranks}" + (f"-{events // 1_000_000}M" if events > 8_000_000 else "")
    return Figure(name, f"replay, halo, {ranks} ranks, {events // ranks} events each", "Mevents/s", setup=f"sh -c '{make}'", repeat=3,
                  ours=replay % ("many", "many"), yardstick=replay % ("few", "few"), yardstick_name="64 ranks",
                  bar=(">=", 1 / 1.5))


def million_figures():
    """A million ranks with everything enabled, beside 65,536 with as many events each."""
    make = "@BENCH@/make_trace halo 1048576 209715200 many archive && @BENCH@/make_trace halo 65536 13107200 few archive"
    for tool, options in (("replay", " -o report.cubex --instances 10 --critical-path path.csv"), ("predict", "")):
        for what, unit, text in (("speed", "Mevents/s", tool), ("memory", "bytes/event", f"peak memory of {tool}")):
            run = f"{REPLAY} {what} %s @TOOLS@/tarry-{tool} -q %s/archive{options}"
            yield Figure(f"{tool}-million" + ("-memory" if what == "memory" else ""),
                         f"{text}, halo, 1048576 ranks, 200 events each", unit, setup=f"sh -c '{make}'", repeat=1,
                         ours=run % ("many", "many"), yardstick=run % ("few", "few"), yardstick_name="65536 ranks")


def limit_figures(events):
    """A trace larger than the memory that is allowed, and how many workers there may be."""
    setup = f"@BENCH@/make_trace halo 16 {events} trace archive"
    replay = f"{REPLAY} %s trace @TOOLS@/tarry-replay -q trace/archive -o report.cubex"
    yield Figure("replay-memory-limit-speed", f"replay, {events} events, --memory 256M", "Mevents/s", setup=setup, repeat=3,
                 ours=replay % "speed" + " --memory 256M", yardstick=replay % "speed", yardstick_name="without limit",
                 bar=(">=", 0.5))
    for workers in (1, 2, 4, 16):
        yield Figure(f"replay-memory-limit-{workers}",
                     f"peak memory, {events} events, --memory 256M, workers: {workers}", "MiB", setup=setup, repeat=1,
                     ours=f"{replay % 'mebibytes'} --memory 256M --workers {workers}", bar=("<=", 256))


def locks_figure(threads, events):
    """Little but locks: there is no more to keep of any trace, and the threads of a process are looked at together."""
    return Figure("replay-memory-locks", f"peak memory of replay, locks of {threads} threads", "bytes/event", repeat=1,
                  setup=f"@BENCH@/make_trace locks {threads} {events} trace",
                  ours=f"{REPLAY} memory trace @TOOLS@/tarry-replay -q trace/archive -o report.cubex",
                  bar=("<=", 12 + (64 << 20) / events))


def hpcc_figures():
    """Instructions of a whole program, with a trace beside without."""
    for kind, what in (("usual", "the size of its own example"), ("solving", "mostly solving equations"),
                       ("polling", "testing for messages without end")):
        yield Figure(f"hpcc-{kind}", f"hpcc with a trace, {what}", "1e9 instr.", repeat=1, ours=f"{HPCC} {kind} @BENCH@/../lib/libtarry-mpi.so",
                     yardstick=f"{HPCC} {kind}", yardstick_name="without", bar=("<=", 1.03))
    for kind in ("usual", "solving"):
        traced = f"{HPCC} {kind} @BENCH@/../lib/libtarry-mpi.so"
        yield Figure(f"hpcc-{kind}-callpaths", "the same with call paths", "1e9 instr.", repeat=1,
                     ours=f"{traced} callpaths", yardstick=traced, yardstick_name="without them", bar=("<=", 1.03))


def sampling_figures():
    """What samples take of a program that computes."""
    for hertz, bar in ((97, 0.5), (997, 3)):
        yield Figure(f"hpcc-samples-{hertz}", f"processor time that {hertz} samples a second take of hpcc", "%", repeat=3,
                     ours=f"{sys.executable} {ROOT}/bench/bench_sampling.py @BENCH@/signal_cost {hertz}", bar=("<=", bar))


def lammps_figures():
    """The same of a program whose calls lie deep in C++, on four processes."""
    lammps = f"{sys.executable} {ROOT}/bench/bench_lammps.py"
    traced = f"{lammps} @BENCH@/../lib/libtarry-mpi.so"
    yield Figure("lammps", "LAMMPS with a trace, 32,000 atoms", "1e9 instr.", repeat=3, ours=traced, yardstick=lammps,
                 yardstick_name="without", bar=("<=", 1.03))
    yield Figure("lammps-callpaths", "the same with call paths", "1e9 instr.", repeat=3, ours=f"{traced} callpaths",
                 yardstick=traced, yardstick_name="without them", bar=("<=", 1.03))


def bt_mz_figures():
    """User time of an instrumented program most of whose functions are called in parallel loops, with default options."""
    bench = f"{sys.executable} {ROOT}/bench/bench_bt_mz.py"
    for kind, option in (("summary", "-s"), ("trace", "-t")):
        ours, setup = f"{bench} measured {option}", f"{bench} build"
        yield Figure(f"bt-mz-{kind}", f"a program like BT-MZ, 28.6 million visits, {kind}", "s", setup=setup, repeat=3,
                     ours=ours, yardstick=f"{bench} bare", yardstick_name="bare", judged=min)
        yield Figure(f"bt-mz-{kind}-callpaths", "the same, beside a recording without call paths", "s", setup=setup, repeat=3,
                     ours=ours, yardstick=f"{ours} --callpaths off", yardstick_name="without them", bar=("<=", 1.11), judged=min)
        if shutil.which("scorep"):
            yield Figure(f"bt-mz-{kind}-scorep", "what that adds to a bare run, beside Score-P", "s", setup=setup, repeat=3,
                         ours=f"{bench} added {option}", yardstick=f"{bench} scorep {kind}", yardstick_name="Score-P",
                         bar=("<=", 0.3), judged=min)


def real_figures():
    """User time of programs from packages, with default options. Call paths are on."""
    for name, what, bar in (("icofoam", "OpenFOAM's icoFoam, 1,800 cells per process", 1.10), ("abinit", "ABINIT", 1.15)):
        bench = f"{sys.executable} {ROOT}/bench/bench_real.py {name}"
        for kind, option in (("summary", "-s"), ("trace", "-t")):
            yield Figure(f"{name}-{kind}", f"{what}, {kind}", "s", setup=f"{bench} build", repeat=9,
                         ours=f"{bench} measured {option}", yardstick=f"{bench} bare", yardstick_name="bare",
                         bar=("<=", bar))
            yield Figure(f"{name}-{kind}-callpaths", "the same, beside a recording without call paths", "s",
                         setup=f"{bench} build", repeat=9, ours=f"{bench} measured {option}",
                         yardstick=f"{bench} measured {option} --callpaths off", yardstick_name="without them")


def cube_figures():
    """Report algebra beside reading and writing as much through zlib."""
    bench = f"{sys.executable} {ROOT}/bench/bench_cube.py"
    setup = f"{bench} make a.cubex b.cubex"
    diff = "@TOOLS@/tarry-cube diff a.cubex b.cubex -o out.cubex"
    yield Figure("cube-diff", "cube diff, two reports of 311 MB", "s", setup=setup, repeat=2, ours=f"{bench} seconds {diff}",
                 yardstick=f"{bench} zlib a.cubex b.cubex out.z", yardstick_name="through zlib", bar=("<=", 2.0))
    yield Figure("cube-diff-memory", "peak memory of it", "MB", setup=setup, repeat=1, ours=f"{bench} megabytes {diff}",
                 bar=("<=", 200))


def scale_figures():
    """What the models of a store of runs take, and how that grows with the number of runs."""
    seconds = f"{sys.executable} {ROOT}/bench/bench_cube.py seconds"
    make = " && ".join(f"mkdir -p {{count}}/{ranks} && @BENCH@/make_reports {{count}}/{ranks} {{each}} {ranks} 200 4 {ranks} 0.01"
                       for ranks in (8, 16, 32, 64))
    store = "{make} && find {count} -name '*.cubex' | xargs @TOOLS@/tarry-store add -q --store {count}.db"
    stores = " && ".join(store.format(count=count, make=make.format(count=count, each=count // 4)) for count in (250, 1000))
    scale = "@TOOLS@/tarry-scale --store {count}.db --csv"
    yield Figure("scale-runs", "models of 200 call paths x 4 metrics of 1,000 runs", "s", setup=f'sh -c "{stores}"', repeat=3,
                 ours=f"{seconds} {scale.format(count=1000)}", yardstick=f"{seconds} {scale.format(count=250)}",
                 yardstick_name="250 runs", bar=("<=", 5.0))


def store_figures():
    """A store in one file: 20 reports of 200 call paths x 64 ranks x 60 metrics, 47 MB; one metric over 1,000 runs."""
    bench = f"{sys.executable} {ROOT}/bench/bench_store.py"
    made = f"{bench} make @BENCH@/make_reports"
    yield Figure("store-add", "store add, MB of reports a second", "MB/s", setup=f"{made} big 20 64 200 60",
                 ours=f"{bench} add @TOOLS@/tarry-store big", bar=(">=", 50))
    yield Figure("store-size", "size of the store by that of its reports", "", setup=f"{made} big 20 64 200 60", repeat=1,
                 ours=f"{bench} size @TOOLS@/tarry-store big", bar=("<=", 1.2))
    yield Figure("store-show", "store show, one metric over 1,000 runs", "s",
                 setup=f"sh -c '{made} small 1000 64 50 2 && {bench} fill @TOOLS@/tarry-store small'",
                 ours=f"{bench} show @TOOLS@/tarry-store small", bar=("<=", 0.2))
    server = f"{bench} --postgres"
    yield Figure("store-postgres-add", "store add to a PostgreSQL server, MB of reports a second", "MB/s", repeat=3,
                 setup=f"{made} big 20 64 200 60", ours=f"{server} add @TOOLS@/tarry-store big")
    yield Figure("store-postgres-size", "size of the store there by that of its reports", "", repeat=1,
                 setup=f"{made} big 20 64 200 60", ours=f"{server} size @TOOLS@/tarry-store big", bar=("<=", 1.2))
    yield Figure("store-postgres-show", "store show there, one metric over 1,000 runs", "s", repeat=3,
                 setup=f"{made} small 1000 64 50 2", ours=f"{server} show @TOOLS@/tarry-store small", bar=("<=", 0.2))


def history_figures():
    """Made histories of 20 to 200 commits with noise of 1 %: how many of 100 are judged rightly."""
    steps = "@BENCH@/history_steps"
    for name, what, arguments, bar in (
            ("right", "step of 5 %, 3 runs a commit: found at its commit", "right 3 0", (">=", 99.8)),
            ("right-common", "the same, half of the noise is common to a commit", "right 3 0.005", (">=", 99)),
            ("right-single", "step of 5 %, 1 run a commit: found at its commit", "right 1 0", (">=", 95)),
            ("beside-single", "the same: found there or beside", "beside 1 0", (">=", 97)),
            ("false", "no step, 3 runs a commit: one is found", "false 3 0", ("<=", 0.1)),
            ("false-common", "the same, half of the noise is common to a commit", "false 3 0.005", ("<=", 0.3)),
            ("false-single", "no step, 1 run a commit: one is found", "false 1 0", ("<=", 0.1))):
        yield Figure(f"history-{name}", f"histories, {what}", "%", repeat=1, ours=f"{steps} {arguments} 20000 1", bar=bar)


def explorer_study_figures():
    """A page of 10,000 runs of 200 call paths: its making, its size, its speed."""
    if not pathlib.Path("/usr/bin/chromium").exists():
        return
    page = f"/usr/bin/python3 -B {ROOT}/bench/bench_explorer.py"
    bench = f"{sys.executable} {ROOT}/bench/bench_cube.py"
    runs = " && ".join(f"mkdir runs && @BENCH@/make_reports runs 2000 {ranks} 200 2 {ranks} 0.02 1500 0.1 && "
                       f"find runs -name '*.cubex' | sort | xargs @TOOLS@/tarry-store add -q --store many.db && rm -r runs"
                       for ranks in (1, 2, 4, 8, 16))
    make = "@TOOLS@/tarry-explore -q --store many.db -o page.html"
    setup = f'sh -c "{runs} && {make}"'
    for name, what, unit, ours, bar in (("make", "making the page of 10,000 runs", "s", f"{bench} seconds {make}", None),
                                        ("memory", "peak memory of it", "MB", f"{bench} megabytes {make}", ("<=", 400)),
                                        ("bytes", "its size", "MB", f"{page} megabytes page.html", ("<=", 20)),
                                        ("view", "first view of it", "s", f"{page} first-view page.html", ("<=", 2.0)),
                                        ("click", "the slowest click", "ms", f"{page} click page.html", ("<=", 100))):
        yield Figure(f"explorer-study-{name}", what, unit, setup=setup, repeat=1, ours=ours, bar=bar)


def study_figures():
    """10,000 runs of 200 call paths x 64 ranks x 4 metrics, beside 1,000 of them: ten times as much, if it grows as the runs
    do. Both stores stay in the folder of the benchmarks (2.1 GB)."""
    bench, seconds = f"{sys.executable} {ROOT}/bench/bench_store.py", f"{sys.executable} {ROOT}/bench/bench_cube.py seconds"
    setup = " && ".join(f"{bench} study @BENCH@/make_reports @TOOLS@/tarry-store @BENCH@/study-{runs} {runs}"
                        for runs in (1000, 10000))
    yield Figure("store-10000-add", "adding the last 1,250 of 10,000 runs", "s", setup=f'sh -c "{setup}"', repeat=1,
                 ours=f"{bench} added @BENCH@/study-10000 last", yardstick=f"{bench} added @BENCH@/study-10000 first",
                 yardstick_name="the first 1,250", bar=("<=", 1.5))
    for name, what, command in (
            ("list", "store list of 10,000 runs", "@TOOLS@/tarry-store list --store"),
            ("show", "store show, one metric of a region over 10,000 runs",
             "@TOOLS@/tarry-store show -m time --region region_7 --store"),
            ("models", "models of 200 call paths x 4 metrics of 10,000 runs", "@TOOLS@/tarry-scale --csv --store"),
            ("verify", "store verify of 10,000 runs", "@TOOLS@/tarry-store verify --store")):
        yield Figure(f"store-10000-{name}", what, "s", setup=f'sh -c "{setup}"', repeat=1,
                     ours=f"{seconds} {command} @BENCH@/study-10000.db",
                     yardstick=f"{seconds} {command} @BENCH@/study-1000.db", yardstick_name="1,000 runs", bar=("<=", 12))


def explorer_figures():
    """Pages of a small run and of a report of 5,000 call paths and 4,096 threads: their making, their size, their speed."""
    if not pathlib.Path("/usr/bin/chromium").exists():
        return
    page = f"/usr/bin/python3 -B {ROOT}/bench/bench_explorer.py"
    seconds = f"{sys.executable} {ROOT}/bench/bench_cube.py seconds"
    trace = "@BENCH@/make_trace halo 64 4000000 trace archive && @TOOLS@/tarry-replay -q trace/archive"
    replay = f"{seconds} @TOOLS@/tarry-replay -q trace/archive -o again.cubex"
    for name, what, options, bar in (("explorer-make", "making a page with its timeline", "", ("<=", 3.0)),
                                     ("explorer-what-if", "the same with predictions", " --what-if 2", None)):
        yield Figure(name, f"{what}, beside the replay of 4 million events", "s", setup=f"sh -c '{trace}'", repeat=3,
                     ours=f"{seconds} @TOOLS@/tarry-explore trace/archive -o page.html{options}", yardstick=replay,
                     yardstick_name="replay", bar=bar)
    demo = MEASURE_HALO.removesuffix("'") + " && tarry replay -q run"
    short = [(f"{kind}-{events}", f"sh -c '@BENCH@/make_trace {kind} {ranks} {events} trace archive && mv trace/archive run"
              " && @TOOLS@/tarry-replay -q run'") for kind, ranks, events in
             (("halo", 8, 10_000), ("halo", 8, 100_000), ("halo", 64, 490_000), ("wavefront", 4, 490_000))]
    for name, setup in [("demo", demo + "'"), *short]:
        yield Figure(f"explorer-make-short-{name}", "a page with timeline and predictions, beside the replay", "s", setup=setup,
                     repeat=15, ours=f"{seconds} @TOOLS@/tarry-explore -q run -o page.html", yardstick_name="replay",
                     yardstick=f"{seconds} @TOOLS@/tarry-replay -q run -o again.cubex", bar=("<=", 3.0))
    yield Figure("explorer-bytes-empty", "the page without data", "MB", repeat=1,
                 ours=f"{page} megabytes @BENCH@/../explore/page.html", bar=("<=", 1.5))
    demo += " && tarry explore run -o page.html'"
    large = f"sh -c '{sys.executable} {ROOT}/bench/bench_cube.py make large.cubex && @TOOLS@/tarry-explore large.cubex -o page.html'"
    for kind, text, setup, most in (("demo", "a run of 8 ranks", demo, 2), ("large", "5,000 call paths x 4,096 threads", large, 60)):
        yield Figure(f"explorer-bytes-{kind}", f"page of {text}", "MB", setup=setup, repeat=1,
                     ours=f"{page} megabytes page.html", bar=("<=", most))
        yield Figure(f"explorer-view-{kind}", f"first view of it, {text}", "s", setup=setup, repeat=3,
                     ours=f"{page} first-view page.html", bar=("<=", 2))
        yield Figure(f"explorer-click-{kind}", f"the slowest click, {text}", "ms", setup=setup, repeat=3,
                     ours=f"{page} click page.html", bar=("<=", 100))


def unify_figures(ranks):
    """What the definitions of many processes cost, beside holding all of them in one process."""
    bench, setup = "@BENCH@/unify_archive", f"@BENCH@/unify_archive make homogeneous {ranks} many"
    yield Figure(f"unify-{ranks}", f"tarry unify, {ranks} processes", "s", setup=setup, repeat=3, ours=f"{bench} seconds many",
                 yardstick=f"{bench} seconds many naive", yardstick_name="all in memory", bar=("<=", 1.0))
    yield Figure(f"unify-memory-{ranks}", "peak memory of it", "MB", setup=setup, repeat=1, ours=f"{bench} megabytes many",
                 yardstick=f"{bench} megabytes many naive", yardstick_name="all in memory", bar=("<=", 0.5))
    yield Figure(f"unify-bytes-{ranks}", f"definitions of the run, {ranks} processes", "bytes/rank", setup=setup, repeat=1,
                 ours=f"{bench} bytes-per-rank many", bar=("<=", 1024))
    rows = f"@BENCH@/collate_rows megabytes {ranks}"
    yield Figure(f"summary-memory-{ranks}", f"peak memory, writing a summary, {ranks} processes", "MB", repeat=1,
                 ours=f"{rows} blocks", yardstick=f"{rows} memory", yardstick_name="all in memory", bar=("<=", 0.2))


def sync_figure(kind, ranks, events):
    """Correcting the clocks of four nodes beside a replay that only goes forward."""
    setup = (f"sh -c '@BENCH@/make_trace {kind} {ranks} {events} trace && "
             "@BENCH@/../tests/sync/distort_trace trace/archive trace/bad 4 1e-3'")
    forward = "@TOOLS@/tarry-replay -q trace/bad --patterns time,mpi_latesender,mpi_wait_nxn -o report.cubex"
    return Figure(f"sync-speed-{kind}-{ranks}", f"tarry sync, {kind}, {ranks} ranks on 4 nodes", "Mevents/s", setup=setup, repeat=5,
                  ours=f"{REPLAY} speed trace @TOOLS@/tarry-sync -q trace/bad",
                  yardstick=f"{REPLAY} speed trace {forward}", yardstick_name="forward replay", bar=(">=", 0.5))


def sync_mpi_figures(ranks, events):
    """Correcting clocks on several processes beside one; a process of one thread each."""
    setup = (f"sh -c '@BENCH@/make_trace halo {ranks} {events} trace archive && "
             "@BENCH@/../tests/sync/distort_trace trace/archive trace/bad 16 1e-3'")
    sync = "@TOOLS@/tarry-sync -q trace/bad --workers 1"
    for processes, most_memory in ((2, 0.75), (4, 0.5)):
        for what, unit, bar in (("speed", "Mevents/s", (">=", 0.5)), ("memory", "bytes/event", ("<=", most_memory))):
            text = "tarry sync" if what == "speed" else "peak memory of each process"
            yield Figure(f"sync-mpi-{what}-{processes}",
                         f"{text}, halo, {ranks} ranks on 16 nodes, {processes} processes", unit, setup=setup,
                         repeat=3, ours=f"{REPLAY} {what} trace mpirun -np {processes} {sync}",
                         yardstick=f"{REPLAY} {what} trace {sync}", yardstick_name="one process", bar=bar)


def merge_figures():
    """Conversions, beside what OTF2's library takes for the same records; memory with many locations."""
    setup = "@BENCH@/make_trace halo 64 20000000 trace"
    speed = f"{REPLAY} speed trace"
    yield Figure("merge-csv", "to CSV, nowhere", "Mevents/s", setup=setup, repeat=3,
                 ours=f"{speed} @TOOLS@/tarry-merge -q trace/archive -o /dev/null --to csv", bar=(">=", 10))
    yield Figure("merge-otf2", "to OTF2", "Mevents/s", setup=setup, repeat=3,
                 ours=f"{speed} sh -c 'rm -rf out && @TOOLS@/tarry-merge -q trace/archive -o out --to otf2'",
                 yardstick="sh -c 'rm -rf plain && @BENCH@/bench_otf2_writer trace/archive plain'",
                 yardstick_name="OTF2's writer", bar=(">=", 1 / 1.2))
    yield Figure("merge-import", "import of OTF2", "Mevents/s", setup=setup, repeat=3,
                 ours=f"{speed} sh -c 'rm -rf out && @TOOLS@/tarry-merge -q --from otf2 trace/otf2/traces.otf2 -o out'",
                 yardstick=f"{speed} {NO_OP}", yardstick_name="OTF2 no-op reader", bar=(">=", 0.5))
    for ranks, events, limit in ((4096, 4_000_000, 256 << 20), (65536, 8_000_000, 1 << 30)):
        yield Figure(f"merge-memory-{ranks}", f"peak memory, to CSV, {ranks} locations", "bytes/event", repeat=1,
                     setup=f"@BENCH@/make_trace halo {ranks} {events} trace",
                     ours=f"{REPLAY} memory trace @TOOLS@/tarry-merge -q trace/archive -o /dev/null --to csv",
                     bar=("<=", limit / events))


def mpi_call_figures():
    libraries = [("", "")]
    if shutil.which("mpicxx.mpich"):
        libraries.append((".mpich", ", MPICH"))
    for suffix, library in libraries:
        program = f"@BENCH@/bench_measure_path{suffix}"
        for call, what in (("mpi-call", "one MPI call without a message"), ("send-receive", "one call of irecv, send, wait")):
            yield Figure(f"{call}-trace{suffix.replace('.', '-')}", f"{what}, trace{library}", "ns", ours=f"{program} {call} trace",
                         yardstick="@BENCH@/bench_measure_path two-reads", yardstick_name="two time stamps", bar=("<=", 2.5))
        yield Figure(f"mpi-call-left-out{suffix.replace('.', '-')}", f"an MPI call that is left out{library}", "ns",
                     ours=f"env TARRY_EVENTS=mpi:coll {program} mpi-call trace", bar=("<=", 10))


def call_stack_figures():
    for mode, what, bar in (("same", "open functions, 20 deep, as before", 2), ("one-new", "the same, one of them new", 20),
                            ("first", "a place in the code that is seen first", 1000)):
        yield Figure(f"call-stack-{mode}", what, "ns", ours=f"@BENCH@/bench_call_stack {mode}",
                     yardstick="@BENCH@/bench_measure_path two-reads", yardstick_name="two time stamps", bar=("<=", bar))


def dilation_figures():
    """What recording adds to a visit, beside what tarry score predicts."""
    script = f"{sys.executable} {ROOT}/bench/bench_dilation.py @TOOLS@ @BENCH@/../lib/libtarry-mpi.so"
    for program in ("hot_function", "small_templates", "element_loop", "lu_sweeps", "hpcg_levels"):
        for case in ("trace", "summary", "both", "filtered", "compiled"):
            yield Figure(f"dilation-{program}-{case}", f"recording a visit of {program}, {case}", "ns", repeat=1,
                         setup=f"{script} build {program}", ours=f"{script} measured {program} {case}",
                         yardstick=f"{script} predicted {program} {case}", yardstick_name="predicted")


def build_figures():
    script = f"{sys.executable} {ROOT}/bench/bench_build.py"
    for target, what, bar in (("demo", "what make demo builds, from nothing", ("<=", 90)), ("all", "make all, from nothing", None),
                              ("edit", "building and testing after one changed source", ("<=", 20))):
        yield Figure(f"build-{target}", what, "s", repeat=1, ours=f"{script} {target} @BENCH@/..", bar=bar)


def opencl_figures():
    script = f"{sys.executable} {ROOT}/bench/bench_opencl.py ./opencl_kernels"
    for length, count in ((100, 20000), (10, 50000)):
        yield Figure(f"opencl-{length}", f"a kernel of OpenCL of about {length} microseconds, trace", "us", repeat=3,
                     ours=f"{script} {count} {length} measured", yardstick=f"{script} {count} {length}",
                     yardstick_name="not measured", bar=("<=", 1.03) if length == 100 else None)


FIGURES = [
    *build_figures(),
    *call_stack_figures(),
    Figure("enter-leave-trace", "enter and leave, trace", "ns", ours="@BENCH@/bench_measure_path enter-leave trace",
           yardstick="@BENCH@/bench_measure_path two-reads", yardstick_name="two time stamps", bar=("<=", 1.8)),
    Figure("enter-leave-summary", "enter and leave, summary", "ns", ours="@BENCH@/bench_measure_path enter-leave summary",
           yardstick="@BENCH@/bench_measure_path two-reads", yardstick_name="two time stamps", bar=("<=", 1.6)),
    Figure("enter-leave-both", "enter and leave, both", "ns", ours="@BENCH@/bench_measure_path enter-leave both",
           yardstick="@BENCH@/bench_measure_path two-reads", yardstick_name="two time stamps", bar=("<=", 2.5)),
    Figure("enter-leave-siblings", "enter and leave, summary, where 20 others were called before", "ns",
           ours="@BENCH@/bench_measure_path siblings summary", yardstick="@BENCH@/bench_measure_path enter-leave summary",
           yardstick_name="where none was", bar=("<=", 1.05)),
    Figure("core-width", "additions that the core does at once: about half while another hardware thread uses it", "",
           ours="@BENCH@/bench_measure_path core-width"),
    *(Figure(f"enter-leave-{source}", f"enter and leave with {metric}, trace", "ns", ours=f"@BENCH@/bench_measure_path enter-leave trace {metric}",
             yardstick="@BENCH@/bench_measure_path enter-leave trace", yardstick_name="without counters")
      for source, metric in (("heap", "heap_in_use"), ("rusage", "ru_utime"), ("software", "task-clock"))),
    *(Figure(f"instructions-{mode}", f"enter and leave, {mode}", "instructions", repeat=1,
             ours=f"{sys.executable} {ROOT}/bench/bench_instructions.py {mode} @BENCH@/bench_measure_path @BENCH@/../lib/libtarry-mpi.so")
      for mode in ("trace", "summary", "both")),
    Figure("filtered", "enter and leave, filtered at run time", "ns", ours="@BENCH@/bench_measure_path filtered",
           yardstick="@BENCH@/bench_measure_path empty-hooks", yardstick_name="empty hooks", bar=("-", 1.0)),
    Figure("throttled", "enter and leave, throttled", "ns", ours="@BENCH@/bench_measure_path throttled",
           yardstick="@BENCH@/bench_measure_path filtered", yardstick_name="filtered", bar=("-", 8.0)),
    Figure("heap-counted", "malloc and free, their bytes counted, on top of the allocator", "ns",
           ours="@BENCH@/bench_measure_path heap-pair summary heap_in_use"),
    Figure("heap-followed", "malloc and free, each block followed to its free, on top of the allocator", "ns",
           ours="@BENCH@/bench_measure_path heap-pair summary heap_leaked",
           yardstick="@BENCH@/bench_measure_path heap-pair summary heap_in_use", yardstick_name="bytes counted"),
    Figure("not-measured", "enter and leave of an instrumented program that is not measured", "ns",
           ours="@BENCH@/bench_measure_path not-measured", yardstick="@BENCH@/bench_measure_path empty-hooks",
           yardstick_name="empty hooks", bar=("-", 2.0)),
    *mpi_call_figures(),
    *opencl_figures(),
    *(Figure(f"file-call-{mode}", f"one write to a file, {mode}", "ns", ours=f"@BENCH@/bench_measure_path file-call {mode}",
             yardstick="@BENCH@/bench_measure_path two-reads", yardstick_name="two time stamps", bar=("<=", 2.5))
      for mode in ("trace", "summary", "both")),
    Figure("event-bytes-memory", "one event in memory", "bytes", ours="@BENCH@/bench_measure_path memory-bytes",
           bar=("<=", 5)),
    Figure("event-bytes-disk", "one event on disk", "bytes", ours="@BENCH@/bench_measure_path disk-bytes", bar=("<=", 2.5)),
    Figure("halo-bytes-memory", "one event of halo_exchange in memory", "bytes", setup=MEASURE_HALO, repeat=1,
           ours="@BENCH@/bench_measure_path memory-bytes run", bar=("<=", 5)),
    Figure("halo-bytes-disk", "one event of halo_exchange on disk", "bytes", setup=MEASURE_HALO, repeat=1,
           ours="@BENCH@/bench_measure_path disk-bytes run", bar=("<=", 2.5)),
    Figure("finish", "finishing a trace of 1 GB at the end of the program", "s", repeat=3,
           ours=f"{FINISH} ours @BENCH@/finish_trace @BENCH@/../lib/libtarry-mpi.so 1000000000", yardstick=f"{FINISH} zlib",
           yardstick_name="zlib, level 1", bar=("<=", 1.3)),
    *dilation_figures(),
    *hpcc_figures(),
    *lammps_figures(),
    *real_figures(),
    *bt_mz_figures(),
    *sampling_figures(),
    *replay_figures("wavefront", 4, 8_000_000),
    *replay_figures("halo", 64, 1_600_000),
    functions_figure(),
    *waits_figures(),
    *given_figures(),
    *predict_figures(),
    growth_figure(1024, 8_000_000),
    growth_figure(16384, 8_000_000),
    growth_figure(16384, 64_000_000),
    Figure("replay-65536", "replay, halo, 65536 ranks, 244 events each", "Mevents/s", repeat=3,
           setup="@BENCH@/make_trace halo 65536 16000000 trace archive",
           ours=f"{REPLAY} speed trace @TOOLS@/tarry-replay -q trace/archive -o report.cubex"),
    *million_figures(),
    *unify_figures(65536),
    *limit_figures(100_000_000),
    locks_figure(4, 12_800_000),
    *cube_figures(),
    *scale_figures(),
    *explorer_figures(),
    *explorer_study_figures(),
    sync_figure("wavefront", 4, 8_000_000),
    sync_figure("halo", 64, 1_600_000),
    *sync_mpi_figures(64, 16_000_000),
    *merge_figures(),
    *store_figures(),
    *history_figures(),
    *study_figures(),
]


def against_tree(figure, tree):
    """The figure with another built tree as its yardstick."""
    best = max if figure.unit in ("Mevents/s", "MB/s") else min
    bar = (">=", 0.97) if best is max else ("<=", 1.03)
    other = figure.ours
    for mark, folder in (("@BENCH@", tree / "build/bench"), ("@TOOLS@", tree / "bin"), ("@ROOT@", tree), (str(ROOT / "bench"), tree / "bench")):
        other = other.replace(mark, str(folder))
    return Figure(figure.name, figure.what, figure.unit, setup=figure.setup, repeat=figure.repeat, ours=figure.ours,
                  yardstick=other, yardstick_name="base", bar=bar, judged=best)


def against(figure, tools):
    """The figure with the tools of another build as its yardstick; None if it measures none."""
    if "@TOOLS@" not in figure.ours:
        return None
    bar = (">=", 0.97) if figure.unit == "Mevents/s" else ("<=", 1.03)
    return Figure(figure.name, figure.what, figure.unit, setup=figure.setup, repeat=figure.repeat, ours=figure.ours,
                  yardstick=figure.ours.replace("@TOOLS@", str(tools)), yardstick_name="before", bar=bar)


class Failure(Exception):
    pass


def run(command, folder, options):
    for mark, folder_meant in (("@BENCH@", options.build / "bench"), ("@TOOLS@", options.tools), ("@ROOT@", ROOT)):
        command = command.replace(mark, str(folder_meant))
    try:
        done = subprocess.run(shlex.split(command), cwd=folder, env=options.environment, capture_output=True, text=True)
    except OSError as why:
        raise Failure(f"{why.filename}: {why.strerror}") from None
    if done.returncode != 0:
        raise Failure(f"{command}: status {done.returncode}\n{done.stderr.strip()}")
    return command, done.stdout


def value_of(command, folder, options):
    command, text = run(command, folder, options)
    try:
        return float(text.split()[-1])
    except (IndexError, ValueError):
        raise Failure(f"{command}: prints no value") from None


def spread(values):
    if len(values) < 4:
        return (max(values) - min(values)) / 2
    quartiles = statistics.quantiles(values, n=4)
    return (quartiles[2] - quartiles[0]) / 2


def bounds(values):
    return f"[{min(values):.4g} {max(values):.4g}]"


def measure(figure, options):
    """Values of ours and of the yardstick, taken in turns; the first turn warms up and does not count."""
    ours, yardstick = [], []
    with tempfile.TemporaryDirectory(prefix="tarry-bench-") as folder:
        if figure.setup:
            run(figure.setup, folder, options)
        for turn in range((options.repeat or figure.repeat or 7) + 1):
            for command, values in ((figure.ours, ours), (figure.yardstick, yardstick)):
                if command:
                    value = value_of(command, folder, options)
                    if turn:
                        values.append(value)
    return ours, yardstick


def show(figure, ours, yardstick):
    """Prints one line; returns whether the bar holds."""
    line = f"{figure.name:24} {statistics.median(ours):10.4g} ±{spread(ours):<8.2g} {bounds(ours):17} {figure.unit:12}"
    judged = figure.judged(ours)
    if yardstick:
        reference = figure.judged(yardstick)
        judged = judged - reference if figure.bar and figure.bar[0] == "-" else judged / reference
        line += f" {figure.yardstick_name}: {statistics.median(yardstick):.4g} ±{spread(yardstick):.2g} {bounds(yardstick)},"
        line += f" {'difference' if figure.bar and figure.bar[0] == '-' else 'ratio'} {judged:.3f}"
    holds = True
    if figure.bar:
        relation, limit = figure.bar
        holds = judged >= limit if relation == ">=" else judged <= limit
        line += f" (bar {'>=' if relation == '>=' else '<='} {limit:g})" + ("" if holds else "  MISSED")
    print(f"{line}   {figure.what}", flush=True)
    return holds


def environment_for(tools):
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("TARRY_", "OMPI_", "MAKE"))}
    environment.update(
        PATH=os.pathsep.join([str(tools), str(ROOT / "bin"), os.environ["PATH"]]), LC_ALL="C",
        OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1", OMPI_MCA_rmaps_base_oversubscribe="1",
        PRTE_MCA_rmaps_default_mapping_policy=":oversubscribe", OMPI_MCA_btl_vader_single_copy_mechanism="none")
    return environment


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build")
    parser.add_argument("--tools", type=pathlib.Path, default=ROOT / "bin")
    parser.add_argument("--against", type=pathlib.Path, help="folder with the tools of another build")
    parser.add_argument("--base", type=pathlib.Path, help="another tree that is built")
    parser.add_argument("--repeat", type=int, help="turns that count (default: 7, or the figure's own)")
    parser.add_argument("figures", nargs="*", metavar="FIGURE")
    options = parser.parse_args()
    options.build, options.tools = options.build.resolve(), options.tools.resolve()
    options.environment = environment_for(options.tools)

    known = {figure.name: figure for figure in FIGURES}
    meant = {name: [name] if name in known else [other for other in known if other.startswith(name + "-")]
             for name in options.figures}
    unknown = [name for name in options.figures if not meant[name]]
    if unknown:
        sys.exit(f"run.py: '{unknown[0]}': no such figure (there are {', '.join(known)})")
    failed = False
    chosen = [known[other] for name in options.figures for other in meant[name]] or FIGURES
    if options.base:
        chosen = [against_tree(figure, options.base.resolve()) for figure in chosen]
    elif options.against:
        chosen = list(filter(None, (against(figure, options.against.resolve()) for figure in chosen)))
    for figure in chosen:
        try:
            failed |= not show(figure, *measure(figure, options))
        except Failure as failure:
            print(f"{figure.name:24} FAILED  {failure}", flush=True)
            failed = True
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
