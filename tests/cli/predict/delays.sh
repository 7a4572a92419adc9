# delays.sh -- delays have the numbers and costs of 'tarry report'; each row of the table is what a run of its own says.
. "$TARRY_ROOT/tests/cli/expect.bash"

# check TRACE: all delays and regions of a trace.
check() {
  works tarry replay -q "$1" -o report.cubex
  tarry report --json report.cubex > findings.json || complain "no findings of $1"
  works tarry predict "$1" --rank-delays 1000 --json
  cp out table.json
  python3 -B "$TARRY_ROOT/tests/cli/predict/check_table.py" "$1" table.json findings.json || complain "$1: the table is wrong"
  tarry predict "$1" --rank-delays 1000 --json --workers 1 > one.json
  tarry predict "$1" --rank-delays 1000 --json --memory 64M --workers 3 > bounded.json
  cmp table.json one.json && cmp table.json bounded.json || complain "$1: workers or memory change the table"
}
for case in sweep3d-4 zoo-4; do
  tar -xJf "$TARRY_ROOT/tests/data/peer/$case.tar.xz"
  check $case/traces.otf2
done

# A word behind the option is a number or a region; the next one is the trace.
same() {
  works tarry predict "$@"
  cmp out expected || complain "tarry predict $*: not the same"
}
tarry predict sweep3d-4/traces.otf2 --rank-delays 1 > expected
same --rank-delays 1 sweep3d-4/traces.otf2
tarry predict sweep3d-4/traces.otf2 --balance sweep > expected
same --balance sweep sweep3d-4/traces.otf2
exit $wrong
