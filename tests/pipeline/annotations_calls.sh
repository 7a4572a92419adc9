# annotations_calls.sh -- annotations that are calls of a library (Caliper, ROCTX, LIKWID), or of a tool that is found by
# its name (PerfStubs), become user regions: names, visits and times as the program measures them. The library gets each
# call.
# no-san
# timed
set -u
failed=0
fail() { echo "FAILED: $1"; failed=1; }
check() { python3 "$TARRY_ROOT/tests/pipeline/check_annotated.py" "$@" || fail "$*"; }
visits() { tarry cube dump --csv "$1" -m visits | awk -F, -v path="$2" 'NR > 1 && $2 ~ path {sum += $5} END {print sum + 0}'; }
apps=$TARRY_ROOT/tests/apps
g++ -std=c++17 -O1 -g -shared -fPIC "$apps/annotation_libraries.cpp" -o libannotation.so || exit 1
g++ -std=c++17 -O1 -g "$apps/annotated_calls.cpp" -o app -L. -lannotation -Wl,-rpath,"$PWD" -ldl -pthread || exit 1

for case in caliper classes roctx likwid; do
  ./app $case counted >/dev/null 2>bare.err
  tarry measure -q -s -t -o $case -- ./app $case counted >$case.out 2>$case.err
  [ $? = 5 ] || fail "$case: another status"
  cmp -s bare.err $case.err || fail "$case: the library has got other calls: $(cat bare.err $case.err)"
  check $case/summary.cubex $case.out
  tarry replay -q --strict $case || fail "$case is not analysed"
  tarry archive verify $case >/dev/null || fail "$case is not intact"
  check $case/analysis.cubex $case.out
done
[ "$(visits roctx/summary.cubex '/tick$')" = 5 ] || fail "$(visits roctx/summary.cubex '/tick$') ticks"
[ "$(visits caliper/summary.cubex '/outer/sweep/iteration#sweep=1$')" = 1 ] || fail "an iteration is not inside its loop"
[ "$(visits caliper/summary.cubex '/step$')" = 0 ] || fail "what is no nested attribute is a region"
[ "$(visits classes/summary.cubex '/solve/scope of solve$')" = 2 ] || fail "a scope is not inside its function"
[ "$(visits classes/summary.cubex 'is on no path$')" = 0 ] || fail "a value of no nested attribute is a region"
tarry report --iterations 'iteration#cycle' classes/summary.cubex | grep -q '4 iterations' ||
  fail "the loop is no time series: $(tarry report --iterations 'iteration#cycle' classes/summary.cubex | head -5)"

# Caliper itself, where it is installed: its own report stays.
if g++ -std=c++17 -O1 -g -DWITH_CALIPER "$apps/annotated_calls.cpp" -o real -lcaliper -ldl -pthread 2>/dev/null; then
  for case in caliper classes; do
    CALI_CONFIG=runtime-report,region.count tarry measure -q -s -o real.$case -- ./real $case >real.$case.out 2>real.$case.err
    [ $? = 5 ] || fail "Caliper, $case: another status"
    grep -q '^Path' real.$case.err || fail "Caliper, $case: it does not report"
    check real.$case/summary.cubex real.$case.out
  done
else
  echo "skipped: Caliper itself (no libcaliper)"
fi

# PerfStubs says on stdout that there is a tool: it gets one only where that is asked for.
./app perfstubs >bare.out
tarry measure -q -s -o no-stubs -- ./app perfstubs >no-stubs.out
cmp -s bare.out no-stubs.out || fail "PerfStubs finds a tool that is not asked for"
tarry measure -q --annotations perfstubs -s -t -o stubs -- ./app perfstubs >stubs.out || [ $? = 5 ] || fail "status"
grep -q '^timer' stubs.out || fail "PerfStubs finds no tool"
check stubs/summary.cubex stubs.out
[ "$(visits stubs/summary.cubex '/timer/phase=1$')" = 1 ] || fail "a phase is not inside its timer"
[ "$(visits stubs/summary.cubex '/hidden$')" = 0 ] || fail "what is paused is recorded"

# Interfaces that are not asked for, and none.
tarry measure -q --annotations likwid,caliper -s -o others -- ./app roctx >/dev/null
[ "$(visits others/summary.cubex '/outer$')" = 0 ] || fail "ROCTX is recorded, and was not asked for"
tarry measure -q --annotations none -o none -- sh -c env | grep 'libtarry-.*annotations' && fail "none: a library is loaded"
# A library that a plug-in brings along, that is not linked, and that is gone in between.
g++ -std=c++17 -O1 -g -shared -fPIC -x c++ - -o libplugin.so -L. -lannotation -Wl,-rpath,"$PWD" <<'END'
extern "C" int roctxRangePushA(const char*);
extern "C" int roctxRangePop();
extern "C" int use_roctx() { return roctxRangePushA("plug-in") * 10 + roctxRangePop(); }
END
g++ -std=c++17 -O1 -g -x c++ - -o host -ldl <<'END'
#include <dlfcn.h>
#include <cstdio>
int main() {
  for (int i = 0; i < 3; ++i) {
    void* const library = dlopen("./libplugin.so", RTLD_NOW | RTLD_LOCAL);
    std::printf("%d\n", reinterpret_cast<int (*)()>(dlsym(library, "use_roctx"))());
    dlclose(library);
  }
}
END
./host >bare.out || fail "the host of a plug-in"
tarry measure -q -s -o host.run -- ./host >host.out
cmp -s bare.out host.out || fail "the plug-in gets something else: $(cat host.out)"
[ "$(visits host.run/summary.cubex '/plug-in$')" = 3 ] || fail "the plug-in is not recorded"
# A program that asks whether there is such a library gets the same answer as without measurement.
g++ -std=c++17 -O1 -g -x c++ - -o asks -ldl <<'END'
#include <dlfcn.h>
#include <cstdio>
extern "C" int roctxRangePop() __attribute__((weak));
extern "C" void cali_begin_region(const char*) __attribute__((weak));
int main() {
  const bool by_name = dlsym(RTLD_DEFAULT, "likwid_markerStartRegion") || dlsym(RTLD_DEFAULT, "_ZN4cali8FunctionC1EPKc");
  void* const library = dlopen("./libannotation.so", RTLD_NOW | RTLD_GLOBAL);
  const bool is_there = dlsym(RTLD_DEFAULT, "likwid_markerStartRegion");
  std::printf("%d %d %d %d %d\n", roctxRangePop != nullptr, cali_begin_region != nullptr, by_name, library != nullptr, is_there);
}
END
[ "$(./asks)" = "0 0 0 1 1" ] || fail "bare: $(./asks)"
tarry measure -q -s -o asks.run -- ./asks 2>/dev/null >asks.out
[ "$(cat asks.out)" = "0 0 0 1 1" ] || fail "a program finds functions that only we have: $(cat asks.out)"
exit $failed
