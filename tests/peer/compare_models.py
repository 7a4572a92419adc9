#!/usr/bin/env python3
"""Compares the models of `tarry scale --like extra-p` with recorded ones.

usage: compare_models.py FOLDER     (FOLDER holds tests/data/peer/models.tar.xz, unpacked)

Each case has the reference's terms, coefficients and errors; for some cases all hypotheses are recorded. Figures agree
to 1e-6; what is nothing but rounding (an error of an exact fit) does to 1e-9 of the values.
"""
import csv
import json
import pathlib
import subprocess
import sys

REPEATS = ["r1", "r2", "r3", "r4", "r5"]
PARAMETERS = ["p", "n"]


def read(path):
    with open(path, newline="") as file:
        return list(csv.DictReader(file))


def write_points(folder, path):
    """The measurements as tarry reads them; returns the largest value of each case."""
    largest = {}
    with open(path, "w", newline="") as file:
        out = csv.writer(file)
        out.writerow(["callpath", "metric", *PARAMETERS, "value"])
        for row in read(folder / "generated_input.csv"):
            for repeat in REPEATS:
                out.writerow([row["case"], row["metric"], row["p"], row["n"], row[repeat]])
                largest[row["case"]] = max(largest.get(row["case"], 0), float(row[repeat]))
    return largest


def scale(*options):
    done = subprocess.run(["tarry", "scale", *options], check=True, stdout=subprocess.PIPE, text=True)
    return list(csv.DictReader(done.stdout.splitlines()))


def is_close(ours, theirs, rounding):
    return abs(float(ours) - float(theirs)) <= 1e-6 * abs(float(theirs)) + rounding


def terms_of(text, names):
    """{parameters and exponents of a term: coefficient}, in the order of the terms."""
    terms = {}
    for term in json.loads(text):
        factors = tuple(sorted((names.get(key, key), *exponents) for key, exponents in term.items() if key != "c"))
        terms[factors] = term["c"]
    return terms


def faults_of_model(ours, theirs, size):
    if ours is None:
        return ["no model"]
    our_terms = terms_of(ours["terms"], {})
    their_terms = terms_of(theirs["terms"], {"0": "p", "1": "n"})
    if list(our_terms) != list(their_terms):
        return [f"terms {ours['terms']}, not {theirs['terms']}"]
    faults = [f"coefficient {our_terms[key]}, not {value}" for key, value in their_terms.items()
              if not is_close(our_terms[key], value, 0)]
    rounding = 1e-9 * size
    for name, key, slack in (("constant", "constant", rounding), ("rss", "RSS", rounding * rounding),
                             ("smape", "SMAPE", 1e-9), ("adjusted_r2", "AR2", 1e-12)):
        if not is_close(ours[name], theirs[key], slack):
            faults.append(f"{name} {ours[name]}, not {theirs[key]}")
    return faults


def faults_of_hypothesis(ours, theirs, size):
    if ours is None:
        return ["is not tried"]
    rounding = 1e-9 * size
    figures = (("constant", "constant", rounding), ("coefficient", "coefficient", 0), ("rss", "RSS", rounding * rounding),
               ("smape", "SMAPE", 1e-9), ("adjusted_r2", "AR2", 1e-9), ("counts", "passes_min_contribution", 0))
    return [f"{name} {ours[name]}, not {theirs[key]}" for name, key, slack in figures
            if theirs[key] and not is_close(ours[name], theirs[key], slack)]


def main():
    folder = pathlib.Path(sys.argv[1])
    largest = write_points(folder, "points.csv")
    models = {row["callpath"]: row for row in scale("--points", "points.csv", "--like", "extra-p", "--csv")}
    cases = read(folder / "generated_models.csv")
    faults = [f"{case['case']}: {fault}" for case in cases
              for fault in faults_of_model(models.get(case["case"]), case, largest[case["case"]])]
    tried = {(row["callpath"], row["i"], row["j"]): row for row in scale("--points", "points.csv", "--hypotheses")
             if row["parameter"] == "p"}
    hypotheses = [row for row in read(folder / "hypothesis_tables.csv") if row["case"] in largest]
    faults += [f"{row['case']} p^{row['i']} log^{row['j']}: {fault}" for row in hypotheses
               for fault in faults_of_hypothesis(tried.get((row["case"], row["i"], row["j"])), row, largest[row["case"]])]
    print(f"{len(cases)} models and {len(hypotheses)} hypotheses compared, {len(faults)} differences")
    print("\n".join(faults[:20]))
    return bool(faults) or not cases or not hypotheses


if __name__ == "__main__":
    sys.exit(main())
