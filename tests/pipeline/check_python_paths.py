#!/usr/bin/env python3
"""The call paths of MPI calls in a report are those that the Python program has seen itself, with the line of each call.

usage: check_python_paths.py REPORT DUMP PREFIX TRUTH...

DUMP: `tarry cube dump --csv -m visits` of the report. PREFIX: of the paths of the main thread, as "main/". TRUTH: of
each process in order of rank, rows of the number of calls, the functions that called MPI, and the lines of their calls.
Prints the number of calls; status 1 if a path differs.
"""
import collections
import csv
import re
import sys
import tarfile
import xml.etree.ElementTree

CALLS = ("MPI_Barrier", "MPI_Init_thread", "MPI_Finalize")


def found_visits(dump):
    """Visits of the paths of MPI calls, by rank and path."""
    visits = collections.Counter()
    with open(dump, encoding="utf-8") as file:
        for row in csv.DictReader(file):
            names = [re.sub(r"\\(.)", r"\1", name) for name in re.split(r"(?<!\\)/", row["callpath"])]
            if names[-1] in CALLS:  # the first is the program
                visits[row["rank"], "/".join(names[1:-1])] += float(row["value"])
    return visits


def found_lines(report):
    """The paths of MPI calls with the lines of the calls on them; that of compiled code is "-"."""
    with tarfile.open(report) as files:
        anchor = xml.etree.ElementTree.fromstring(files.extractfile("anchor.xml").read())
    names = {region.get("id"): region.findtext("name") for region in anchor.iter("region")}
    found = set()
    open_nodes = [(root, (), ()) for root in anchor.find("program").findall("cnode")]
    while open_nodes:
        node, path, lines = open_nodes.pop()
        name = names[node.get("calleeId")]
        lines += (node.get("line") if re.search("[.]py$|^<string>$", node.get("mod", "")) else "-",)
        if name in CALLS:
            found.add(("/".join(path[1:]), ",".join(lines[2:])))
        open_nodes += [(child, path + (name,), lines) for child in node.findall("cnode")]
    return found


def expected_paths(prefix, truths):
    """The same as the program has noted them."""
    visits, paths = collections.Counter(), set()
    for rank, path in enumerate(truths):
        with open(path, encoding="utf-8") as truth:
            for row in truth:
                count, names, lines = row.rstrip("\n").split("\t")
                before = "" if names.startswith("Thread.") else prefix
                visits[str(rank), before + names] += int(count)
                paths.add((before + names, "-," * before.count("/") + lines))
    return visits, paths


def main():
    found, (expected, expected_lines) = found_visits(sys.argv[2]), expected_paths(sys.argv[3], sys.argv[4:])
    wrong = 0
    for rank, path in sorted(found.keys() | expected.keys()):
        if found[rank, path] != expected[rank, path]:
            wrong += 1
            print(f"rank {rank}: {path}: {found[rank, path]:.0f} visits, {expected[rank, path]} calls")
    lines = found_lines(sys.argv[1])
    for path, its_lines in sorted(lines ^ expected_lines):
        wrong += 1
        print(f"{'found' if (path, its_lines) in lines else 'missing'}: {path} with calls on lines {its_lines}")
    print(f"{sum(expected.values())} calls on {len(lines)} paths, {wrong} wrong")
    return 1 if wrong or not expected else 0


if __name__ == "__main__":
    sys.exit(main())
