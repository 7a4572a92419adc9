# annotations.sh -- the annotations of a program become user regions: names, visits and times as it measures them.
# no-san
# timed
set -u
failed=0
fail() { echo "FAILED: $1"; failed=1; }
check() { /usr/bin/env python3 "$TARRY_ROOT/tests/pipeline/check_annotated.py" "$@" || fail "$*"; }
unset NVTX_INJECTION64_PATH KOKKOS_TOOLS_LIBS KOKKOS_PROFILE_LIBRARY INTEL_LIBITTNOTIFY64
${CC:-gcc} -O1 -g "$TARRY_ROOT/tests/apps/annotated.c" -o annotated -pthread -ldl || exit 1

# In a summary and in a trace; the status is that of the program.
for case in nvtx kokkos itt threads; do
  tarry measure -q -s -t -o $case -- ./annotated $case >$case.out 2>$case.err
  [ $? = 5 ] || fail "$case: another status"
  [ -s $case.err ] && fail "$case: $(cat $case.err)"
  check $case/summary.cubex $case.out
  tarry replay -q --strict $case || fail "$case is not analysed"
  tarry archive verify $case >/dev/null || fail "$case is not intact"
  check $case/analysis.cubex $case.out
done
tarry measure -q --annotations kokkos-old -s -o old -- ./annotated kokkos-old >old.out
check old/summary.cubex old.out

# Marks count. What begins a region does not end it: `deeper` of the program is inside `step`, whichever way it came.
visits() { tarry cube dump --csv "$1" -m visits | awk -F, -v path="$2" 'NR > 1 && $2 ~ path {sum += $5} END {print sum + 0}'; }
[ "$(visits nvtx/summary.cubex '/tick$')" = 5 ] || fail "$(visits nvtx/summary.cubex '/tick$') ticks"
[ "$(visits nvtx/summary.cubex '/step/deeper/push/inner$')" = 3 ] || fail "the function deeper is not inside step"
[ "$(visits itt/summary.cubex '/solver.hidden$')" = 0 ] || fail "what is paused is recorded"
# Of ranges that end in other threads there is the first one.
[ "$(visits threads/summary.cubex '/handed on$')" = 1 ] || fail "ranges that end elsewhere are not left out"

# In an instrumented program, where what begins regions has no hooks.
tarry instrument gcc -O1 -g -finstrument-functions-exclude-function-list=push,pop \
  "$TARRY_ROOT/tests/apps/annotated.c" -o hooked -pthread -ldl || exit 1
tarry measure -q -s -t -o hooked.run -- ./hooked nvtx >hooked.out 2>hooked.err
check hooked.run/summary.cubex hooked.out
[ "$(visits hooked.run/summary.cubex '/nvtx_case/push/step/deeper/push/inner$')" = 3 ] || fail "instrumented, it is another path"
# Samples find the same.
tarry measure -q --sample 997 -s -t -o sampled -- ./annotated nvtx >sampled.out
check sampled/summary.cubex sampled.out
tarry archive verify sampled >/dev/null || fail "sampled is not intact"

# Nothing is loaded, and nothing recorded.
tarry measure -q --annotations none -s -o none -- ./annotated nvtx >none.out
[ -e none/summary.cubex ] && fail "something is recorded with --annotations none"
tarry measure -q --annotations none -o none.loaded -- ./annotated loaded | grep -q 'NVTX 0' || fail "none: NVTX is loaded"
tarry measure -q --annotations itt,kokkos -o some.loaded -- ./annotated loaded | grep -q 'NVTX 0' ||
  fail "NVTX is loaded, and was not asked for"
tarry measure -q --annotations nvtx -o nvtx.loaded -- ./annotated loaded | grep -q 'NVTX 1' || fail "NVTX is not loaded"
tarry measure -q --annotations nonsense -o nonsense -- true 2>err && fail "nonsense is no interface"
grep -q 'none, or a list of' err || fail "what is an interface is not told: $(cat err)"
tarry measure -q --annotations nvtx,kokkos,itt -o bare -- sh -c 'grep -c libtarry-annotations /proc/$$/maps' |
  grep -q '^0$' || fail "a program without such annotations has the library loaded"

# A filter leaves an annotated region out, and a selection all but one.
echo 'inner' >inner.filter
tarry measure -q -s -f inner.filter -o filtered -- ./annotated nvtx >filtered.out
check filtered/summary.cubex filtered.out --without inner
TARRY_SELECT=first tarry measure -q -s -o selected -- ./annotated nvtx >/dev/null
[ "$(visits selected/summary.cubex '/first$')" = 1 ] || fail "first is selected, and not recorded"
[ "$(visits selected/summary.cubex '/step$')" = 0 ] || fail "step is recorded, and not selected"

# The user's own tool stays. One line says so.
for variable in NVTX_INJECTION64_PATH KOKKOS_TOOLS_LIBS KOKKOS_PROFILE_LIBRARY INTEL_LIBITTNOTIFY64; do
  env $variable=/no/such/tool.so tarry measure -o own.$variable -- sh -c 'env' >env.out 2>err
  grep -q "^$variable=/no/such/tool.so" env.out || fail "$variable of the user is gone"
  [ "$(grep -c "$variable names the tool" err)" = 1 ] || fail "$variable: $(cat err)"
done
grep -q '^KOKKOS_TOOLS_LIBS=.*libtarry' env.out || fail "Kokkos does not load the library"
env KOKKOS_PROFILE_LIBRARY=/no/such/tool.so tarry measure -q -o both -- env | grep -q KOKKOS_TOOLS_LIBS &&
  fail "Kokkos gets two tools, and ends"
tarry measure -q -o option -- sh -c env --kokkos-tools-libs=mine.so | grep -q KOKKOS_TOOLS_LIBS &&
  fail "Kokkos gets another tool than its option names"
exit $failed
