#!/usr/bin/env python3
"""Opens pages of `tarry explore` in a browser, looks into every view, and compares values with those of `tarry cube dump`.

usage: check_pages.py [--values N] [--seed S] [--view NAME]... PAGE=REPORT[,REPORT...]...

Of each page: it becomes ready, it has the views NAME, it asks for no address, the console stays empty, no name of the
report becomes part of the document, and N random values (default: 1000) are those of the reports, runs in the order of
the page; the difference of several may be left out. Ends with 77 where there is no browser.
"""
import argparse
import collections
import csv
import json
import math
import random
import subprocess
import sys

from browser import Browser, BrowserGone, PageError

STRUCTURE = """async () => window.tarry.runs.map((run) => ({
  metrics: run.metrics.map((metric) => metric.name),
  kinds: run.metrics.map((metric) => metric.kind),
  paths: Array.from({length: run.paths.count}, (_, path) => run.paths.textOf(path)),
  places: Array.from(run.locations.process, (process, i) => [run.processes[process].rank, run.locations.thread[i]]),
  isDifference: run.facts.is_difference ?? false,
  kept: run.facts.kept?.locations ?? null}))"""
VALUES = """async (run, questions) => {
  const values = [];
  for (const [metric, paths, locations] of questions) {
    const parts = [];
    for (const path of paths)
      for (const location of locations) parts.push(String(await window.tarry.value(run, metric, path, location)));
    values.push(parts);
  }
  return values;
}"""
TOTALS = """async (run, questions) => questions.map(([metric, paths]) =>
  paths.map((path) => String(window.tarry.total(run, metric, path, false))))"""
# Views by their tabs, then a walk through each: whatever can be clicked, some of each kind; keys, sliders, the timeline.
VISIT = """async () => {
  const turn = (milliseconds = 4) => new Promise((resolve) => setTimeout(resolve, milliseconds));
  let clicked = 0;
  const after = async (action) => { action(); ++clicked; await turn(); };
  const press = (element, key) => element.dispatchEvent(new KeyboardEvent("keydown", {key, bubbles: true, cancelable: true}));
  const some = async (query, most, action) => {
    for (let i = 0; i < Math.min(most, document.querySelectorAll(query).length); ++i) {
      const element = document.querySelectorAll(query)[i];
      if (!element.hasAttribute("download") && !/svg|csv|export|save/i.test(element.textContent)) await after(() => action(element));
    }
  };
  const change = (element, name) => element.dispatchEvent(new Event(name, {bubbles: true}));
  const tabs = () => [...document.querySelectorAll("nav button, nav [role=tab]")];
  const seen = [];
  for (let tab = 0; tab < tabs().length; ++tab) {
    await after(() => tabs()[tab].click());
    const name = tabs()[tab].textContent, before = clicked;
    for (const query of ["main [role=treeitem]", "main button", "main [role=tab]", "main summary", "main input[type=checkbox]"]) {
      await some(query, 6, (element) => element.click());
      tabs()[tab].click();  // a link may have led to another view
      await turn();
    }
    for (const key of ["ArrowRight", "ArrowDown", "Enter", "End", "ArrowLeft", "Home"])
      await some("main [role=tree]", 3, (tree) => press(tree.querySelector("[tabindex='0']") ?? tree, key));
    for (const value of [0, 37, 100])
      await some("main input[type=range]", 3, (slider) => { slider.value = value; change(slider, "input"); change(slider, "change"); });
    for (const select of document.querySelectorAll("main select, header select"))
      for (let i = 0; i < Math.min(4, select.options.length); ++i)
        await after(() => { select.selectedIndex = i; change(select, "change"); });
    for (const key of ["0", "n", "+", "ArrowRight", "ArrowLeft", "-"]) await some("canvas.timeline", 1, (canvas) => press(canvas, key));
    await some(".longest-waits button", 4, (button) => button.click());
    for (const part of [0.3, 0.6, 0.9])
      await some("canvas.timeline", 1, (canvas) => {
        const {left, top, width, height} = canvas.getBoundingClientRect();
        const at = {clientX: left + part * width, clientY: top + part * height, bubbles: true};
        for (const name of ["mousemove", "mousedown", "mouseup", "click"]) canvas.dispatchEvent(new MouseEvent(name, at));
      });
    await turn(40);
    seen.push([name, clicked - before]);
  }
  return seen;
}"""
# Waits for what a page does later; some seconds at most, as a busy machine draws late.
UNTIL = """const until = async (isDone) => {
    for (let i = 0; i < 500 && !isDone(); ++i) await new Promise((resolve) => setTimeout(resolve, 20));
  };"""
# The table of iterations that the heat map offers as CSV; [] if the page has none.
ITERATIONS = """async (run) => {
  const {state, runs} = window.tarry;
  const [region, series] = Object.entries(runs[run].iterations ?? {})[0] ?? [];
  if (!series) return [];
  const tables = [];
  const {createObjectURL} = URL, {click} = HTMLAnchorElement.prototype;
  HTMLAnchorElement.prototype.click = () => {};
  let file;
  URL.createObjectURL = (blob) => { file = blob; return "blob:"; };
  %s
  for (const {metric} of series.metrics.slice(0, 12)) {
    const number = runs[run].metricNamed(metric);
    if (number < 0) continue;
    const isShown = () => document.querySelector("main h2")?.textContent.startsWith(runs[run].metrics[number].title.slice(0, 40));
    state.goTo({run, view: "heat", metric: number});
    await until(isShown);
    const select = [...document.querySelectorAll("main select")].at(-1);
    select.value = `i:${region}`;
    select.dispatchEvent(new Event("change"));
    await until(() => isShown() && document.querySelector("main h2").textContent.endsWith("iterations"));
    file = undefined;
    [...document.querySelectorAll("main button")].find((found) => found.textContent === "CSV")?.click();
    await until(() => file);
    tables.push([region, metric, file ? await file.text() : ""]);
  }
  Object.assign(URL, {createObjectURL});
  Object.assign(HTMLAnchorElement.prototype, {click});
  return tables;
}""" % UNTIL
# The link after two steps into the timeline; "" if the page has none. And what a timeline shows, once it is what is wanted.
ZOOM = """async () => {
  %s
  const {state} = window.tarry;
  if (!state.run.facts.blocks.timeline) return "";
  state.goTo({view: "timeline"});
  const press = () => document.querySelector("canvas.timeline")
    ?.dispatchEvent(new KeyboardEvent("keydown", {key: "+", bubbles: true, cancelable: true}));
  let looks = 0;  // a press is heard once the timeline is drawn, and the link follows when no other one comes
  await until(() => { if (looks++ %% 25 === 0) press(); return location.hash.includes("&from="); });
  press();
  await new Promise((resolve) => setTimeout(resolve, 400));
  return [location.hash, state.values.from, state.values.to];
}""" % UNTIL
SHOWN = """async (wanted) => {
  %s
  const shown = () => [location.hash, window.tarry.state.values.from, window.tarry.state.values.to];
  await until(() => JSON.stringify(shown()) === JSON.stringify(wanted));
  return shown();
}""" % UNTIL
# What names would do if they were taken for HTML or scripts.
INTRUDERS = """async () => [
  ...(window.hostile === undefined ? [] : ["a script of a name ran"]),
  ...[...document.querySelectorAll("script:not([type='text/plain'])")].slice(1).map(() => "a second script"),
  ...[...document.querySelectorAll("[onerror], [onload], [onclick], iframe, object, embed, base, form, style ~ style, link")]
    .map((element) => `an element ${element.tagName}`),
  ...(document.documentElement.scrollWidth > innerWidth + 1 ? ["a page wider than its window"] : [])]"""


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


def iterations(report, region, metric):
    """[[values of the processes in an iteration]], the mean where a row has several."""
    command = ["tarry", "report", "--iterations", region, "--metric", metric, "--csv", report]
    text = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    rows = collections.defaultdict(list)
    for row in csv.DictReader(text.splitlines()):
        rows[int(row["iteration"])].append(float(row["value"]) / int(row["count"]))
    return [rows[first] for first in sorted(rows)]


def same_table(text, wanted):
    """Whether a heat map's table has these values, behind a head and the name of each row."""
    found = [[float(cell) for cell in row[1:]] for row in list(csv.reader(text.splitlines()))[1:]]
    return found == wanted and any(any(row) for row in wanted)


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
    def __init__(self, browser, dice, page, reports, wanted):
        self.browser, self.dice, self.page, self.reports, self.wanted = browser, dice, page, reports, wanted
        self.failures = []

    def check(self, count):
        wrong = self.browser.open(self.page)
        if wrong:
            return [f"the page says: {wrong}"]
        structures = self.browser.ask(STRUCTURE)
        if structures[-1]["isDifference"] and len(structures) == len(self.reports) + 1:
            structures.pop()  # nobody has given a report to compare it with
        if len(structures) != len(self.reports):
            return [f"{len(structures)} runs, {len(self.reports)} expected"]
        for run, (structure, report) in enumerate(zip(structures, self.reports)):
            self.compare(run, structure, dump(report, self.some_ranks(structure)), count)
            self.compare_iterations(run, report)
        self.follow_link()
        clicks = dict(self.browser.ask(VISIT))
        print(f"{self.page}: clicks in each view: {', '.join(f'{view} {count}' for view, count in clicks.items())}")
        missing = {"Overview", "Explore", "Heat map", *self.wanted} - set(clicks)
        if missing or sum(clicks.values()) < 20:
            self.failures.append(f"no view {sorted(missing)}, or too few clicks")
        self.failures += self.browser.ask(INTRUDERS)
        self.failures += [f"console: {line}" for line in self.browser.complaints()]
        self.failures += [f"asks for {address}" for address in self.browser.requests()]
        return self.failures

    def follow_link(self):
        """A link leads to the part of the run that the timeline showed."""
        there = self.browser.ask(ZOOM)
        if not there:
            return
        link, start, end = there
        if start is None or not start < end or "&from=" not in link:
            self.failures.append(f"no link to a part of the timeline: {there}")
            return
        wrong = self.browser.open(self.page, link)
        found = self.browser.ask(SHOWN, there)
        if wrong or found != there:
            self.failures.append(f"the link {link} leads to {found}: {wrong}")

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
        locations = collections.defaultdict(list)  # damaged reports have threads of the same number
        for number, place in enumerate(structure["places"]):
            locations[tuple(place)].append(number)
        cells = [(metric, *key) for metric, rows in values.items() for key in rows]
        known = {cell[2:] for cell in cells}
        missing = set(values) - set(structure["metrics"])
        if missing or not cells:
            self.failures.append(f"run {run}: no values of {sorted(missing)}")
            return
        chosen = [self.dice.choice(cells) for _ in range(count - count // 4)]
        places = [place for place in locations if place in known]
        while len(chosen) < count:  # most of these are zero
            chosen.append((self.dice.choice(structure["metrics"]), self.dice.choice(structure["paths"]), *self.dice.choice(places)))
        questions = [(metric, paths[path], locations[rank, thread]) for metric, path, rank, thread in chosen]
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

    def compare_iterations(self, run, report):
        tables = self.browser.ask(ITERATIONS, run)
        differ = [f"iterations of {region}, {metric}" for region, metric, text in tables
                  if not same_table(text, iterations(report, region, metric))]
        if tables:
            print(f"  run {run}: {len(tables)} tables of iterations, {len(differ)} differ")
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
    options.add_argument("--view", action="append", default=[], dest="views")
    options.add_argument("pages", nargs="+")
    chosen = options.parse_args()
    items, failures, restarts = chosen.pages, [], 0
    while items:
        with Browser() as browser:  # one for all pages, until one of them hangs
            while items:
                (page, _, reports) = items[0].partition("=")
                try:
                    found = Page(browser, random.Random(chosen.seed), page, reports.split(","), chosen.views).check(chosen.values)
                except BrowserGone as gone:
                    print(f"{page}: the browser is gone: {gone}")
                    restarts += 1
                    if restarts <= 1:
                        break  # a page that ends the browser ends the next one, too
                    found = [str(gone)]
                except PageError as failure:
                    found = [str(failure)]
                items = items[1:]
                failures += [f"FAILED: {page}: {failure}"[:1000] + (f" ({times} times)" if times > 1 else "")
                             for failure, times in collections.Counter(found).items()]
                if found and "timeout" in found[0]:
                    break
    sys.exit("\n".join(failures) or 0)


if __name__ == "__main__":
    main()
