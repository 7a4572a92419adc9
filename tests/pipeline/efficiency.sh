# efficiency.sh -- POP's efficiencies: those of recorded cases are those of Dimemas' predictions, and of an oracle; those
# of programs that know how long they work are right, as strong and weak scaling, in regions and iterations, and with
# threads; those of reports are what follows from their values.
# timed
# timeout 240
set -u
. "$TARRY_ROOT/tests/peer/unpack.bash"
failed=0
fail() { echo "FAILED: $1"; failed=1; }
/usr/bin/python3 -B -c 'import otf2' 2>/dev/null || { echo 'no Python module otf2 (Debian: python3-otf2)'; exit 1; }
unpack_peer_cases zoo-4 sweep3d-4 npb-lu-S-4 npb-cg-S-4 sp-mz-S-2x2 bt-mz-S-2x2 micro random >/dev/null || exit 1
"$PYTHON" "$TARRY_ROOT/tests/peer/compare_pop.py" "$TARRY_ROOT/tests/data/peer/ideal-network.csv" peer || fail "Dimemas"
oracle() { /usr/bin/python3 -B "$TARRY_ROOT/tests/oracle/compare_efficiencies.py" "$@" || fail "oracle"; }
oracle peer/micro/*/traces.otf2 peer/random/r100?/traces.otf2
oracle --region x_solve peer/sp-mz-S-2x2/traces.otf2

pop() { "$PYTHON" "$TARRY_ROOT/tests/report/check_pop.py" "$@" || fail "what follows from the values of the report"; }
pop peer/*-[4S]*/traces.otf2

# Threads and memory do not matter.
for options in '--workers 1' '--workers 3' '--memory 64M'; do
  tarry report --efficiency --csv $options peer/sp-mz-S-2x2/traces.otf2 || fail "$options"
done | sort | uniq -c | awk '$1 != 3 { exit 1 }' || fail "threads or memory matter"

tarry instrument "$MPICC" -std=gnu11 -O1 -Wall -Werror -o known "$TARRY_ROOT/tests/apps/efficiency_known.c" || exit 1
for run in strong-1 strong-2 weak-1 weak-2; do
  tarry measure -q -s -t -o $run -- mpirun -np ${run#*-} ./known ${run%-*} >$run.txt || exit 1
done
for scaling in strong weak; do
  for region in - uneven turns; do
    of_region="--region $region"
    [ $region != - ] || of_region=
    tarry report --efficiency --json --scaling $scaling $of_region $scaling-1 $scaling-2 >table.json &&
      "$PYTHON" "$TARRY_ROOT/tests/pipeline/check_efficiency.py" $scaling $region table.json $scaling-1.txt $scaling-2.txt ||
      fail "$scaling scaling, region $region"
  done
done

tarry instrument "$MPICC" -std=gnu11 -O1 -Wall -Werror -fopenmp -o hybrid "$TARRY_ROOT/tests/apps/efficiency_hybrid.c" || exit 1
tarry measure -q -t -o hybrid-2 -- mpirun -np 2 ./hybrid >hybrid.txt || exit 1
tarry report --efficiency --json hybrid-2 >hybrid.json &&
  "$PYTHON" "$TARRY_ROOT/tests/pipeline/check_hybrid.py" hybrid.json hybrid.txt || fail "processes and threads"
"$PYTHON" "$TARRY_ROOT/tests/report/check_ideal.py" hybrid-2 || fail "the ideal network"
pop hybrid-2 strong-2

# One visit of a function that is visited once is all of them.
tarry report --efficiency --csv --region turns strong-2 >all.csv
tarry report --efficiency --csv --region turns --iteration 0 strong-2 | cmp - all.csv || fail "the only visit"
tarry report --efficiency --region turns --iteration 1 strong-2 2>message && fail "an iteration that was not"
grep -q "iteration 1 of 'turns'" message || { cat message; fail "what is wrong with the iteration"; }

# The report alone knows no ideal network, and nearly the same of the rest.
tarry replay -q strong-2 || fail "replay"
for report in summary analysis; do
  tarry report --efficiency strong-2/$report.cubex >$report.txt || fail "$report"
  grep -Eq 'Serialisation efficiency +-$' $report.txt && grep -q 'Serialisation efficiency, Transfer efficiency: needs a trace' $report.txt ||
    { cat $report.txt; fail "$report: ideal network"; }
  tarry report --efficiency --csv strong-2 strong-2/$report.cubex | awk -F, '
    $5 == "load_balance" { balance[$1] = $7 } END { for (run in balance) sum += balance[run]; exit !(sum / 2 - balance["strong-2"] < 0.02 && balance["strong-2"] - sum / 2 < 0.02) }' ||
    fail "$report: another load balance"
done
exit $failed
