# opencl.sh -- programs of OpenCL on a processor: their output and status, and their waits beside what they measure
# themselves.
# no-san
# timed
set -u
failed=0
fail() { echo "FAILED: $1"; failed=1; }
. "$TARRY_ROOT/tests/pipeline/checked_screen.bash"
ls /etc/OpenCL/vendors/pocl*.icd /usr/share/OpenCL/vendors/pocl*.icd >found 2>/dev/null
[ -s found ] && [ -e "$TARRY_BUILD/lib/libtarry-opencl.so" ] || { echo "skip: no OpenCL on processors (pocl)"; exit 77; }
export OCL_ICD_VENDORS=/etc/OpenCL/vendors TARRY_CLOCK=auto

${CC:-gcc} -O1 -g "$TARRY_ROOT/tests/apps/opencl_waits.c" -o opencl_waits -lOpenCL || exit 1

# value RUN METRIC PATTERN: seconds at call paths that the pattern matches, over all locations.
value() { tarry cube dump --csv "$1/analysis.cubex" -m "$2" 2>/dev/null | awk -F, -v pattern="$3" 'NR > 1 && $2 ~ pattern {sum += $5} END {print sum + 0}'; }
# near NAME FOUND EXPECTED: within 10 %.
near() {
  awk -v a="$2" -v b="$3" 'BEGIN {exit !(b > 0 && a > 0.9 * b && a < 1.1 * b)}' || fail "$1: $2, and not $3"
}

for case in slow late copies queues events; do
  ./opencl_waits $case >bare.out 2>/dev/null
  tarry measure -q --opencl -t -o $case -- ./opencl_waits $case >$case.out 2>$case.err || fail "$case: status $?"
  cmp -s bare.out $case.out || fail "$case prints something else"
  tarry replay -q --strict $case || fail "$case is not analysed"
  tarry archive verify $case >/dev/null || fail "$case is not intact"
  check_screen $case $case/analysis.cubex || fail "the first screen of $case is not so"
  [ "$(tarry archive dump $case | grep -c 'pthread_\|libpocl')" = 0 ] || fail "$case: what the driver does is recorded"
done
measured() { sed -n "s/.*$2 \([0-9.]*\).*/\1/p" "$1.err"; }

# The host waits in clFinish until the kernel has ended.
near "Late Kernel" "$(value slow late_kernel '/finish/clFinish$')" "$(measured slow host_wait)"
near "kernels" "$(value slow device_kernels '/slow/launch/')" "$(measured slow kernels)"
near "costs of Late Kernel" "$(value slow delay_latekernel '/slow/launch/clEnqueueNDRangeKernel/spin$')" \
  "$(value slow late_kernel '/finish/clFinish$')"
tarry report slow | grep -q 'spin, started by launch (.*opencl_waits.c:[0-9]*), keeps .* busy longer than the host' ||
  fail "the first screen does not say what the host waits for"

# The queue waits until the host has computed.
near "Late Launch" "$(value late late_launch '/late/launch/')" "$(measured late launches)"

# Nothing overlaps.
near "copies" "$(value copies device_copies .)" "$(measured copies copies)"
near "exposed copies" "$(value copies device_copies_exposed .)" "$(value copies device_copies .)"
[ "$(value copies device_bytes .)" = 335544320 ] || fail "$(value copies device_bytes .) bytes copied"
awk -v wait="$(value copies late_kernel_before_copy .)" 'BEGIN {exit !(wait > 0.04)}' || fail "no wait before copies"

near "wait for events" "$(value events late_kernel '/clWaitForEvents$')" "$(measured events host_wait)"
tarry cube info queues/analysis.cubex | grep -q '^queues *2 of accelerators' || fail "not two queues"

# A summary has the calls alone. The user's own layers stay, behind ours.
OPENCL_LAYERS=/no/such/layer.so tarry measure -q --opencl -s -o summary -- ./opencl_waits slow >/dev/null 2>&1 ||
  fail "no summary"
tarry cube calltree summary/summary.cubex | grep -q clFinish || fail "the summary has no calls"
tarry measure -q --opencl -t -o layers -- sh -c 'echo "$OPENCL_LAYERS"' | grep -q 'libtarry-opencl.so$' ||
  fail "the layer is not asked for"

# Two ranks, of which one waits for the kernel of the other.
cat >ranks.c <<'END'
#include <mpi.h>
#include <stdlib.h>
#include <stdio.h>
int main(int argc, char** argv) {
  int rank, token = 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0) {
    extern int run_case(const char*);
    run_case("slow");
    MPI_Send(&token, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
  } else {
    MPI_Recv(&token, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
  return MPI_Finalize();
}
END
sed 's/^int main(int argc, char\*\* argv) {/int run_case(const char* name) { char* argv[] = {"", (char*)name}; int argc = 2;/' \
  "$TARRY_ROOT/tests/apps/opencl_waits.c" >case.c
if ${MPICC:-mpicc} -O1 -g ranks.c case.c -o ranks -lOpenCL 2>ranks.err; then
  tarry measure -q --opencl -t -o ranks.run -- mpirun -np 2 ./ranks >/dev/null 2>&1 || fail "two ranks: status $?"
  tarry replay -q --strict ranks.run
  awk -v costs="$(value ranks.run delay_latesender_longterm '/clEnqueueNDRangeKernel/spin$')" \
    -v wait="$(value ranks.run mpi_latesender .)" 'BEGIN {exit !(costs > 0.4 * wait && wait > 0.2)}' ||
    fail "the kernel of rank 0 does not pay for the wait of rank 1"
  check_screen ranks.run ranks.run/analysis.cubex || fail "the first screen of two ranks is not so"
else
  cat ranks.err; fail "two ranks are not compiled"
fi

# A program of others: the same output.
if command -v clinfo >/dev/null; then
  clinfo >bare.out 2>&1
  tarry measure -q --opencl -t -o clinfo.run -- clinfo >ours.out 2>&1 || fail "clinfo: status $?"
  cmp -s bare.out ours.out || fail "clinfo prints something else"
fi
exit $failed
