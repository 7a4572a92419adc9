#!/usr/bin/python3
"""What a page of `tarry explore` weighs, and how long a browser takes with it. Needs Chromium and Selenium.

usage: bench_explorer.py megabytes PAGE     prints the size of the page
       bench_explorer.py first-view PAGE    prints the seconds from opening it to its first view, as the page has measured
       bench_explorer.py click PAGE         clicks through the page, prints the milliseconds of the slowest click
"""
import os
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "tests/explorer"))
from browser import Browser  # noqa: E402

FIRST_VIEW = """async () => performance.getEntriesByName("tarry-ready")[0].startTime / 1000"""
# From a click to the frame that shows what it has changed. `settled` is the page's word for: nothing is being read.
CLICKS = """async () => {
  const shown = async () => {
    await window.tarry.settled?.();
    await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve, 0)));
  };
  let slowest = 0, of = "";
  const click = async (element) => {
    const text = element.textContent.trim().slice(0, 40), begin = performance.now();
    element.click();
    await shown();
    if (performance.now() - begin > slowest) [slowest, of] = [performance.now() - begin, text];
  };
  await shown();
  const tabs = () => [...document.querySelectorAll("nav button, nav [role=tab]")];
  for (let tab = 0; tab < tabs().length; ++tab) {
    await click(tabs()[tab]);
    for (const query of ["main [role=treeitem]", "main [role=tab]", "main summary", "main tbody button"])
      for (let i = 0; i < Math.min(10, document.querySelectorAll(query).length); ++i)
        await click(document.querySelectorAll(query)[i]);
  }
  return [slowest, of];
}"""


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__.strip())
    what, page = sys.argv[1:]
    if what == "megabytes":
        print(os.path.getsize(page) / 1e6)
        return
    with Browser() as browser:
        if wrong := browser.open(page):
            sys.exit(f"{page}: {wrong}")
        if what == "first-view":
            print(browser.ask(FIRST_VIEW))
        else:
            milliseconds, of = browser.ask(CLICKS)
            print(f"slowest: {of!r},", milliseconds)


if __name__ == "__main__":
    main()
