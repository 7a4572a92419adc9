# oracle_processes.sh -- reports of random traces hold what must hold, and do not depend on who analyses.
# timeout 600
# no-san
set -u
/usr/bin/python3 -B -c 'import otf2' 2>/dev/null ||
  { echo 'no Python module otf2: no random traces (Debian: python3-otf2, which forgets python3-six)'; exit 1; }
failed=0

# same WHAT COMMAND...: COMMAND writes other.cubex, which must equal one.cubex.
same() {
  local what=$1
  shift
  rm -f other.cubex
  "$@" >other.out 2>&1 && cmp one.cubex other.cubex && return
  cat other.out
  echo "FAILED: seed $seed $what"
  failed=1
}

for seed in {1..24}; do
  rm -rf trace
  /usr/bin/python3 -B "$TARRY_ROOT/tests/oracle/random_trace.py" $seed trace || exit 1
  for mode in --compat ''; do
    analyse="tarry replay -q --strict $mode trace/traces.otf2"
    $analyse --workers 1 -o one.cubex || { echo "FAILED: seed $seed $mode"; failed=1; continue; }
    same "with 3 threads $mode" $analyse --workers 3 -o other.cubex
    same "on 3 processes $mode" mpirun -np 3 $analyse --workers 1 -o other.cubex
  done
  tarry cube dump --csv one.cubex >one.csv &&
    "$PYTHON" "$TARRY_ROOT/tests/peer/check_invariants.py" one.cubex one.csv || { echo "FAILED: seed $seed"; failed=1; }
done
exit $failed
