# cube_judges.sh -- cmp and test: what moved, against one report and the spread of several, in each format; and the
# workflow of the documentation fails a build for one call path that became 5 % slower.
set -u
failed=0
wrong() { echo "FAILED: $*"; failed=1; }
# expect STATUS COMMAND...
expect() {
  local wanted=$1
  shift
  "$@" >out 2>err
  local status=$?
  [ $status -eq "$wanted" ] || { wrong "status $status, not $wanted: $*"; cat out err; }
}
make() { "$PYTHON" "$TARRY_ROOT/tests/report/make_program.py" "$@"; }

make old.cubex && make same.cubex && make faster.cubex --scale solve=0.9 && make slower.cubex --scale solve=1.06
make noisy.cubex --scale solve=1.1

expect 0 tarry cube cmp -m time --tolerance 5% old.cubex same.cubex
expect 0 tarry cube cmp -m time --tolerance 5% old.cubex slower.cubex
expect 1 tarry cube cmp -m time --tolerance 5% --per callpath old.cubex slower.cubex
grep -q '^time  .*+6\.0%  main/solve$' out || { wrong "text"; cat out; }
grep -q '^1 of 4 call paths moved' out || { wrong "summary"; cat out; }
expect 1 tarry cube cmp -m time --tolerance 5% --per region old.cubex slower.cubex
expect 0 tarry cube cmp -m time --tolerance 7% --per callpath old.cubex slower.cubex
expect 0 tarry cube cmp -m time --per callpath old.cubex noisy.cubex slower.cubex
expect 1 tarry cube cmp -m time --per callpath old.cubex noisy.cubex faster.cubex
expect 0 tarry cube cmp -m time --per callpath --only increase old.cubex faster.cubex
expect 1 tarry cube cmp -m time --per callpath --only increase old.cubex slower.cubex
expect 1 tarry cube cmp -m time --per callpath --format github old.cubex slower.cubex
grep -q '^::error title=time moved::main/solve: .*+6\.0%25$' out || { wrong "github"; cat out; }
expect 1 tarry cube cmp -m time,visits --per callpath --format junit old.cubex slower.cubex
"$PYTHON" - out <<'PY' || wrong "junit"
import sys, xml.etree.ElementTree as tree
suite = tree.parse(sys.argv[1]).getroot()
failures = [case.get("name") for case in suite if case.find("failure") is not None]
sys.exit(not (suite.get("tests") == "8" and suite.get("failures") == "1" and failures == ["main/solve"]))
PY
expect 1 tarry cube cmp -m nothing old.cubex same.cubex
expect 2 tarry cube cmp old.cubex
expect 2 tarry cube cmp --tolerance much old.cubex same.cubex
expect 0 tarry cube cmp old.cubex - <same.cubex

expect 0 tarry cube test 'incl(time,"main/solve") < 1.1*base' base=old.cubex slower.cubex
expect 1 tarry cube test 'excl(time,"main/solve") < 1.05*base' base=old.cubex slower.cubex
expect 0 tarry cube test '1.05*base >= incl(time,"main/solve")' base=old.cubex same.cubex
expect 0 tarry cube test 'incl(time) == base.incl(time) and excl(visits,"solve") == 40' base=old.cubex same.cubex
expect 1 tarry cube test 'excl(time,"main") > 100 and incl(time) > 0' same.cubex
expect 0 tarry cube test 'excl(time,"main") > 1000 or (1 + 2) * 3 == 9' same.cubex
expect 1 tarry cube test --format github 'incl(time) < 10% * base' base=old.cubex same.cubex
grep -q '^::error ' out || wrong "github of test"
expect 1 tarry cube test 'incl(time,"nowhere") > 0' same.cubex
expect 1 tarry cube test 'incl(nothing) > 0' same.cubex
for text in 'incl(time' 'incl(time) <' 'incl(time)' 'other < 1' 'incl(time) < 1 1' ''; do
  expect 2 tarry cube test "$text" same.cubex
done
expect 2 tarry cube test 'incl(time) < base' base=old.cubex
expect 2 tarry cube test 'incl(time) < base' base=- -

# The workflow's own commands, as the page shows them.
sed -n '/^```yaml/,/^```/p' "$TARRY_ROOT/docs/CUBE_OPERATIONS.md" | sed -n 's/^ *run: \(tarry cube .*\)$/\1/p' >workflow
test "$(wc -l <workflow)" -eq 2 || wrong "the workflow has two steps that judge"
mkdir -p baseline run
cp old.cubex baseline/summary.cubex
while read -r step; do
  cp same.cubex run/summary.cubex
  expect 0 bash -c "$step"
  cp slower.cubex run/summary.cubex
  expect 1 bash -c "$step"
  grep -q '^::error ' out || { wrong "no annotation: $step"; cat out; }
done <workflow
exit $failed
