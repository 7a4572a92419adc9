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
