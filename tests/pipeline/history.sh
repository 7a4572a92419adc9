# history.sh -- a step of 5 % is found at its commit, noise is none, in a file and on a server; cube cmp takes its baseline.
set -euo pipefail
. "$TARRY_ROOT/tests/pipeline/history.bash"
. "$TARRY_ROOT/tests/pipeline/postgres.bash"

for seed in 1 2; do
  check_history $seed 9 0.05
  check_history $seed 0 0
done

check_forms() {
  local at format status
  # All forms name the run; verdicts by status.
  made 3 12 0.05
  at=$(tarry store list --store "$history_store" --where 'commit = c12' --format csv | sed -n 2p | cut -d, -f1)
  for format in text github junit json; do
    status=0
    tarry history time --store "$history_store" --format $format >out || status=$?
    [ $status -eq 1 ] || { echo "$format: status $status"; exit 1; }
    grep -q "c12" out || { cat out; echo "$format does not name the commit"; exit 1; }
  done
  grep -q "\"run\": $at, \"commit\": \"c12\"" out || { cat out; exit 1; }
  (tarry history time --store "$history_store" --format csv || true) | awk -F, '$7 == 1' | grep -q ",$at,c12," || exit 1
  tarry history time --store "$history_store" --fail-on 9% >out
  tarry history time --store "$history_store" --only decrease >out
  tarry history visits --store "$history_store" | grep -q "no step"
  tarry history time --store "$history_store" --picture curve.svg >out || true
  python3 -c "import xml.dom.minidom as x; assert len(x.parse('curve.svg').getElementsByTagName('circle')) == 1"
  ! tarry history tme --store "$history_store" 2>err || exit 1
  grep -q "did you mean 'time'" err

  # The last run belongs to those after the step, not to those before it.
  tarry cube cmp --store "$history_store" --where 'commit >= c12' --tolerance 5% made/000060.cubex >out
  ! tarry cube cmp --store "$history_store" --where 'commit < c12' --tolerance 2% made/000060.cubex >out || exit 1
  ! tarry cube cmp made/000060.cubex 2>err || exit 1
}

check_forms
start_postgres
history_store=$postgres_store
check_history 4 9 0.05
check_history 4 0 0
check_forms
