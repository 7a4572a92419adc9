#!/usr/bin/env python3
"""A summary and the analysis of a trace of the same run have the same values in all metrics that both have.

usage: compare_summary.py SUMMARY.csv ANALYSIS.csv LEAST

Each from `tarry cube dump --csv`. LEAST: how many metrics both have to have. Prints the number of values; status 1 if
one differs.
"""
import collections
import csv
import sys


def read_values(path):
    values = collections.defaultdict(dict)
    with open(path, encoding="utf-8") as file:
        for row in csv.DictReader(file):
            values[row["metric"]][row["callpath"], row["rank"], row["thread"]] = float(row["value"])
    return values


def compare(summary_path, analysis_path):
    """(metrics of both, number of their values, those that differ)"""
    summary, analysis = read_values(summary_path), read_values(analysis_path)
    metrics = summary.keys() & analysis.keys()
    count, wrong = 0, []
    for metric in sorted(metrics):
        one, other = summary[metric], analysis[metric]
        for place in sorted(one.keys() | other.keys()):
            count += 1
            if one.get(place, 0) != other.get(place, 0):
                wrong.append((metric, *place, one.get(place, 0), other.get(place, 0)))
    return metrics, count, wrong


def main():
    metrics, count, wrong = compare(sys.argv[1], sys.argv[2])
    for each in wrong[:20]:
        print(*each)
    print(f"{len(metrics)} metrics, {count} values, {len(wrong)} differ")
    return 1 if wrong or len(metrics) < int(sys.argv[3]) else 0


if __name__ == "__main__":
    sys.exit(main())
