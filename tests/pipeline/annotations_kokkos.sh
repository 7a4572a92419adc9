# annotations_kokkos.sh -- a program of Kokkos itself: its kernels, regions and copies become user regions.
# no-san
# timed
set -u
failed=0
fail() { echo "FAILED: $1"; failed=1; }
unset KOKKOS_TOOLS_LIBS KOKKOS_PROFILE_LIBRARY
folder=/usr/include/trilinos
[ -e $folder/Kokkos_Core.hpp ] || { echo "skip: no Kokkos (libtrilinos-kokkos-dev)"; exit 77; }
g++ -std=c++17 -O1 -g -w -fopenmp -isystem $folder "$TARRY_ROOT/tests/apps/annotated_kokkos.cpp" -o app \
  -ltrilinos_kokkoscore -ldl || { echo "skip: Kokkos cannot be linked"; exit 77; }

# Which variable it knows depends on its version.
library=$(ldd ./app | sed -n 's/.*kokkoscore.*=> \([^ ]*\).*/\1/p')
interface=kokkos-old
grep -q KOKKOS_TOOLS_LIBS "$library" && interface=kokkos
tarry measure -q --annotations $interface -s -t -o run -- ./app >run.out 2>run.err || fail "status $?"
[ -s run.err ] && fail "it prints something else: $(cat run.err)"
python3 "$TARRY_ROOT/tests/pipeline/check_annotated.py" run/summary.cubex run.out || fail "the summary is wrong"
tarry replay -q --strict run || fail "the trace is not analysed"
python3 "$TARRY_ROOT/tests/pipeline/check_annotated.py" run/analysis.cubex run.out || fail "the trace is wrong"
tarry cube dump --csv run/summary.cubex -m visits | grep -q '/step/axpy,' || fail "a kernel is not inside its region"
tarry cube dump --csv run/summary.cubex -m visits | grep -q '/copy a (Host) to b (Host)"*,' || fail "a copy is not there"
exit $failed
