#!/usr/bin/env python3
"""Checks that what `tarry report --json` says of a run follows from the delay costs in its analysis.

usage: check_findings.py FINDINGS.json DUMP.csv [--merged-sites REPORT]      (DUMP.csv: `tarry cube dump --csv REPORT`)

--merged-sites: the program has no lines, so calls from several places are shown as one. The table of causes in the
report has those places that wait most, however many a call path has. So the causes explain all that the table does.

The findings must be of the form docs/findings.schema.json. Each of the ten largest waits has its value in the dump, and
its causes add up to it. No cause has more of a kind of waits than the delay costs of its call path are. What a sentence
says of a cause, its share and its rank, is what the delay costs say. Prints what does not hold; status 1 if something
does not, or if nothing was there to be checked.
"""
import collections
import csv
import json
import pathlib
import re
import sys

import jsonschema

from wait_causes import read_causes

ROOT = pathlib.Path(__file__).resolve().parents[2]
SCHEMA = ROOT / "docs" / "findings.schema.json"
FILE_FUNCTIONS = set(re.findall(r'^FILE_FUNCTION\(\w+, *"(\w+)"',
                                (ROOT / "lib/measure/io/file_functions.def").read_text(), re.M))
REL, ABS = 1e-9, 1e-9
LARGEST = 10
MERGED_SITES = sys.argv[sys.argv.index("--merged-sites") + 1] if "--merged-sites" in sys.argv else None
# Display name of a kind of costs: its metric.
KINDS = {"Late Sender": "latesender", "Late Receiver": "latereceiver", "Early Reduce": "n21", "Late Broadcast": "12n",
         "Wait at N x N": "n2n", "Early Scan": "scan", "Wait for Collective": "icoll", "Wait at Creation": "creation",
         "Wait for Neighbors": "neighbor", "Wait at Finalize": "finalize", "One-sided": "rma",
         "Lock Contention": "threadlock", "Wait for Thread": "threadsignal", "Wait at Barrier": "barrier ompbarrier",
         "Late Kernel": "latekernel", "Late Launch": "latelaunch", "Idleness delay costs": "ompidle"}


def slack(*numbers):
    return ABS + REL * max(map(abs, numbers))


def read_dump(path):
    """{metric: {call path: {rank: seconds}}}"""
    values = collections.defaultdict(lambda: collections.defaultdict(lambda: collections.defaultdict(float)))
    with open(path, newline="") as file:
        for row in csv.DictReader(file):
            values[row["metric"]][row["callpath"]][row["rank"]] += float(row["value"])
    return values


def is_file_operation(name):
    return name.startswith("MPI_File_") or re.match(r"\w*", name)[0] in FILE_FUNCTIONS


def costs_at(values, kind, callpath):
    """Delay costs of a kind on a call path and the operations on files below it, by rank."""
    found = collections.Counter()
    for stem in KINDS[kind].split():
        for path, ranks in values.get(f"delay_{stem}_aggregate", {}).items():
            parent, _, name = path.rpartition("/")
            if path == callpath or (parent == callpath and is_file_operation(name)):
                found.update(ranks)
    return found


def complaints_about_waits(findings, values):
    for wait in findings["waits"][:LARGEST]:
        at = sum(values[wait["metric"]][wait["callpath"]].values())
        same = sum(other["seconds"] for other in findings["waits"]
                   if (other["metric"], other["callpath"]) == (wait["metric"], wait["callpath"]))
        if abs(at - same) > slack(at):
            yield f"{wait['metric']} at {wait['callpath']} is {same}, the report has {at}"
        if "causes" not in wait:
            continue
        explained = sum(cause["direct"] + cause["indirect"] for cause in wait["causes"])
        if not MERGED_SITES and explained < wait["seconds"] - slack(explained):
            yield f"the causes of {wait['metric']} at {wait['callpath']} explain {explained} of {wait['seconds']}"


def complaints_about_table(findings, report):
    """What all causes explain, against the groups of waits in the table."""
    explained = sum(c["direct"] + c["indirect"] for wait in findings["waits"] for c in wait.get("causes", []))
    waiting = sum(seconds for _, seconds, _ in read_causes(report))
    if abs(explained - waiting) > slack(waiting):
        yield f"the causes explain {explained}, the waits in the table of causes are {waiting}"


def complaints_about_causes(findings, values):
    of_path = collections.Counter()
    for cause in findings["causes"]:
        for effect in cause["effects"]:
            of_path[effect["kind"], cause["callpath"]] += effect["direct"] + effect["indirect"]
        if abs(sum(e["direct"] + e["indirect"] for e in cause["effects"]) - cause["seconds"]) > slack(cause["seconds"]):
            yield f"the effects of {cause['callpath']} do not add up to {cause['seconds']}"
    for (kind, path), seconds in of_path.items():
        costs = sum(costs_at(values, kind, path).values())
        if seconds > costs + slack(costs):
            yield f"{path} is to blame for {seconds} of {kind}, its delay costs are {costs}"


def complaints_about_sentences(findings, values):
    for advice in findings["advice"]:
        if ": that causes " not in advice["sentence"]:
            continue
        told = [cause for cause in findings["causes"] if cause["number"] in advice["causes"]]
        if f"{100 * sum(cause['share'] for cause in told):.1f}% of the waiting" not in advice["sentence"]:
            yield f"its causes have another share: {advice['sentence']}"
        ranks = collections.Counter()
        for cause in told:
            for kind in {effect["kind"] for effect in cause["effects"]}:
                ranks.update(costs_at(values, kind, cause["callpath"]))
        worst = max(ranks.values())
        first = ranks[str(told[0]["who"][0]["rank"])]
        # Threads of one rank are apart in the list of those who pay.
        if first < worst / 4:
            yield f"rank {told[0]['who'][0]['rank']} has {first} of the costs, another {worst}: {advice['sentence']}"


def main():
    findings = json.load(open(sys.argv[1]))
    jsonschema.validate(findings, json.load(open(SCHEMA)))
    values = read_dump(sys.argv[2])
    found = [*complaints_about_waits(findings, values), *complaints_about_causes(findings, values),
             *complaints_about_sentences(findings, values)]
    if MERGED_SITES:
        found += complaints_about_table(findings, MERGED_SITES)
    if not findings["waits"] or not findings["causes"]:
        found.append("nothing to check")
    for line in found:
        print(line)
    for advice in findings["advice"]:
        print("  ", advice["sentence"])
    return 1 if found else 0


sys.exit(main())
