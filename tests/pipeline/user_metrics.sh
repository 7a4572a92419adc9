# user_metrics.sh -- metrics that a program counts itself: in summaries, traces, analyses and OTF2, for each function.
# no-san
set -u
failed=0
fail() { echo "FAILED: $1"; failed=1; }
check() { /usr/bin/env python3 "$TARRY_ROOT/tests/pipeline/check_counted.py" "$@" || fail "$*"; }
apps=$TARRY_ROOT/tests/apps
tarry instrument gcc -O1 -g "$apps/counted.c" -o counted -pthread || exit 1
gcc -O1 -g -I"$TARRY_ROOT/lib/measure/user" "$apps/counted.c" -o plain -pthread || exit 1
tarry measure -q -s -t -o run -- ./counted >told || fail "status $?"
./plain | diff told - || fail "another output without the recorder"
check run/summary.cubex told
tarry archive verify run >/dev/null || fail "not intact"
tarry replay -q --strict run || fail "not analysed"
check run/analysis.cubex told
tarry archive dump run >events
[ "$(grep -c ' METRIC ' events)" = 140 ] || fail "$(grep -c ' METRIC ' events) values, and not 140"
tarry merge -q run -o otf2 --to otf2
tarry merge -q --from otf2 otf2/traces.otf2 -o back
tarry replay -q --strict back || fail "OTF2 is not analysed"
check back/analysis.cubex told
if command -v otf2-print >/dev/null; then
  [ "$(otf2-print otf2/traces.otf2 | grep -c '^METRIC ')" = 140 ] || fail "OTF2's reader sees other metrics"
fi
# The size of the trace that a summary estimates.
trace_events=$(tarry cube dump --csv run/summary.cubex -m trace_events | awk -F, 'NR > 1 {sum += $NF} END {print sum + 0}')
[ "$trace_events" = "$(wc -l <events)" ] || fail "a summary expects $trace_events events, and there are $(wc -l <events)"
# A killed process, whose summary is found in its memory.
tarry measure -q -s -o killed -- ./counted kill >told.killed 2>err
check killed/summary.cubex told.killed
# With counters beside them.
tarry measure -q -s -t --metrics ru_utime -o both -- ./counted >told.both || fail "status with counters"
check both/summary.cubex told.both
tarry replay -q --strict both && check both/analysis.cubex told.both

# Fortran, and Score-P's macros.
if command -v gfortran >/dev/null; then
  tarry instrument gfortran -O1 -g "$apps/counted.F90" -o fortran || exit 1
  tarry measure -q -s -t -o fortran.run -- ./fortran >fortran.told || fail "status of Fortran"
  check fortran.run/summary.cubex fortran.told
fi
cat >scorep.c <<'C'
#include <scorep/SCOREP_User.h>
#include <stdio.h>
SCOREP_USER_METRIC_GLOBAL(depth)
int main(void) {
  SCOREP_USER_METRIC_LOCAL(residual)
  SCOREP_USER_METRIC_LOCAL(queue);
  SCOREP_USER_METRIC_INIT(depth, "depth", "levels", SCOREP_USER_METRIC_TYPE_INT64, SCOREP_USER_METRIC_CONTEXT_GLOBAL)
  SCOREP_USER_METRIC_INIT(residual, "residual", "", SCOREP_USER_METRIC_TYPE_DOUBLE, SCOREP_USER_METRIC_CONTEXT_CALLPATH);
  SCOREP_USER_METRIC_INIT(queue, "queue", "#", SCOREP_USER_METRIC_TYPE_UINT64, SCOREP_USER_METRIC_CONTEXT_CALLPATH)
  SCOREP_USER_REGION_DEFINE(handle)
  SCOREP_USER_REGION_BEGIN(handle, "solve", SCOREP_USER_REGION_TYPE_COMMON)
  for (int i = 1; i < 5; ++i) {
    SCOREP_USER_METRIC_INT64(depth, -i)
    SCOREP_USER_METRIC_DOUBLE(residual, 1.0 / i);
    SCOREP_USER_METRIC_UINT64(queue, 7)
  }
  SCOREP_USER_REGION_END(handle)
  puts("depth solve -1\nresidual solve 1\nqueue solve 7");
  return 0;
}
C
tarry-scorep --user gcc scorep.c -o scorep || exit 1
tarry measure -q -s -t -o scorep.run -- ./scorep >scorep.told || fail "status of Score-P's macros"
check scorep.run/summary.cubex scorep.told
tarry replay -q --strict scorep.run && check scorep.run/analysis.cubex scorep.told
tarry archive info scorep.run | grep -q 'not recorded.*metric' && fail "metrics of Score-P are not recorded"

# Too many, and huge names.
cat >many.c <<'C'
#include <string.h>
#include <tarry/user.h>
int main(void) {
  static char name[100000];
  memset(name, 'x', sizeof name - 1);
  struct tarry_metric metric = {name, name, 77};
  tarry_region_begin(&(const struct tarry_region){"r", "f", 1, 0});
  for (int i = 0; i < 100; ++i) {
    name[0] = (char)(' ' + i);
    tarry_metric_int64(&metric, i);
    tarry_metric_double(&metric, 0.0 / 0.0);
    tarry_metric_double(&metric, 1e300);
  }
  metric = (struct tarry_metric){0, 0, 0};
  tarry_metric_uint64(&metric, ~0ull);
  tarry_region_end("r");
  return 9;
}
C
tarry instrument gcc many.c -o many || exit 1
tarry measure -q -s -t -o many.run -- ./many 2>err
[ $? = 9 ] || fail "many metrics: another status"
[ "$(grep -c 'more than 32 metrics' err)" = 1 ] || fail "many: $(cat err)"
tarry archive verify many.run >/dev/null || fail "many: not intact"
[ "$(tarry cube dump --csv many.run/summary.cubex | grep -c '^"\?.xxxx')" -gt 20 ] || fail "many: no values"
exit $failed
