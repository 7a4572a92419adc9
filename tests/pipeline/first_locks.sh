# first_locks.sh -- locks are recorded from the first thread on, those that are held by then included; locks between
# processes always are.
# no-san
# mpich-long
set -euo pipefail
fail() { echo "$1"; exit 1; }
"$MPICC" -std=gnu11 -g -O1 -Wall -Werror -fopenmp -o locks "$TARRY_ROOT/tests/apps/first_locks.c"

check=$TARRY_ROOT/tests/pipeline/first_locks.py
# One run with a trace and a summary. The machine may be busy: each value must be right in one of three runs.
waits() {  # KIND NUMBER ARGUMENT...
  local run=$1$2
  tarry measure -q -s -t -o "$run" -- mpirun -np 1 ./locks "${@:3}" >truth || fail "$1: the program fails"
  tarry archive verify "$run" && tarry replay -q --strict "$run" || fail "$1: not accepted"
  tarry report "$run" >report
  for file in summary analysis; do
    tarry cube sanity "$run/$file.cubex" >out || fail "$1 $file: $(cat out)"
    tarry cube dump --csv "$run/$file.cubex" >values.csv
    "$PYTHON" "$check" "$file" truth values.csv report || return 1
  done
  "$PYTHON" "$TARRY_ROOT/tests/peer/check_invariants.py" "$run/analysis.cubex" values.csv
}
for kind in thread team; do
  waits $kind 1 $kind || waits $kind 2 $kind || waits $kind 3 $kind || fail "$kind: see above"
done

shared() {
  tarry measure -q -s -t -o "shared$1" -- mpirun -np 2 ./locks shared "$PWD/of_both$1" >truth || fail "shared: the program fails"
  tarry archive verify "shared$1" && tarry replay -q --strict "shared$1" || fail "shared: not accepted"
  for file in summary analysis; do
    tarry cube dump --csv "shared$1/$file.cubex" >values.csv
    "$PYTHON" "$check" shared truth values.csv || return 1
  done
}
shared 1 || shared 2 || shared 3 || fail "shared: see above"
