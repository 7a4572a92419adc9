#!/usr/bin/env python3
"""Checks kinds of imbalance and their causes in the output of `tarry report --json`, and its form.

usage: check_balance.py FINDINGS.json RULE...

RULE is one of
  REGION=KIND[:RANKS]        kind of the region, and the ranks of its minority ("3", "0,2")
  REGION<CAUSE:RANK          the region has a cause outside of the program, on this rank
  REGION+REGION=INTERFERENCE cancelling, synchronised (would cancel, but ranks wait in between), aggravating or none
"""
import json
import pathlib
import re
import sys

import jsonschema

SCHEMA = pathlib.Path(__file__).resolve().parents[2] / "docs" / "findings.schema.json"


def fail(text):
    sys.exit(f"FAILED: {text}")


def check_kind(regions, name, kind, ranks):
    if name not in regions:
        return kind == "absent" or fail(f"{name} is missing")
    found = regions[name]
    if found["kind"] != kind:
        fail(f"{name} is {found['kind']}, not {kind}: {found}")
    if found["certainty"] < 0.9:
        fail(f"{name} is {kind} with a certainty of {found['certainty']} only")
    if ranks and found["minority"] != [int(rank) for rank in ranks.split(",")]:
        fail(f"minority of {name}: {found['minority']}")


def check_cause(regions, name, cause, rank):
    if name not in regions:
        fail(f"{name} is missing")
    found = [(each["cause"], each["rank"]) for each in regions[name]["causes"]]
    if (cause, int(rank)) not in found:
        fail(f"{name} has not {cause} on {rank}, but {regions[name]}")


def check_pair(pairs, first, second, wanted):
    found = [pair for pair in pairs if set(pair["regions"]) == {first, second}]
    kind = "none" if not found else "synchronised" if found[0]["is_synchronised"] else found[0]["kind"]
    if kind != wanted:
        fail(f"{first} and {second}: {kind}, not {wanted}: {found}")


def main():
    findings = json.load(open(sys.argv[1], encoding="utf-8"))
    jsonschema.validate(findings, json.loads(SCHEMA.read_text(encoding="utf-8")))
    regions = {each["region"]: each for each in findings["load_balance"]["regions"]}
    for rule in sys.argv[2:]:
        if match := re.fullmatch(r"(\w+)\+(\w+)=(\w+)", rule):
            check_pair(findings["load_balance"]["pairs"], *match.groups())
        elif match := re.fullmatch(r"(\w+)<(\w+):(\d+)", rule):
            check_cause(regions, *match.groups())
        elif match := re.fullmatch(r"(\w+)=(\w+)(?::([\d,]+))?", rule):
            check_kind(regions, *match.groups())
        else:
            sys.exit(f"what is {rule}?")


main()
