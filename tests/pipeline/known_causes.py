"""Compares the first cause in a report with the one that a program of tests/apps/known_causes.c has on purpose.

usage: known_causes.py SOURCE PROGRAM MPIRUN...      (run by tests/pipeline/known_causes.sh)

Each program is measured, replayed and reported. A share may differ by 0.1: what comes late by chance on a busy machine
waits, too. A program that differs is run once more with all its times three times as long.
"""
import json
import re
import shutil
import subprocess
import sys

SOURCE, PROGRAM, MPIRUN = sys.argv[1], sys.argv[2], sys.argv[3:]

# Name: nature, ranks (threads of the one rank), function, share of the waiting that it explains by construction.
CASES = {
    "slow_rank": ("load", [2], "work", 1.0),
    "slow_function": ("load", [1], "solve", 40 / 50),
    "pipeline": ("sequence", None, "stage", 1.0),
    "chain": ("load", [0], "prepare", 100 / 110),  # relay: 5 ms for rank 2, and 5 for rank 0
    "shifting_load": ("shifting_load", None, "work", 1.0),
    "io_burst": ("files", [3], "io_burst", 1.0),
    "late_root": ("load", [0], "assemble", 1.0),
    # Of 4 rounds: 40 ms of waiting for the lock, and 60 of the 100 that main() waits for the end of the thread.
    "lock_holder": ("lock", [1], "update", (40 + 60) / (40 + 100)),
}
WORDS = {"load": "more than the average in", "sequence": "one after another", "shifting_load": "moves from one to another",
         "files": "files in", "lock": "holds the lock in"}


def run(*command):
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)


def report(name, stretch):
    shutil.rmtree("run", ignore_errors=True)
    ranks = "1" if name == "lock_holder" else "4"
    run("tarry", "measure", "-q", "-t", "--io", "-o", "run", "--", *MPIRUN, "-np", ranks, PROGRAM, name, stretch)
    run("tarry", "replay", "-q", "--strict", "run")
    text = subprocess.run(["tarry", "report", "run"], check=True, capture_output=True, text=True).stdout
    shown = subprocess.run(["tarry", "report", "--json", "run"], check=True, capture_output=True, text=True).stdout
    return text, json.loads(shown)


def line_of(function):
    for number, line in enumerate(open(SOURCE), 1):
        if re.match(r"(?:APART )?static \S+ %s\(" % function, line):
            return number
    raise KeyError(function)


def complaints(name, text, found):
    nature, who, function, share = CASES[name]
    cause, sentence = found["causes"][0], found["advice"][0]["sentence"]
    thread_or_rank = "thread" if name == "lock_holder" else "rank"
    wrong = []
    if cause["nature"] != nature:
        wrong.append("nature " + cause["nature"])
    if who is not None and [part[thread_or_rank] for part in cause["who"]] != who:
        wrong.append("who " + str(cause["who"]))
    if cause["function"] != function or cause["line"] != line_of(function):
        wrong.append(f"place {cause['function']}:{cause['line']}")
    if abs(cause["share"] - share) > 0.1:
        wrong.append(f"share {cause['share']:.3f} instead of {share:.3f}")
    if f"{function} (" not in sentence or f"known_causes.c:{line_of(function)})" not in sentence:
        wrong.append("the sentence does not name the place")
    if WORDS[nature] not in sentence or (who and f"{thread_or_rank} {who[0]} " not in sentence):
        wrong.append("the sentence does not name who and why")
    if text.split("What to look at\n", 1)[-1].split("\n")[0].strip() != sentence:
        wrong.append("the text does not begin with the sentence")
    return wrong


def noise_complaints(text, found):
    """No rank is to blame: either hardly anything waits, or it is called noise."""
    sentence = found["advice"][0]["sentence"]
    return [] if sentence.startswith(("no single cause: work (", "no cause to look for: ")) else ["no noise"]


failed = False
for name in [*CASES, "noise"]:
    for stretch in ("1", "3"):
        text, found = report(name, stretch)
        wrong = noise_complaints(text, found) if name == "noise" else complaints(name, text, found)
        if not wrong:
            break
    print(name + ":", found["advice"][0]["sentence"] if found["advice"] else "nothing")
    if wrong:
        failed = True
        print("  WRONG:", "; ".join(wrong))
        print(text)
sys.exit(failed)
