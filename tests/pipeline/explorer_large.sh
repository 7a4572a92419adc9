# explorer_large.sh -- a report of 5,000 call paths and 4,096 threads: a page that a browser can open, with single values of
# some threads and the spread of all.
# long
# timeout 900
# no-san
set -eu
fail() { echo "$1"; exit 1; }
. "$TARRY_ROOT/tests/pipeline/browser.bash"
"$PYTHON" "$TARRY_ROOT/bench/bench_cube.py" make large.cubex
tarry explore large.cubex -o large.html
[ "$(wc -c <large.html)" -le 60000000 ] || fail "the page has $(wc -c <large.html) bytes"
check check_pages.py large.html=large.cubex
# Spread and totals agree with the values.
/usr/bin/python3 -B "$TARRY_ROOT/tests/explorer/check_spread.py" large.html large.cubex
