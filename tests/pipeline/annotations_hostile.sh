# annotations_hostile.sh -- calls of annotations that make no sense: the program prints and returns the same, and the
# archive is intact.
# no-san
set -u
failed=0
fail() { echo "FAILED: $1"; failed=1; }
unset NVTX_INJECTION64_PATH KOKKOS_TOOLS_LIBS KOKKOS_PROFILE_LIBRARY INTEL_LIBITTNOTIFY64
apps=$TARRY_ROOT/tests/apps
${CC:-gcc} -O1 -g "$apps/annotated.c" -o annotated -pthread -ldl || exit 1
g++ -std=c++17 -O1 -g -shared -fPIC "$apps/annotation_libraries.cpp" -o libannotation.so || exit 1
g++ -std=c++17 -O1 -g "$apps/annotated_calls.cpp" -o calls -L. -lannotation -Wl,-rpath,"$PWD" -ldl -pthread || exit 1
all=nvtx,kokkos,itt,caliper,roctx,likwid,perfstubs

# $1: program, $2: seed. In the main thread, in four more, in signal handlers, in a child, and behind main().
check() {
  rm -rf run
  ./$1 hostile $2 >bare.out 2>/dev/null
  tarry measure -q --annotations $all -s -t -o run -- ./$1 hostile $2 >out 2>err
  status=$?
  [ $status = 5 ] || fail "$1 $2: status $status"
  cmp -s bare.out out || fail "$1 $2: prints $(cat out)"
  grep -v 'more than 4,096 names' err | grep -v 'tarry-measure: warning.*lost' >other.err
  [ -s other.err ] && fail "$1 $2: $(head -3 other.err)"
  [ "$(grep -c 'more than 4,096 names' err)" -le 2 ] || fail "$1 $2: says it more than once"
  tarry archive verify run >/dev/null || fail "$1 $2: the archive is not intact"
  tarry replay -q --strict run 2>err || fail "$1 $2: is not analysed: $(cat err)"
}
# Each makes thousands of calls, of NVTX, Kokkos and ITT, or of the libraries.
for seed in $(seq 1 "${KINDS:-60}"); do
  check annotated $seed
  check calls $seed
done
exit $failed
