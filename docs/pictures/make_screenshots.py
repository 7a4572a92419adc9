#!/usr/bin/python3
"""Photographs pages of `tarry explore` for docs/. Needs Chromium, Selenium and Pillow (Debian: python3-pil).

usage: make_screenshots.py RUNS FOLDER [NAME...]   RUNS: as record_runs.sh leaves it; writes FOLDER/NAME.png, or all

Pictures have few colours, and none is larger than 60,000 bytes: they are in the repository.
"""
import io
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent.parent / "tests/explorer"))
from browser import Browser  # noqa: E402
from PIL import Image, ImageChops  # noqa: E402

WIDTH, HEIGHT, MOST_BYTES, MARGIN = 1160, 760, 60000, 12
WAIT = """async () => new Promise((resolve) => setTimeout(resolve, 800))"""
# Nearer until there are single events; then one of the longest waits, if possible one that comes through another.
CAUSES = """async () => {
  const turn = () => new Promise((resolve) => setTimeout(resolve, 500));
  const waits = () => [...document.querySelectorAll(".longest-waits button")];
  const near = async () => {
    const canvas = document.querySelector("canvas.timeline");
    canvas.dispatchEvent(new KeyboardEvent("keydown", {key: "0"}));
    for (let i = 0; i < 12 && waits().length === 0; ++i) {
      canvas.dispatchEvent(new KeyboardEvent("keydown", {key: "+"}));
      await turn();
    }
  };
  for (let i = 0; i < 10; ++i) {
    await near();
    waits()[i].click();
    await turn();
    if (document.querySelectorAll(".detail ol:not(.longest-waits) li").length > 1) return;
  }
}"""
BY_ITERATION = """async () => {
  const select = [...document.querySelectorAll("main select")].at(-1);
  select.selectedIndex = 1;
  select.dispatchEvent(new Event("change"));
}"""
# What if the most expensive delay were gone?
WITHOUT_DELAY = """async () => {
  const row = [...document.querySelectorAll("main tr")].find((tr) => tr.textContent.includes("delay 1:"));
  const slider = row.querySelector("input[type=range]");
  slider.value = slider.max;
  slider.dispatchEvent(new Event("input", {bubbles: true}));
  slider.dispatchEvent(new Event("change", {bubbles: true}));
}"""
# name: page, link, what to do there
SHOTS = {
    "explorer-overview": ("run.html", "#view=overview", WAIT),
    "explorer-trees": ("run.html", "#view=explore&metric=mpi_latesender&location=5", WAIT),
    "explorer-distribution": ("run.html", "#view=explore&metric=mpi_latesender&side=spread", WAIT),
    "explorer-heat": ("visits.html", "#view=heat&metric=mpi_latesender", BY_ITERATION),
    "explorer-matrix": ("sweep.html", "#view=matrix", WAIT),
    "explorer-timeline": ("run.html", "#view=timeline", CAUSES),
    "explorer-what-if": ("run.html", "#view=what_if", WITHOUT_DELAY),
    "explorer-study": ("study.html", "#view=models", WAIT),
    "explorer-compare": ("both.html", "#view=compare&metric=time", WAIT),
}


def cropped(picture):
    """Without what is empty at the bottom."""
    empty = Image.new("RGB", picture.size, picture.getpixel((2, picture.height - 2)))
    used = ImageChops.difference(picture, empty).getbbox()
    return picture.crop((0, 0, picture.width, min(picture.height, (used[3] if used else 0) + MARGIN)))


def packed(picture):
    """As PNG with as many colours as there is room for."""
    for colours in (128, 64, 32, 16):
        out = io.BytesIO()
        few = picture.quantize(colours, method=Image.Quantize.MEDIANCUT, dither=Image.Dither.NONE)
        few.save(out, "PNG", optimize=True)
        if out.tell() <= MOST_BYTES:
            return out.getvalue()
    sys.exit(f"a picture has {out.tell()} bytes with 16 colours")


def photograph(browser, page, link, action):
    if wrong := browser.open(page, link):
        sys.exit(f"{page}: {wrong}")
    view = link.removeprefix("#view=").split("&")[0]
    if browser.ask("async () => window.tarry.state.values.view") != view:
        sys.exit(f"{page} has no view {view}")
    browser.ask(action)
    browser.ask(WAIT)
    return Image.open(io.BytesIO(browser.driver.get_screenshot_as_png())).convert("RGB")


def main():
    if len(sys.argv) < 3 or set(sys.argv[3:]) - set(SHOTS):
        sys.exit(__doc__.strip())
    runs, folder = map(pathlib.Path, sys.argv[1:3])
    with Browser() as browser:
        browser.driver.execute_cdp_cmd("Emulation.setScrollbarsHidden", {"hidden": True})
        browser.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride",
                                       {"width": WIDTH, "height": HEIGHT, "deviceScaleFactor": 1, "mobile": False})
        for name in sys.argv[3:] or SHOTS:
            page, link, action = SHOTS[name]
            content = packed(cropped(photograph(browser, runs / page, link, action)))
            (folder / f"{name}.png").write_bytes(content)
            print(f"{folder / name}.png: {len(content)} bytes")


if __name__ == "__main__":
    main()
