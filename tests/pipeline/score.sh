# score.sh -- what score says of a summary is what a trace of the next run takes: events, memory and disk, on three programs;
# of a summary of Score-P it is an estimate of the same kind; filters are written and their effect shown.
# mpich-long
# timed
# timeout 240
set -u
failed=0
wrong() { echo "FAILED: $*"; failed=1; }
field() { awk -F, -v kind="$2" -v column="$3" '$1 == kind { print $column; exit }' "$1"; }
# within PERCENT EXPECTED ACTUAL WHAT
within() {
  awk -v percent="$1" -v expected="$2" -v actual="$3" 'BEGIN {
    off = 100 * (expected - actual) / actual
    printf "%-40s estimated %12.0f, is %12.0f: %+.1f%%\n", "'"$4"'", expected, actual, off
    exit !(actual > 0 && off <= percent && off >= -percent) }' || wrong "$4"
}

for program in halo_exchange conjugate_gradient transpose; do
  $MPICC -O2 -o $program "$TARRY_ROOT/tests/apps/$program.c" -lm || exit 1
  tarry measure -s -o $program.s -- mpirun -np 4 ./$program >$program.out 2>&1 || { cat $program.out; exit 1; }
  tarry measure -t -o $program.t -- mpirun -np 4 ./$program >$program.out 2>&1 || { cat $program.out; exit 1; }
  tarry score $program.s --csv >$program.csv || exit 1
  tarry archive info $program.t >$program.info
  events=$(awk '$1 == "events" { print $2 }' $program.info)
  memory=$(awk '$1 == "per" && $2 == "event" { print $3 }' $program.info)
  within 10 "$(field $program.csv total 5)" "$events" "$program, events"
  within 10 "$(field $program.csv total 6)" "$(awk "BEGIN { print $events * $memory }")" "$program, bytes in memory"
  disk=$(awk '$1 == "per" && $2 == "event" { print $6 }' $program.info)
  # How far a trace shrinks depends on how regular the times of one run were: two traces of the same program differ by 15 %.
  within 30 "$(field $program.csv total 8)" "$(awk "BEGIN { print $events * $disk }")" "$program, bytes on disk"
done

. "$TARRY_ROOT/tests/peer/unpack.bash"
unpack_peer_cases sp-mz-S-2x2 zoo-4 >/dev/null
profile=peer/sp-mz-S-2x2/profile.cubex
tarry score $profile >text || exit 1
for class in MPI OMP COM USR; do grep -q "^  $class " text || wrong "no class $class"; done
tarry score $profile -g small.filter --max-buffer 160k >text || exit 1
grep -q '^with filter *small.filter' text || wrong "the effect of the new filter is not shown"
tarry score $profile -f small.filter --csv >filtered.csv
awk "BEGIN { exit !($(field filtered.csv filtered 7) <= 160 * 1024) }" || wrong "the filter misses its target"
awk "BEGIN { exit !($(field filtered.csv total 7) > 160 * 1024) }" || wrong "there was nothing to filter"
test "$(grep -c ',1,' filtered.csv)" -lt "$(grep -c '^region,' filtered.csv)" || wrong "everything is filtered"
echo 'SCOREP_REGION_NAMES_BEGIN EXCLUDE no_such_* SCOREP_REGION_NAMES_END' >unused.filter
tarry score $profile -f unused.filter 2>&1 >/dev/null | grep -q "unused.filter: no function of this run matches 'EXCLUDE no_such_\*'" ||
  wrong "nothing is said of a rule that matches nothing"
tarry score $profile -g all.filter --min-time-per-visit 1h >/dev/null && tarry score $profile -f all.filter --csv --top 0 |
  awk -F, '$1 == "region" && ($3 == "MPI" || $3 == "OMP") && $4 == 1 { exit 1 }' || wrong "MPI or OpenMP is filtered"
tarry score --by callpath --sort time --top 3 $profile | grep -q ' more (--top 0 lists all)' || wrong "--top"
awk "BEGIN { exit !($(tarry score --counters 2 --csv $profile | awk -F, '$1 == "total" { print $6 }') > $(field filtered.csv total 6)) }" ||
  wrong "--counters"
tarry score - --csv <$profile | head -2 | tail -1 | grep -q ^total || wrong "stdin"

. "$TARRY_ROOT/tests/cli/expect.bash"
fails 'holds no summary' tarry score halo_exchange.t
fails 'No such file' tarry score missing.cubex
fails 'no tar archive' tarry score text
run_it tarry score
[ $status -eq 2 ] || wrong "status $status without input"
run_it tarry score $profile -g a -f b
[ $status -eq 2 ] || wrong "status $status with -g and -f"
exit $((failed || wrong))
