#!/usr/bin/env python3
"""Opens pages of `tarry explore` in a browser, looks into every view, and compares values with those of `tarry cube dump`.

usage: check_pages.py [--values N] [--seed S] PAGE=REPORT[,REPORT...]...

Of each page: it becomes ready, it asks for no address, the console stays empty, no name of the report becomes part of
the document, and N random values (default: 1000) are those of the reports, runs in the order of the page. Ends with 77
where there is no browser.
"""
import argparse
import collections
import json
import math
import random
import subprocess
import sys

from browser import Browser, PageError

STRUCTURE = """async () => window.tarry.runs.map((run) => ({
  metrics: run.metrics.map((metric) => metric.name),
  kinds: run.metrics.map((metric) => metric.kind),
  paths: Array.from({length: run.paths.count}, (_, path) => run.paths.textOf(path)),
  places: Array.from(run.locations.process, (process, i) => [run.processes[process].rank, run.locations.thread[i]]),
  kept: run.facts.kept?.locations ?? null}))"""
VALUES = """async (run, questions) => {
  const values = [];
  for (const [metric, paths, location] of questions) {
    const parts = [];
    for (const path of paths) parts.push(String(await window.tarry.value(run, metric, path, location)));
    values.push(parts);
  }
  return values;
}"""
TOTALS = """async (run, questions) => questions.map(([metric, paths]) =>
  paths.map((path) => String(window.tarry.total(run, metric, path, false))))"""
# Views by their tabs, then a walk through the trees: whatever can be clicked, some of each kind.
VISIT = """async () => {
  const turn = () => new Promise((resolve) => setTimeout(resolve, 15));
  let clicked = 0;
  const click = async (element) => { element.click(); ++clicked; await turn(); };
  const tabs = () => [...document.querySelectorAll("nav button, nav [role=tab]")];
  for (let tab = 0; tab < tabs().length; ++tab) {
    await click(tabs()[tab]);
    for (const query of ["main [role=treeitem]", "main button", "main [role=tab]", "main summary"])
      for (let i = 0; i < Math.min(6, document.querySelectorAll(query).length); ++i) {
        const element = document.querySelectorAll(query)[i];
        if (!element.hasAttribute("download") && !/svg|csv|export|save/i.test(element.textContent)) await click(element);
      }
    for (const select of document.querySelectorAll("main select, header select"))
      for (let i = 0; i < Math.min(4, select.options.length); ++i) {
        select.selectedIndex = i;
        select.dispatchEvent(new Event("change", {bubbles: true}));
        ++clicked;
        await turn();
      }
  }
  return [tabs().length, clicked];
}"""
# What names would do if they were taken for HTML or scripts.
INTRUDERS = """async () => [
  ...(window.hostile === undefined ? [] : ["a script of a name ran"]),
  ...[...document.querySelectorAll("script:not([type='text/plain'])")].slice(1).map(() => "a second script"),
  ...[...document.querySelectorAll("[onerror], [onload], [onclick], iframe, object, embed, base, form, style ~ style, link")]
    .map((element) => `an element ${element.tagName}`)]"""


def dump(report, ranks=None):
    """{metric: {(path, rank, thread): values}}, one of each call path of these names; of some ranks only where a list of
    them is given."""
    if ranks is not None:
        subprocess.run(["tarry", "cube", "part", "-q", "--ranks", ",".join(map(str, ranks)), report, "-o", "part.cubex"],
                       check=True)
        report = "part.cubex"
    text = subprocess.run(["tarry", "cube", "dump", "--json", report], check=True, capture_output=True, text=True).stdout
    values = collections.defaultdict(lambda: collections.defaultdict(list))
    for row in json.loads(text)["values"]:
        values[row["metric"]][row["callpath"], row["rank"], row["thread"]].append(row["value"])
    return values


def number(text):
    """A number as JavaScript writes it; nothing if it is none ("undefined")."""
    try:
        return float(text.replace("Infinity", "inf"))
    except ValueError:
        return None


def same(parts, wanted):
    """The dump has call sites of a function as one call path: their sum may differ in the last digits."""
    if None in parts:
        return False
    if None in wanted:  # no finite number
        return not all(math.isfinite(part) for part in parts)
    if sorted(part for part in parts if part != 0) == sorted(wanted):
        return True
    return len(parts) > len(wanted) and math.isclose(math.fsum(parts), math.fsum(wanted), rel_tol=1e-12)


class Page:
    def __init__(self, browser, dice, page, reports):
        self.browser, self.dice, self.page, self.reports = browser, dice, page, reports
        self.failures = []

    def check(self, count):
        wrong = self.browser.open(self.page)
        if wrong:
            return [f"the page says: {wrong}"]
        structures = self.browser.ask(STRUCTURE)
        if len(structures) != len(self.reports):
            return [f"{len(structures)} runs, {len(self.reports)} expected"]
        for run, (structure, report) in enumerate(zip(structures, self.reports)):
            self.compare(run, structure, dump(report, self.some_ranks(structure)), count)
        tabs, clicked = self.browser.ask(VISIT)
        print(f"{self.page}: {tabs} views, {clicked} clicks")
        if tabs < 3 or clicked < 20:
            self.failures.append(f"{tabs} views, {clicked} clicks: the views are not there")
        self.failures += self.browser.ask(INTRUDERS)
        self.failures += [f"console: {line}" for line in self.browser.complaints()]
        self.failures += [f"asks for {address}" for address in self.browser.requests()]
        return self.failures

    def some_ranks(self, structure):
        """Of a run that is too large for its page: few, as the text of all values would be larger still."""
        if structure["kept"] is None:
            return None
        ranks = sorted({structure["places"][location][0] for location in structure["kept"]})
        return self.dice.sample(ranks, min(len(ranks), 4))

    def compare(self, run, structure, values, count):
        paths = collections.defaultdict(list)
        for number, text in enumerate(structure["paths"]):
            paths[text].append(number)
        location_of = {tuple(place): number for number, place in enumerate(structure["places"])}
        cells = [(metric, *key) for metric, rows in values.items() for key in rows]
        known = {location_of[cell[2:]] for cell in cells}
        missing = set(values) - set(structure["metrics"])
        if missing or not cells:
            self.failures.append(f"run {run}: no values of {sorted(missing)}")
            return
        chosen = [self.dice.choice(cells) for _ in range(count - count // 4)]
        places = [place for place, location in location_of.items() if location in known]
        while len(chosen) < count:  # most of these are zero
            chosen.append((self.dice.choice(structure["metrics"]), self.dice.choice(structure["paths"]), *self.dice.choice(places)))
        questions = [(metric, paths[path], location_of[rank, thread]) for metric, path, rank, thread in chosen]
        answers = self.browser.ask(VALUES, run, questions)
        wanted = [values[metric].get((path, rank, thread), []) for metric, path, rank, thread in chosen]
        self.judge(f"run {run}", chosen, answers, wanted)
        if structure["kept"] is None:
            self.compare_totals(run, structure, values, paths)

    def compare_totals(self, run, structure, values, paths):
        sums = collections.defaultdict(list)
        kinds = dict(zip(structure["metrics"], structure["kinds"]))
        for metric, rows in values.items():
            for (path, _, _), parts in rows.items():
                if kinds[metric] == "sum" and None not in parts:
                    sums[metric, path] += parts
        chosen = self.dice.sample(sorted(sums), min(len(sums), 200))
        answers = self.browser.ask(TOTALS, run, [(metric, paths[path]) for metric, path in chosen])
        differ = [f"total of {key}: {found}, not {math.fsum(sums[key])}" for key, found in zip(chosen, answers)
                  if not math.isclose(math.fsum(map(float, found)), math.fsum(sums[key]), rel_tol=1e-9, abs_tol=1e-12)]
        print(f"  run {run}: {len(chosen)} totals, {len(differ)} differ")
        self.failures += differ[:5]

    def judge(self, what, chosen, answers, wanted):
        differ = [f"{cell}: {found}, not {value}" for cell, found, value in zip(chosen, answers, wanted)
                  if not same([number(part) for part in found], value)]
        zeros = sum(not value for value in wanted)
        print(f"  {what}: {len(chosen)} values, {zeros} of them zero, {len(differ)} differ")
        self.failures += differ[:5]


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--values", type=int, default=1000)
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("pages", nargs="+")
    chosen = options.parse_args()
    items, failed = chosen.pages, False
    while items:
        with Browser() as browser:  # one for all pages, until one of them hangs
            while items:
                (page, _, reports), items = items[0].partition("="), items[1:]
                try:
                    failures = Page(browser, random.Random(chosen.seed), page, reports.split(",")).check(chosen.values)
                except PageError as failure:
                    failures = [str(failure)]
                for failure, times in collections.Counter(failures).items():
                    print(f"FAILED: {page}: {failure}"[:1000] + (f" ({times} times)" if times > 1 else ""))
                    failed = True
                if failures and "timeout" in failures[0]:
                    break
    sys.exit(failed)


if __name__ == "__main__":
    main()
