# browser.bash -- for tests of pages in a browser: skips them where there is no explorer or no browser.

command -v tarry-explore >/dev/null || { echo "built without the explorer"; exit 77; }
/usr/bin/python3 -c 'import selenium' 2>/dev/null && [ -x /usr/bin/chromium ] && [ -x /usr/bin/chromedriver ] ||
  { echo "no Chromium, driver or Selenium (Debian: chromium chromium-driver python3-selenium)"; exit 77; }

# check SCRIPT ARGUMENTS...: a script of tests/explorer
check() { /usr/bin/python3 -B "$TARRY_ROOT/tests/explorer/$@"; }
