"""A headless Chromium that opens pages from disk and notes what they ask for and complain about.

Debian: chromium, chromium-driver, python3-selenium.
"""
import json
import pathlib
import re
import shutil
import sys
import tempfile

try:
    from selenium import webdriver
    from selenium.common.exceptions import WebDriverException
    from selenium.webdriver.chrome.service import Service
except ImportError:
    webdriver = None

CHROMIUM, DRIVER = "/usr/bin/chromium", "/usr/bin/chromedriver"
SKIP = 77
SECONDS = 60
FLAGS = ("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run",
         "--disable-background-networking", "--disable-component-update", "--disable-sync", "--disable-extensions",
         "--window-size=1400,900")
READY = """
const done = arguments[0];
const look = () => document.querySelector("[role=alert]") || (window.tarry && performance.getEntriesByName("tarry-ready").length)
  ? done(document.querySelector("[role=alert]")?.textContent ?? "") : setTimeout(look, 20);
look();
"""


def skip_unless_there():
    if webdriver is None or not pathlib.Path(CHROMIUM).exists() or not pathlib.Path(DRIVER).exists():
        print("no Chromium with driver and Selenium (Debian: chromium chromium-driver python3-selenium)")
        sys.exit(SKIP)


class PageError(Exception):
    """The page does not answer, or its script fails."""


class BrowserGone(Exception):
    """The browser ended, or lost the tab of the page: short of memory, for example."""


class Browser:
    """`with Browser() as browser`: ends Chromium and removes its profile in the end."""

    def __enter__(self):
        skip_unless_there()
        self.profile = tempfile.mkdtemp(prefix="profile-", dir=".")
        options = webdriver.ChromeOptions()
        options.binary_location = CHROMIUM
        for flag in (*FLAGS, f"--user-data-dir={pathlib.Path(self.profile).resolve()}"):
            options.add_argument(flag)
        options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
        self.driver = webdriver.Chrome(service=Service(DRIVER), options=options)
        self.driver.set_page_load_timeout(SECONDS)
        self.driver.set_script_timeout(SECONDS)
        return self

    def __exit__(self, *_):
        self.driver.quit()
        shutil.rmtree(self.profile, ignore_errors=True)

    def open(self, page, link=""):
        """Opens a page from disk and waits until it is ready; returns what it says is wrong, "" if nothing."""
        self.run(lambda: self.driver.get("about:blank"))
        self.complaints()
        self.url = "about:blank"
        self.requests()
        self.url = pathlib.Path(page).resolve().as_uri()
        return self.run(lambda: (self.driver.get(self.url + link), self.driver.execute_async_script(READY))[1])

    def run(self, action):
        """What the action of the driver returns; a page that does not answer is not a browser that is gone."""
        try:
            return action()
        except WebDriverException as failure:
            is_gone = re.search("crashed|not reachable|disconnected|invalid session", failure.msg or "")
            raise (BrowserGone if is_gone else PageError)(failure.msg) from failure

    def ask(self, script, *arguments):
        """What an asynchronous function of the page returns; its parameters are `arguments`."""
        code = ("const done = arguments[arguments.length - 1]; "
                f"({script})(...[...arguments].slice(0, -1)).then((value) => done({{value}}), "
                "(error) => done({error: String(error)}));")
        answer = self.run(lambda: self.driver.execute_async_script(code, *arguments))
        if "error" in answer:
            raise PageError(answer["error"])
        return answer["value"]

    def complaints(self):
        """Lines of the console since the last time."""
        return [entry["message"] for entry in self.driver.get_log("browser")]

    def requests(self):
        """Addresses that were asked for since the last time, other than the page itself and what it holds."""
        found = []
        for entry in self.driver.get_log("performance"):
            message = json.loads(entry["message"])["message"]
            if message["method"] != "Network.requestWillBeSent":
                continue
            address = message["params"]["request"]["url"]
            # The browser's own first tab asks for addresses of its own.
            if address.split("#")[0] != self.url and not address.startswith(("data:", "blob:", "about:", "chrome:")):
                found.append(address)
        return found
