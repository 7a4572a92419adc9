# scale_by_hand.sh -- speedups, efficiencies and POP's table of tarry scale follow from tarry cube dump.
# timeout 240
# no-san
set -eu
fail() { echo "$1"; exit 1; }
mpicc -O2 -o heat "$TARRY_ROOT/tests/apps/halo_exchange.c" -lm
for ranks in 1 2 4; do
  tarry measure -q -t -o run-$ranks -- mpirun -np $ranks ./heat 20 >out 2>&1 || { cat out; fail "no run"; }
  tarry replay -q run-$ranks
done
for scaling in strong weak; do
  "$PYTHON" "$TARRY_ROOT/tests/pipeline/scale_by_hand.py" $scaling time run-1 run-2 run-4
done
"$PYTHON" "$TARRY_ROOT/tests/pipeline/scale_by_hand.py" strong mpi run-1 run-2 run-4

# A store knows the ideal network if add read the traces; so does a copy of it.
tarry scale run-1 run-2 run-4 | sed '/^Models/,$d' >direct
grep -q 'Transfer efficiency' direct || fail "no transfer efficiency"
tarry store add -q --efficiency --store with.db run-1 run-2 run-4 >out
tarry store export --store with.db -o with.jsonl
tarry store import --store copy.db with.jsonl >out
tarry store import --store second.db copy.db >out
for store in with copy second; do
  tarry scale --store $store.db | sed '/^Models/,$d' | cmp - direct || fail "$store.db has other efficiencies"
done
tarry store add -q --store without.db run-1 run-2 run-4 >out
tarry scale --store without.db >text
! grep -q 'Transfer efficiency' text || fail "an ideal network of nothing"
[ "$(grep -c 'need a trace' text)" -eq 1 ] || fail "does not say once what is missing"

# A wait that one process cannot have: the run is left out, and this is said.
tarry scale run-1 run-2 run-4 --metric mpi_latesender >text 2>warning
grep -q '1 run of 3 without the metric mpi_latesender' warning || { cat warning; fail "no warning"; }
grep -q '^Efficiency of mpi_latesender' text || fail "no efficiencies of the metric"
