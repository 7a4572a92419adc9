"""Predicts what a change of a program will bring, makes the change, and measures: the two must agree within 3 %.

usage: predict_made.py APPS MPIRUN...      (run by tests/pipeline/predict_made.sh)

The programs are those of tests/apps/changed.c, and halo_exchange.c with rows that are shared out evenly. A pair that
differs is measured again, at most three times: another program may have taken a processor. Where others have taken
more than 2 % of the processors in every try, the measurement says nothing: the test is skipped.
"""
import os
import re
import shutil
import subprocess
import sys

APPS, MPIRUN = sys.argv[1], sys.argv[2:]
TOLERANCE, TRIES = 0.03, 3
BUSY, SKIP = 0.02, 77
MESSAGES_ONE_AFTER_ANOTHER = 120 * 2 * 400


class OtherPrograms:
    """The share of the machine's processors that others have taken since this was made."""

    def __init__(self):
        self.busy, self.total = self.ticks()

    @staticmethod
    def ticks():
        """Of all processors without our children's: those that were used or stolen, and all."""
        user, nice, system, idle, waiting, *rest = map(int, open("/proc/stat").readline().split()[1:9])
        ours = sum(os.times()[:4]) * os.sysconf("SC_CLK_TCK")
        return user + nice + system + sum(rest) - ours, user + nice + system + idle + waiting + sum(rest)

    def share(self):
        busy, total = self.ticks()
        return max(busy - self.busy, 0) / max(total - self.total, 1)


def output(*command):
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout


def run(program, *arguments):
    """Traces a program on two ranks and returns the archive."""
    shutil.rmtree("run", ignore_errors=True)
    output("tarry", "measure", "-q", "-t", "-o", "run", "--", *MPIRUN, "-np", "2", program, *arguments)
    return "run"


def seconds(archive, *options):
    """What is predicted, and what was recorded."""
    line = output("tarry", "predict", archive, *options).splitlines()[0]
    return [float(word) for word in re.fullmatch(r"predicted (\S+) seconds \(traced (\S+)\)", line).groups()]


def instrument(program, source):
    """Our programs are told apart by functions, so their functions are recorded."""
    output("tarry", "instrument", "mpicc", "-O1", "-g", "-o", program, source, "-lm")


def twice_the_messages(archive):
    """The network that the recorded run shows, and each message in it twice."""
    ideal, traced = seconds(archive, "--network", "ideal")
    latency = (traced - ideal) / MESSAGES_ONE_AFTER_ANOTHER
    return "--network", f"{2e6 * latency:.9f}us,1TB/s", "--scale-region", "exchange=2"


def try_once(changes):
    """Name, predicted, measured of each."""
    for name, before, options, after in changes:
        archive = run(*before)
        predicted = seconds(archive, *(options(archive) if callable(options) else options))[0]
        yield name, predicted, seconds(run(*after))[1]


def main():
    instrument("./changed", f"{APPS}/changed.c")
    source = open(f"{APPS}/halo_exchange.c").read()
    even = source.replace("kRowsPerRank * 3 / 2 : kRowsPerRank", "kRowsPerRank * 5 / 4 : kRowsPerRank * 5 / 4")
    assert even != source
    open("halo_even.c", "w").write(even)
    output("mpicc", "-O2", "-g", "-o", "halo", f"{APPS}/halo_exchange.c", "-lm")
    output("mpicc", "-O2", "-g", "-o", "halo_even", "halo_even.c", "-lm")

    def pair(name, *options):
        return name, ("./changed", name, "before"), options, ("./changed", name, "after")

    changes = [
        ("halo_exchange", ("./halo",), ("--balance",), ("./halo_even",)),
        pair("stages", "--scale-region", "consume=0.5"),
        pair("slow_rank", "--rank", "1=1.6"),
        pair("moved_load", "--balance", "assemble"),
        pair("half_balanced", "--balance", "assemble"),
        ("messages", ("./changed", "messages", "before"), twice_the_messages, ("./changed", "messages", "after")),
    ]
    print(f"{'program':16} {'predicted':>12} {'measured':>12} {'difference':>11}")
    shares = []
    for _ in range(TRIES):
        missed, others = set(), OtherPrograms()
        for name, predicted, measured in try_once(changes):
            print(f"{name:16} {predicted:11.6f}s {measured:11.6f}s {100 * (predicted / measured - 1):+10.2f}%", flush=True)
            if abs(predicted / measured - 1) > TOLERANCE:
                missed.add(name)
        changes = [change for change in changes if change[0] in missed]
        shares.append(others.share())
        print(f"other programs took {100 * shares[-1]:.1f} % of the processors")
        if not missed:
            return 0
    print("MISSED:", ", ".join(sorted(missed)))
    if min(shares) <= BUSY:
        return 1
    print("other programs keep the processors busy; predicted and measured times cannot be compared")
    return SKIP


if __name__ == "__main__":
    sys.exit(main())
