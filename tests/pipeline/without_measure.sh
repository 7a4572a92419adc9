# without_measure.sh -- programs that hold the recorder are run with TARRY_ARCHIVE alone: silent, and the tools say the next step.
# no-san
# mpich
# timeout 120
set -u
failed=0
complain() { echo "$1: $2"; failed=1; }
tarry instrument "$MPICC" -std=gnu11 -O1 -Wall -Werror -DROUNDS=5 -o linked "$TARRY_ROOT/tests/apps/end.c" || exit 1
mpirun -np 2 ./linked return 0 >bare.out 2>bare.err

# says TEXT COMMAND...: in one line.
says() {
  local text=$1 said
  shift
  said=$("$@" 2>&1 >/dev/null)
  [ "$(grep -c . <<<"$said")" = 1 ] && grep -qF "$text" <<<"$said" || complain "$*" "says '$said', not '$text'"
}

TARRY_ARCHIVE=both TARRY_TRACE=1 TARRY_SUMMARY=1 mpirun -np 2 ./linked return 0 >both.out 2>both.err ||
  complain both "status $?"
cmp bare.out both.out || complain both "other output"
grep tarry both.err && complain both "is not silent"
tarry archive info both | grep -q "^state  *dead: run 'tarry unify both'" || complain both "info does not say what to do"
says "both: its recording was not closed (run 'tarry unify both' first)" tarry report both

tarry unify -q both || complain both "cannot be closed"
tarry measure -q -s -t -o like -- mpirun -np 2 ./linked return 0 >like.out 2>like.err || complain like "status $?"
for name in both like; do
  tarry report "$name" >"$name.txt" || complain "$name" "has no report"
  grep -q 'complete="yes" events="yes" summary="yes"' "$name/manifest.xml" || complain "$name" "$(cat "$name/manifest.xml")"
  [ "$(tarry archive info "$name" | sed -n 's/^program *//p')" = linked ] || complain "$name" "another program"
  tarry cube dump --csv "$name/summary.cubex" | awk -F, '$1 == "visits"' >"$name.visits"
  tarry replay -q --strict "$name" || complain "$name" "cannot be analysed"
done
[ -s both.visits ] && diff both.visits like.visits || complain both "another summary than with tarry measure"
tarry unify -q both && tarry archive verify both >/dev/null || complain both "a second unify does harm"

# The default is a summary, which needs no analysis.
TARRY_ARCHIVE=$PWD/summary mpirun -np 2 ./linked return 0 >summary.out 2>summary.err || complain summary "status $?"
says "summary: its recording was not closed (run 'tarry unify summary' first)" tarry report summary
tarry replay summary 2>&1 | grep -q "'tarry unify summary' does that" || complain summary "replay does not say what to do"
tarry unify -q summary && tarry report summary >/dev/null || complain summary "has no report"
exit $failed
