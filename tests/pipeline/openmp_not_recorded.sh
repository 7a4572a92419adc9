# openmp_not_recorded.sh -- one line tells where threads of libgomp are there whose teams are not recorded.
# no-san
set -euo pipefail
fail() { echo "$1"; exit 1; }
gcc -O1 -fopenmp -o plain "$TARRY_ROOT/tests/apps/openmp_only.c"
tarry instrument gcc -O1 -fopenmp -o instrumented "$TARRY_ROOT/tests/apps/openmp_only.c"
gcc -O1 -o serial "$TARRY_ROOT/tests/apps/openmp_only.c"
lines() { tarry measure --sample -o "run.$1" -- ./"$1" 2>&1 >/dev/null | grep -c "OpenMP is not recorded" || true; }
[ "$(lines plain)" = 1 ] || fail "no line, or several"
[ "$(lines instrumented)" = 0 ] || fail "a line although it is recorded"
[ "$(lines serial)" = 0 ] || fail "a line without OpenMP"

# told NAME: its report says the same, in text and JSON; that of a trace and that of a summary.
told() {
  local report
  for report in "$1"/*.cubex; do
    [ "$(tarry report "$report" | grep -c "OpenMP is not recorded: the runtime of .* (libgomp)")" = 1 ] || fail "$report: text"
    tarry report --json "$report" | grep -q '"openmp_not_recorded": "OpenMP is not recorded: ' || fail "$report: JSON"
  done
}
tarry measure -q -s -t --sample -o both -- ./plain >out 2>err
tarry replay -q both
[ "$(ls both/*.cubex | wc -l)" = 2 ] || fail "not two reports"
told both
! tarry report run.instrumented | grep -q "not recorded" || fail "the report of what is recorded"

# Beside MPI the rest is recorded, with one line; alone nothing is, and one line says why in all tools.
"$MPICC" -O1 -fopenmp -o hybrid "$TARRY_ROOT/tests/apps/gomp_hybrid.c"
[ "$(tarry measure -s -t -o hybrid.run -- mpirun -np 2 ./hybrid 2>&1 >out | grep -c "OpenMP is not recorded")" = 1 ] ||
  fail "hybrid: no line"
tarry replay -q hybrid.run
told hybrid.run
tarry measure -t -o alone -- ./plain >out 2>err
[ "$(grep -c '^tarry' err)" = 1 ] || fail "alone: not one line"
grep -q 'nothing was recorded: ./plain uses OpenMP of libgomp.*: OpenMP is not recorded (.*--sample' err || fail "alone: $(cat err)"
{ tarry report alone 2>&1 || true; } | grep -q 'libgomp' || fail "alone: report"
{ tarry replay alone 2>&1 || true; } | grep -q 'libgomp' || fail "alone: replay"
