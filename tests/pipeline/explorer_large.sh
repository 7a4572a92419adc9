# explorer_large.sh -- a report of 5,000 call paths and 4,096 threads: a page that a browser can open, with single values of
# some threads and the spread of all.
# long
# timeout 900
# no-san
set -eu
fail() { echo "$1"; exit 1; }
command -v tarry-explore >/dev/null || { echo "built without the explorer"; exit 77; }
/usr/bin/python3 -c 'import selenium' 2>/dev/null && [ -x /usr/bin/chromium ] && [ -x /usr/bin/chromedriver ] ||
  { echo "no Chromium, driver or Selenium (Debian: chromium chromium-driver python3-selenium)"; exit 77; }
"$PYTHON" "$TARRY_ROOT/bench/bench_cube.py" make large.cubex
tarry explore large.cubex -o large.html
[ "$(wc -c <large.html)" -le 60000000 ] || fail "the page has $(wc -c <large.html) bytes"
/usr/bin/python3 -B "$TARRY_ROOT/tests/explorer/check_pages.py" large.html=large.cubex
# Spread and totals agree with the values.
/usr/bin/python3 -B "$TARRY_ROOT/tests/explorer/check_spread.py" large.html large.cubex
