#!/usr/bin/env python3
"""Efficiencies of processes and threads of tests/apps/efficiency_hybrid.c against what the threads have measured.

usage: check_hybrid.py TABLE.json WORKED.txt          Status 1 if something is wrong.
"""
import json
import sys


def main():
    run = json.load(open(sys.argv[1]))["runs"][0]
    ranks = [[float(word) for word in line.split()[1:]] for line in open(sys.argv[2])]
    runtime, threads = run["runtime"], 2 * len(ranks)
    serial, in_parallel = [rank[0] for rank in ranks], [rank[3] for rank in ranks]
    useful = [seconds for rank in ranks for seconds in (rank[0] + rank[1], rank[2])]
    outside = [rank[0] + rank[3] for rank in ranks]
    mean, longest = sum(useful) / threads, max(useful)
    mpi_balance = sum(outside) / len(ranks) / max(outside)
    expected = {
        "standard": {"load_balance": mean / longest, "communication": longest / runtime, "parallel": mean / runtime},
        "multiplicative": {"mpi_load_balance": mpi_balance, "mpi_communication": max(outside) / runtime,
                           "thread_load_balance": mean / longest / mpi_balance,
                           "thread_communication": longest / max(outside)},
        "additive": {"process_communication": max(outside) / runtime,
                     "serial_region": 1 - sum(serial) / threads / runtime,
                     "parallel_region": 1 - (2 * sum(in_parallel) - sum(rank[1] + rank[2] for rank in ranks)) / threads / runtime}}
    wrong = [f"{model} {name}: {run[model][name]}, expected {value}" for model, values in expected.items()
             for name, value in values.items() if abs(run[model][name] - value) > 0.02]
    if run["processes"] != len(ranks) or run["threads"] != threads:
        wrong.append(f"{run['processes']} processes and {run['threads']} threads")
    print({model: {name: round(run[model][name], 4) for name in values} for model, values in expected.items()})
    print("".join(line + "\n" for line in wrong), end="")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
