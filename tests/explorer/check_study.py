#!/usr/bin/env python3
"""Compares a page of many runs (tarry explore --store) with the commands that its views name, and looks at each view.

usage: check_study.py PAGE [--values N] [--seed S] [--steps N] [--studies N]

The page becomes ready and has its six views. What each view saves as CSV is what its command prints, for N random values
(default: 1000) of all studies, rows, metrics and histories. A link leads to the same view. Everything is clicked; the
console stays empty, no address is asked for, and no name becomes part of the document. Histories have --steps steps, the
page --studies studies. Ends with 77 where there is no browser.
"""
import argparse
import csv
import io
import json
import math
import random
import shlex
import subprocess
import sys

from browser import Browser
from check_pages import INTRUDERS, VISIT
from check_views import GO, Checks, looks

VIEWS = ["runs", "scaling", "pop", "models", "time", "history"]
# What the button CSV of a view saves, and the command that the view names.
SHOWN = """async (facts) => {
  await window.tarry.select(facts);
  const {createObjectURL} = URL, {click} = HTMLAnchorElement.prototype;
  const saved = new Promise((resolve) => { URL.createObjectURL = (blob) => { resolve(blob.text()); return "blob:"; }; });
  HTMLAnchorElement.prototype.click = () => {};
  [...document.querySelectorAll("main .exports button")].find((button) => button.textContent === "CSV").click();
  const text = await saved;
  Object.assign(URL, {createObjectURL});
  Object.assign(HTMLAnchorElement.prototype, {click});
  return [text, document.querySelector("main footer .command").textContent];
}"""
STORE = """async () => ({...window.tarry.state.store, runs: null})"""
ROWS = """async (level) => (await window.tarry.studyData())[level].models.map((row) => [row.metric, row.callpath])"""
HEADING = """async () => [location.hash, document.querySelector("main").textContent]"""
FEW = 12  # rows of each study and level whose scaling is compared


def command_output(words):
    """What it prints. Status 1 of a history means a step."""
    done = subprocess.run(words, capture_output=True, text=True)
    if done.returncode > (words[1] == "history"):
        sys.exit(f"{shlex.join(words)}: status {done.returncode}: {done.stderr}")
    return done.stdout


def number(text):
    return float(text) if text not in ("", None) else None


class Study:
    def __init__(self, browser, checks, dice, most):
        self.browser, self.checks, self.dice, self.most = browser, checks, dice, most
        self.cells = []  # (what, found, wanted)
        self.outputs = {}

    def shown(self, **facts):
        """What a view saves as CSV, and its command."""
        text, command = self.browser.ask(SHOWN, facts)
        return list(csv.DictReader(io.StringIO(text))), shlex.split(command)

    def output(self, command, *more):
        words = tuple(word for word in command if word != "--json") + more
        if words not in self.outputs:
            self.outputs[words] = command_output(words)
        return self.outputs[words]

    def same(self, what, found, wanted):
        self.cells.append((what, found, wanted))

    def runs(self):
        rows, command = self.shown(view="runs", filter="", order="run")
        listed = list(csv.DictReader(io.StringIO(self.output(command, "--format", "csv"))))
        self.checks.expect(len(rows) == len(listed) > 0, f"{len(rows)} runs, {len(listed)} expected")
        times = command_output(["tarry", "store", "show", "-m", "time", "--format", "csv", *command[3:]])
        time_of = {row["run"]: row["value"] for row in csv.DictReader(io.StringIO(times))}
        for row, wanted in zip(rows, listed):
            self.same(f"time of run {row['run']}", number(row["time"]), number(time_of.get(row["run"])))
            for name in ("run", "ranks", "locations", "wall_seconds"):
                self.same(f"{name} of run {row['run']}", number(row[name]), number(wanted[name]))
            for name in ("program", "commit", "kind", "date", "parameters", "tags"):
                is_plain = len(wanted[name]) <= 200 and wanted[name].isprintable() and wanted[name][:1] not in "=+-@"
                if is_plain:
                    self.same(f"{name} of run {row['run']}", row[name], wanted[name])
        rows, _ = self.shown(view="runs", order="-time")
        ordered = [number(row["time"]) for row in rows if row["time"]]
        self.checks.expect(ordered == sorted(ordered, reverse=True), "runs are not sorted by time")
        rows, _ = self.shown(view="runs", filter="no such run", order="run")
        self.checks.expect(not rows, "a filter that fits nothing leaves runs")
        self.shown(view="runs", filter="")

    def scaling(self, study):
        for scaling in ("strong", "weak"):
            for level in ("callpath", "region"):
                rows, command = self.shown(view="scaling", study=study, scaling=scaling, level=level, metric="time", row="")
                wanted = json.loads(self.output(command, "--json"))
                self.checks.expect(wanted["scaling"] == scaling, f"the command is of {wanted['scaling']} scaling")
                self.checks.expect(len(rows) == len(wanted["configurations"]), f"{len(rows)} configurations")
                for row, one in zip(rows, wanted["configurations"]):
                    for name, key in (("value", "runtime"), ("speedup", "speedup"), ("efficiency", "efficiency"), ("runs", "runs")):
                        self.same(f"{scaling} {name} of {one['parameters']}", number(row[name]), one[key])
                    self.same("least", number(row["least"]), min(one["runtimes"]))
                known = {path for metric, path in self.browser.ask(ROWS, level) if metric == "time"}
                regions = [region for region in wanted["regions"] if region["name"] in known]
                for region in self.dice.sample(regions, min(FEW, len(regions))):
                    rows, _ = self.shown(row=region["name"])
                    for i, row in enumerate(rows):
                        what = f"{scaling} {region['name']}, configuration {i}"
                        self.same(f"time of {what}", number(row["value"]), region["times"][i])
                        self.same(f"speedup of {what}", number(row["speedup"]), region["speedups"][i])
                        self.same(f"efficiency of {what}", number(row["efficiency"]), region["efficiencies"][i])

    def pop(self, study):
        rows, command = self.shown(view="pop", study=study, scaling="weak")
        for i, one in enumerate(json.loads(self.output(command, "--json"))["configurations"]):
            for row in rows:
                self.same(f"{row['efficiency']} of configuration {i}", number(list(row.values())[i + 1]), one["pop"].get(row["efficiency"]))

    def parts(self, study):
        for share in ("seconds", "share"):
            rows, command = self.shown(view="time", study=study, share=share)
            wanted = json.loads(self.output(command, "--json"))["parts"]
            self.checks.expect([row["part"] for row in rows] == [part["name"] for part in wanted] != [], "other kinds of time")
            for row, part in zip(rows, wanted):
                for i, seconds in enumerate(part["seconds"]):
                    self.same(f"{part['name']} of configuration {i}", number(list(row.values())[i + 2]), seconds)

    def models(self, study):
        for level in ("callpath", "region"):
            self.shown(view="models", study=study, level=level, at="", sort="predicted")
            for metric in sorted({metric for metric, _ in self.browser.ask(ROWS, level)}):
                for at in ("", 3000):
                    rows, command = self.shown(view="models", metric=metric, at=at)
                    wanted = {(row["metric"], row["callpath"]): row for row in json.loads(self.output(command, "--json"))["models"]}
                    for row in rows:
                        self.model(row, wanted[metric, row["callpath"]], at == "")
                    predicted = [number(row["predicted"]) for row in rows if row["predicted"]]
                    self.checks.expect(predicted == sorted(predicted, reverse=True), f"{metric}: not ranked by what is predicted")
                    if not predicted:
                        break
        self.shown(view="models", at="", metric="time")

    def model(self, row, wanted, is_exact):
        what = f"{row['metric']} of {row['callpath']}"
        model, predicted = wanted["model"], wanted.get("predicted", {})
        if model is None:
            self.same(f"no model of {what}", [row["constant"], row["predicted"]], ["", ""])
            return
        self.same(f"terms of {what}", json.loads(row["terms"]), model["terms"])
        for name in ("constant", "rss", "smape", "adjusted_r2"):
            self.same(f"{name} of {what}", number(row[name]), model[name])
        self.same(f"prediction of {what}", number(row["predicted"]), predicted["value"])
        self.same(f"share of {what}", number(row["share"]), predicted["share"])
        if is_exact and "lower" in predicted:  # elsewhere the page takes the band between two known places
            self.same(f"band of {what}", [number(row["lower"]), number(row["upper"])], [predicted["lower"], predicted["upper"]])

    def history(self, store):
        steps = 0
        for history in store["histories"]:
            rows, command = self.shown(view="history", history=history["metric"], curve=0)
            listed = {row["run"]: row for row in csv.DictReader(io.StringIO(self.output(command, "--format", "csv")))}
            self.checks.expect({row["run"] for row in rows} <= set(listed) and rows, f"{history['metric']}: other runs")
            for row in rows:
                for name in ("value", "step", "point"):
                    self.same(f"{name} of {history['metric']} in run {row['run']}", number(row[name]), number(listed.get(row["run"], {}).get(name)))
            found = sum(int(row["step"]) for row in rows)
            self.checks.expect(found == history["steps"], f"{history['metric']}: {found} steps, the page says {history['steps']}")
            steps += found
        return steps

    def judge(self):
        chosen = self.dice.sample(self.cells, min(self.most, len(self.cells)))
        differ = [f"{what}: {found}, not {wanted}" for what, found, wanted in chosen if not is_same(found, wanted)]
        print(f"  {len(chosen)} of {len(self.cells)} values, {len(differ)} differ")
        return differ


def is_same(found, wanted):
    """The page computes some values by the formulas of the command: the last digits may differ."""
    if isinstance(found, float) and wanted is not None:
        return found == wanted or math.isclose(found, wanted, rel_tol=1e-9, abs_tol=1e-15)
    return found == wanted


def follow_link(browser, checks, page):
    for facts in ({"view": "models", "level": "region", "sort": "growth"}, {"view": "scaling", "scaling": "weak"}, {"view": "runs", "order": "-time"}):
        browser.ask(GO, facts)
        link, text = browser.ask(HEADING)
        wrong = browser.open(page, link)
        found = browser.ask(HEADING)
        checks.expect(not wrong and found == [link, text], f"the link {link} leads elsewhere: {found[0]} {wrong}")


def check(browser, page, chosen):
    checks = Checks(browser)
    checks.open(page)
    store = browser.ask(STORE)
    study = Study(browser, checks, random.Random(chosen.seed), chosen.values)
    study.runs()
    for i, facts in enumerate(store["studies"]):
        if "block" not in facts:
            continue
        for each in (study.scaling, study.pop, study.parts, study.models):
            each(i)
    steps = study.history(store)
    if chosen.steps is not None:
        checks.expect(steps == chosen.steps, f"{steps} steps")
    if chosen.studies is not None:
        checks.expect(len(store["studies"]) == chosen.studies, f"{len(store['studies'])} studies")
    checks.failures += study.judge()[:10]
    looks(checks, VIEWS)
    follow_link(browser, checks, page)
    clicks = browser.ask(VISIT)
    print(f"  clicks in each view: {', '.join(f'{view} {count}' for view, count in clicks)}")
    checks.expect(len(clicks) == len(VIEWS) and all(count > 1 for _, count in clicks), "a view has nothing to click")
    checks.failures += browser.ask(INTRUDERS)
    checks.failures += [f"console: {line}" for line in browser.complaints()]
    checks.failures += [f"asks for {address}" for address in browser.requests()]
    return checks


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("page")
    options.add_argument("--values", type=int, default=1000)
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--steps", type=int)
    options.add_argument("--studies", type=int)
    chosen = options.parse_args()
    with Browser() as browser:
        checks = check(browser, chosen.page, chosen)
    for failure in dict.fromkeys(checks.failures):
        print(f"FAILED: {chosen.page}: {failure}"[:1000])
    print(f"{chosen.page}: {checks.count} checks, {len(checks.failures)} failed")
    sys.exit(bool(checks.failures))


if __name__ == "__main__":
    main()
