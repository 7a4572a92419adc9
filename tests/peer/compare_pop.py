#!/usr/bin/env python3
"""POP's efficiencies by the tool beside those that follow from Dimemas' predictions.

usage: compare_pop.py ideal-network.csv FOLDER      FOLDER/CASE/traces.otf2 for each case of the table

Needs tarry-report in PATH. Prints a table; status 1 if an efficiency differs by 0.1 % or more, with our rules for
collectives or with those of Dimemas.
"""
import csv
import json
import subprocess
import sys

TOLERANCE = 1e-3


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    wrong = compared = 0
    print("| case | efficiency | theirs | ours | difference |\n|---|---|---|---|---|")
    for row in csv.DictReader(open(sys.argv[1])):
        times = {name: float(value) for name, value in row.items() if name != "trace" and value}
        theirs = {"load_balance": times["avg_computation"] / times["max_computation"],
                  "serialisation": times["max_computation"] / times["ideal"],
                  "transfer": times["ideal"] / times["traced"],
                  "communication": times["max_computation"] / times["traced"],
                  "parallel": times["avg_computation"] / times["traced"]}
        for words in [], ["--like", "dimemas"]:
            command = ["tarry-report", "--efficiency", "--json", *words, f"{sys.argv[2]}/{row['trace']}/traces.otf2"]
            ours = json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout)["runs"][0]
            for name, value in theirs.items():
                difference = ours["standard"][name] / value - 1
                compared += 1
                wrong += abs(difference) >= TOLERANCE
                print(f"| {row['trace']} {' '.join(words)} | {name} | {100 * value:.4f} % | "
                      f"{100 * ours['standard'][name]:.4f} % | {100 * difference:+.4f} % |")
    return 0 if compared and not wrong else 1


if __name__ == "__main__":
    sys.exit(main())
