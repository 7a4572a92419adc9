#!/usr/bin/env python3
"""Compares what views of a page of `tarry explore` say with the commands that they name, and checks how they are used.

usage: check_views.py what-if PAGE ARCHIVE          gains of single rows, and bounds of several, beside tarry predict
       check_views.py efficiency PAGE INPUT...      the table of the overview beside tarry report --efficiency
       check_views.py compare PAGE OLD... -- NEW    what moved, beside tarry cube cmp
       check_views.py use PAGE                      exports, keyboard, names for screen readers, contrast, print
       check_views.py ratios PAGE METRIC            what is not known of a metric that does not add up is not shown

Ends with 77 where there is no browser.
"""
import csv
import io
import json
import math
import re
import shlex
import subprocess
import sys
import xml.etree.ElementTree

from browser import Browser
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

STEPS = (1, 2, 3, 4)  # 10, 50, 100 % faster, gone
TOLERANCES = {"time": 0.05, "mpi_latesender": 0, "visits": 0.01}
GO = """async (facts) => {
  window.tarry.select(facts);
  await new Promise((resolve) => setTimeout(resolve, 300));
}"""
VIEWS = """async () => [...document.querySelectorAll("nav [role=tab]")].map((tab) => tab.dataset.tab)"""
# What each button of a view would save: [its name, the text].
SAVED = """async () => {
  const {createObjectURL} = URL, {click} = HTMLAnchorElement.prototype;
  const files = [];
  let blob;
  URL.createObjectURL = (made) => { blob = made; return "blob:"; };
  HTMLAnchorElement.prototype.click = function () { files.push([this.download, blob]); };
  for (const button of document.querySelectorAll(".exports button")) button.click();
  await new Promise((resolve) => setTimeout(resolve, 300));
  Object.assign(URL, {createObjectURL});
  Object.assign(HTMLAnchorElement.prototype, {click});
  return Promise.all(files.map(async ([name, file]) => [name, await file.text()]));
}"""
# Controls without a name, and pictures without one.
NAMELESS = """async () => [...document.querySelectorAll("button, select, input, canvas, [role=img], [role=tree], svg, section[aria-label='']")]
  .filter((element) => !(element.getAttribute("aria-label") || element.closest("label")?.textContent.trim() || element.textContent.trim()))
  .map((element) => element.outerHTML.slice(0, 200))"""
# Texts that do not stand out from what is behind them: [text, contrast].
FAINT = """async () => {
  const parts = (colour) => (colour.match(/[0-9.]+/g) ?? []).map(Number);
  const light = ([r, g, b]) => {
    const [x, y, z] = [r, g, b].map((part) => part / 255).map((part) => (part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
    return 0.2126 * x + 0.7152 * y + 0.0722 * z;
  };
  const behind = (element) => {
    for (let at = element; at; at = at.parentElement) {
      const colour = parts(getComputedStyle(at).backgroundColor);
      if (colour.length === 3 || colour[3] === 1) return colour;
    }
    return parts(getComputedStyle(document.documentElement).backgroundColor);
  };
  const found = [];
  for (const element of document.querySelectorAll("header *, main *")) {
    if (![...element.childNodes].some((node) => node.nodeType === 3 && node.data.trim()) || !element.getClientRects().length) continue;
    const style = getComputedStyle(element);
    const front = light(parts(element instanceof SVGElement ? style.fill : style.color)), back = light(behind(element));
    const contrast = (Math.max(front, back) + 0.05) / (Math.min(front, back) + 0.05);
    if (contrast < 4.5) found.push([element.textContent.trim().slice(0, 60), contrast, element.className?.baseVal ?? element.className]);
  }
  return found;
}"""


class Checks:
    def __init__(self, browser):
        self.browser, self.failures, self.count = browser, [], 0

    def expect(self, is_right, text):
        self.count += 1
        if not is_right:
            self.failures.append(text)

    def open(self, page):
        wrong = self.browser.open(page)
        if wrong:
            sys.exit(f"{page}: {wrong}")


def output_of(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def predicted(command):
    return float(re.match(r"predicted (\S+) seconds", output_of(*shlex.split(command)))[1])


def what_if(checks, page, archive):
    checks.open(page)
    table = json.loads(output_of("tarry", "predict", archive, "--rank-delays", "--json"))
    shown = checks.browser.ask("async () => window.tarry.runs[0].what_if")
    checks.expect(shown == table, "the table is not that of the command")
    close = {"rel_tol": 0, "abs_tol": 2e-9}  # the command prints nanoseconds
    for number, row in enumerate(table["rows"][:3]):
        for step, point in zip(STEPS, ("faster_10", "faster_50", "faster_100", "gone")):
            command = checks.browser.ask("async (...of) => window.tarry.predictCommand(...of)", 0, number, step)
            gain = table["predicted"] - predicted(command)
            checks.expect(math.isclose(gain, row["gain"][point], **close), f"{command}: {gain}, not {row['gain'][point]}")
            bounds = checks.browser.ask("async (...of) => window.tarry.bounds(...of)", 0, [[number, step]])
            checks.expect(bounds["least"] == bounds["most"] == row["gain"][point], f"{command}: bounds {bounds}")
    together = [[number, step] for number, step in zip(range(min(3, len(table["rows"]))), (4, 3, 2))]
    commands = [checks.browser.ask("async (...of) => window.tarry.predictCommand(...of)", 0, *each) for each in together]
    whole = " ".join([commands[0], *(" ".join(shlex.quote(word) for word in shlex.split(command)[3:]) for command in commands[1:])])
    gain = table["predicted"] - predicted(whole)
    bounds = checks.browser.ask("async (...of) => window.tarry.bounds(...of)", 0, together)
    checks.expect(bounds["least"] - 2e-9 <= gain <= bounds["most"] + 2e-9, f"{whole}: {gain} is not in {bounds}")
    checks.expect(bounds["most"] <= table["predicted"], f"{bounds}: more than all")
    # As people do it: all sliders to the end.
    checks.browser.ask(GO, {"view": "what_if"})
    sliders = checks.browser.driver.find_elements(By.CSS_SELECTOR, "main input[type=range]")
    sliders[1].send_keys(Keys.END)
    text = checks.browser.driver.find_element(By.CSS_SELECTOR, "main output").text
    checks.expect("This gains" in text, f"one slider: '{text}'")
    sliders[2].send_keys(Keys.END)
    text = checks.browser.driver.find_element(By.CSS_SELECTOR, "main output").text
    checks.expect("at least" in text and "at most" in text, f"two sliders: '{text}'")


def efficiency(checks, page, *inputs):
    checks.open(page)
    wanted = json.loads(output_of("tarry", "report", "--efficiency", "--json", *inputs))
    shown = checks.browser.ask("async () => window.tarry.state.efficiency")
    checks.expect(shown == wanted, "the table is not that of the command")
    checks.browser.ask(GO, {"view": "overview"})
    text = checks.browser.driver.find_element(By.CSS_SELECTOR, ".efficiencies").text
    for run in wanted["runs"]:
        for key, value in run["standard"].items():
            if value is None:
                checks.expect(run["missing"][key][:100] in text, f"{key}: nobody says why it is missing")
            else:
                sign = "✓" if value >= 0.8 else "○" if value >= 0.5 else "✗"
                checks.expect(f"{sign} {100 * value:.2f} %" in text, f"{key}: no {sign} {100 * value:.2f} %")
    checks.expect(f"tarry report --efficiency {' '.join(inputs)}" in text, "the command is not there")


def compare(checks, page, *inputs):
    checks.open(page)
    old, new = inputs[:inputs.index("--")], inputs[inputs.index("--") + 1:]
    runs = list(range(len(old))), list(range(len(old), len(old) + len(new)))
    mean = new[0]
    if len(new) > 1:  # what moved here has moved there, but each of them must be outside of the spread here
        mean = "mean_of_new.cubex"
        output_of("tarry", "cube", "mean", "-q", "--exact", *new, "-o", mean)
    for metric, tolerance in TOLERANCES.items():
        for per in ("callpath", "region", "metric"):
            for inclusive in ((), ("--inclusive",)):
                options = {"metric": metric, "per": per, "isInclusive": bool(inclusive), "tolerance": tolerance, "floor": 0}
                items = checks.browser.ask("async (...of) => window.tarry.compare(...of)", *runs, options)
                judged = {item["name"] for item in items if item["verdict"] == "moved"}
                wanted = moved(metric, per, tolerance, inclusive, old, mean)
                checks.expect(judged == wanted if len(new) == 1 else judged <= wanted,
                              f"{options}: {sorted(judged)[:5]}, not {sorted(wanted)[:5]}")
                checks.expect(len(items) > 0, f"{options}: nothing to compare")
    checks.browser.ask(GO, {"view": "compare"})
    text = checks.browser.driver.find_element(By.CSS_SELECTOR, "main").text
    checks.expect(re.search(r"\d+ of \d+ call paths moved by more than 5.0 %", text), f"'{text[:300]}'")
    commands = checks.browser.ask("async () => [...document.querySelectorAll('main footer .command')].map((each) => each.textContent)")
    statuses = [subprocess.run(shlex.split(command), capture_output=True).returncode for command in commands]
    checks.expect(len(commands) == (2 if len(new) > 1 else 1) and set(statuses) <= {0, 1}, f"{commands}: {statuses}")


def moved(metric, per, tolerance, inclusive, old, new):
    """Names of what moved."""
    command = ["tarry", "cube", "cmp", "-m", metric, "--per", per, "--tolerance", f"{100 * tolerance}%", "--format", "junit",
               *inclusive, *old, new]
    text = subprocess.run(command, capture_output=True, text=True).stdout
    cases = xml.etree.ElementTree.fromstring(text).iter("testcase")
    names = {case.get("name") for case in cases if case.find("failure") is not None}
    return {"" if per == "metric" and name == "all" else name for name in names}


def use(checks, page):
    checks.open(page)
    driver = checks.browser.driver
    views = checks.browser.ask(VIEWS)
    checks.expect(len(views) >= 4, f"only {views}")
    looks(checks, views)
    keyboard(checks, driver, views)
    for line in checks.browser.complaints():
        checks.failures.append(f"console: {line}")


def looks(checks, views):
    """Exports, names for screen readers and contrast of each view; how it prints."""
    driver = checks.browser.driver
    for view in views:
        checks.browser.ask(GO, {"view": view})
        saved = checks.browser.ask(SAVED)
        kinds = {name.rpartition(".")[2] for name, _ in saved}
        checks.expect(kinds == {"svg", "csv"}, f"{view}: saves {sorted(kinds)}")
        for name, text in saved:
            check_file(checks, f"{view}: {name}", text)
        for element in checks.browser.ask(NAMELESS):
            checks.failures.append(f"{view}: no name for screen readers: {element}")
        for scheme in ("light", "dark"):
            driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [{"name": "prefers-color-scheme", "value": scheme}]})
            for text, contrast, kind in checks.browser.ask(FAINT):
                checks.failures.append(f"{view}, {scheme}: contrast {contrast:.1f} of '{text}' ({kind})")
        driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "print", "features": [{"name": "prefers-color-scheme", "value": "dark"}]})
        paper = driver.execute_script("return [getComputedStyle(document.querySelector('nav')).display, getComputedStyle(document.documentElement).backgroundColor]")
        checks.expect(paper == ["none", "rgb(255, 255, 255)"], f"{view}: on paper: {paper}")
        for text, contrast, kind in checks.browser.ask(FAINT):
            checks.failures.append(f"{view}, print: contrast {contrast:.1f} of '{text}' ({kind})")
        driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "", "features": []})
    checks.expect(len(driver.execute_cdp_cmd("Page.printToPDF", {})["data"]) > 1000, "does not print")


def check_file(checks, name, text):
    if name.endswith(".svg"):
        drawn = xml.etree.ElementTree.fromstring(text)
        tags = {element.tag.rpartition("}")[2] for element in drawn.iter()}
        checks.expect(len(list(drawn.iter())) > 2 and not tags & {"script", "foreignObject"}, f"{name}: {sorted(tags)}")
        checks.expect(re.search(r'fill="rgb', text) or "image" in tags, f"{name}: has no colours of its own")
        return
    rows = list(csv.reader(io.StringIO(text)))
    checks.expect(len(rows) > 1 and {len(row) for row in rows} == {len(rows[0])}, f"{name}: no table: {text[:100]}")


# Through all views and the trees by keys alone.
def keyboard(checks, driver, views):
    checks.browser.ask(GO, {"view": views[0]})
    driver.find_element(By.CSS_SELECTOR, f"nav [data-tab={views[0]}]").send_keys(Keys.NULL)
    driver.execute_script("document.querySelector('nav [data-tab]').focus()")
    for view in [*views[1:], views[0]]:
        driver.switch_to.active_element.send_keys(Keys.ARROW_RIGHT)
        found = driver.execute_script("return [document.activeElement.dataset.tab, window.tarry.state.values.view]")
        checks.expect(found == [view, view], f"arrow to {view}: {found}")
    checks.browser.ask(GO, {"view": "explore"})
    for number, name in ((0, "metric"), (1, "path")):
        tree = driver.find_elements(By.CSS_SELECTOR, "main [role=tree]")[number]
        tree.send_keys(Keys.HOME)
        first = driver.execute_script(f"return window.tarry.state.values.{name}")
        tree.send_keys(Keys.ARROW_RIGHT, Keys.ARROW_DOWN)
        then = driver.execute_script(f"return window.tarry.state.values.{name}")
        checks.expect(first != then, f"arrows do not move in the tree of the {name}")
        active = driver.execute_script("return document.getElementById(document.activeElement.getAttribute('aria-activedescendant'))?.getAttribute('aria-selected')")
        checks.expect(active == "true", f"the selected node of the {name} is not the active one")
    # A control that is drawn anew keeps the keyboard.
    checks.browser.ask(GO, {"view": "heat"})
    driver.execute_script("document.querySelector('main select').focus()")
    driver.switch_to.active_element.send_keys(Keys.ARROW_DOWN)
    checks.browser.ask(GO, {})
    checks.expect(driver.execute_script("return document.activeElement.tagName") == "SELECT", "a choice loses the keyboard")


def ratios(checks, page, metric):
    checks.open(page)
    number = checks.browser.ask("async (name) => window.tarry.runs[0].metricNamed(name)", metric)
    kind = checks.browser.ask("async (metric) => window.tarry.runs[0].metrics[metric].kind", number)
    checks.expect(number >= 0 and kind == "ratio", f"{metric} is no ratio")
    checks.browser.ask(GO, {"view": "explore", "metric": number, "path": 4, "side": "system"})
    panel = checks.browser.driver.find_elements(By.CSS_SELECTOR, ".panel")[2].text
    checks.expect("do not add up" in panel, f"the page does not say what it lacks: {panel[:200]}")
    values = checks.browser.ask("async (metric) => [...await window.tarry.runs[0].vector({metric, own: false}, [[0, true]])].map(String)", number)
    checks.expect(set(values) == {"NaN"}, f"values that are not known: {values}")
    leaf = checks.browser.ask("async (metric) => [...await window.tarry.runs[0].vector({metric, own: false}, [[3, false]])].map(String)", number)
    checks.expect(set(leaf) != {"NaN"}, f"values that are known: {leaf}")
    both = checks.browser.ask("async (metric) => [...await window.tarry.runs[0].vector({metric, own: false}, [[2, false], [3, false]])].map(String)", number)
    checks.expect(set(both) == {"NaN"}, f"a sum of ratios: {both}")


def main():
    kinds = {"what-if": what_if, "efficiency": efficiency, "compare": compare, "use": use, "ratios": ratios}
    if len(sys.argv) < 3 or sys.argv[1] not in kinds:
        sys.exit(__doc__.strip())
    with Browser() as browser:
        checks = Checks(browser)
        kinds[sys.argv[1]](checks, *sys.argv[2:])
    for failure in dict.fromkeys(checks.failures):
        print(f"FAILED: {sys.argv[2]}: {failure}"[:1000])
    print(f"{sys.argv[1]}: {checks.count} checks, {len(checks.failures)} failed")
    sys.exit(bool(checks.failures))


if __name__ == "__main__":
    main()
