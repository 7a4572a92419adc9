# cuda.sh -- programs of CUDA, without a device: tests/apps/cuda_runtime.c plays CUDA and CUPTI. Output and status are
# those of the bare program, and the waits beside what it measures itself.
# no-san
# timed
set -u
failed=0
fail() { echo "FAILED: $1"; failed=1; }
. "$TARRY_ROOT/tests/pipeline/device_waits.bash"
headers=${CUDA:-/usr/local/cuda}/include
[ -e "$TARRY_BUILD/lib/libtarry-cuda.so" ] && [ -e "$headers/cupti.h" ] || { echo "skip: no headers of CUPTI (cupti.h)"; exit 77; }
export TARRY_CLOCK=auto

apps=$TARRY_ROOT/tests/apps
build() { ${CC:-gcc} -O1 -g -I"$headers" "$@" || exit 1; }
build -shared -fPIC "$apps/cuda_runtime.c" -o libcudart.so.13 -Wl,-soname,libcudart.so.13 -lpthread -ldl
build -shared -fPIC -DCUPTI "$apps/cuda_runtime.c" -o libcupti.so.13 -Wl,-soname,libcupti.so.13 -L. -l:libcudart.so.13
build "$apps/cuda_waits.c" -o cuda_waits -L. -l:libcudart.so.13 -lpthread
export LD_LIBRARY_PATH=$PWD${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}

executions() { tarry archive dump "$1" | grep -c "ENTER.*\"$2"; }
queues() { tarry cube info "$1/analysis.cubex" | sed -n 's/^queues *\([0-9]*\) of accelerators.*/\1/p'; }

for case in slow late copies streams graph managed many threads running fork reset at_once cancelled handler; do
  timeout 20 ./cuda_waits $case >bare.out 2>/dev/null; bare=$?
  timeout 30 tarry measure -q --cuda -t -o $case -- ./cuda_waits $case >$case.out 2>$case.err; ours=$?
  [ $bare = $ours ] || fail "$case: status $ours, and not $bare"
  cmp -s bare.out $case.out || fail "$case prints something else"
  tarry replay -q --strict $case || fail "$case is not analysed"
  tarry archive verify $case >/dev/null || fail "$case is not intact"
  [ $case = many ] || [ $case = handler ] ||  # nobody waits there
    check_screen $case $case/analysis.cubex || fail "the first screen of $case is not so"
  tarry archive dump $case >dump
  grep 'pthread_\(mutex\|cond\)\|libcu\|InitializeInjection\|"tell"' dump && fail "$case: what CUDA does inside is recorded"
  grep 'cudaGetDevice\|"cuLaunchKernel"\|_v[0-9]' dump && fail "$case: calls that are not wanted, or not called so"
done

# The host waits until the kernel has ended.
near "Late Kernel" "$(value slow late_kernel '/finish/cudaStreamSynchronize$')" "$(measured slow host_wait)"
near "kernels" "$(value slow device_kernels '/slow/launch/cudaLaunchKernel/spin')" "$(measured slow kernels)"
near "costs of Late Kernel" "$(value slow delay_latekernel '/slow/launch/cudaLaunchKernel/spin')" \
  "$(value slow late_kernel '/finish/cudaStreamSynchronize$')"
tarry report slow | grep -q 'spin, started by launch (.*cuda_waits.c:[0-9]*), keeps .* busy longer than the host' ||
  fail "the first screen does not say what the host waits for"

# The stream waits until the host has computed.
near "Late Launch" "$(value late late_launch '/late/launch/')" "$(measured late launches)"

# Copies into the device, out of it and within it, and fills: 3 times 8, 4, 2 and 1 MiB, a nanosecond for each byte.
[ "$(value copies device_bytes .)" = 47185920 ] || fail "$(value copies device_bytes .) bytes copied"
near "copies" "$(value copies device_copies .)" 0.04718592
near "wait before copies" "$(value copies late_kernel_before_copy '/cudaMemcpy$')" "$(measured copies host_wait)"

# A call that names a stream waits for that one alone.
[ "$(queues streams)" = 2 ] || fail "$(queues streams) of 2 streams"
near "wait for one of two streams" "$(value streams late_kernel '/finish/cudaStreamSynchronize$')" 0.03
near "wait for the device" "$(value streams late_kernel '/cudaDeviceSynchronize$')" 0.06
near "kernels of two streams" "$(value streams device_kernels .)" 0.12

# All kernels of a graph are those of the call that launches it. The stream waits for the call.
[ "$(executions graph spin)" = 9 ] || fail "$(executions graph spin) of 9 kernels of graphs"
near "kernels of graphs" "$(value graph device_kernels '/graph/cudaGraphLaunch/spin')" "$(measured graph kernels)"
near "wait for a graph" "$(value graph late_kernel '/finish/cudaStreamSynchronize$')" "$(measured graph host_wait)"
near "wait for the launch of a graph" "$(value graph late_launch '/graph/cudaGraphLaunch/spin')" \
  "$(measured graph launches)"
near "costs of graphs" "$(value graph delay_latekernel '/graph/cudaGraphLaunch/spin')" \
  "$(value graph late_kernel '/finish/cudaStreamSynchronize$')"

# Memory that host and device share is copied into the device and out of it, in a queue of its own.
[ "$(queues managed)" = 2 ] || fail "$(queues managed) of 2 queues, of which one is that of shared memory"
[ "$(value managed device_bytes_in .)" = 4194304 ] || fail "$(value managed device_bytes_in .) bytes into the device"
[ "$(value managed device_bytes_out .)" = 4194304 ] || fail "$(value managed device_bytes_out .) bytes out of it"
near "copies of shared memory" "$(value managed device_copies .)" 0.008388608
near "those that no kernel hides" "$(value managed device_copies_exposed .)" 0.004194304
grep -aq '<name>CUDA\[0:unified memory\]</name>' managed/analysis.cubex || fail "the queue of shared memory has no such name"
CUPTI_HAS_NO_UNIFIED_MEMORY=1 tarry measure -q --cuda -t -o unmanaged -- ./cuda_waits managed >unmanaged.out 2>unmanaged.err
cmp -s managed.out unmanaged.out && ! grep -i 'cupti' unmanaged.err || fail "without unified memory something else is printed"
tarry replay -q --strict unmanaged && [ "$(queues unmanaged)" = 1 ] || fail "there is a queue of what is not told"

# Records come in bulk, and late.
[ "$(executions many 'tiny()')" = 20000 ] || fail "$(executions many 'tiny()') of 20000 kernels"
near "short kernels" "$(value many device_kernels '/many/launch/')" 0.02
[ "$(queues threads)" = 4 ] || fail "$(queues threads) of 4 streams"
[ "$(executions threads spin)" = 40 ] || fail "$(executions threads spin) of 40 kernels of threads"
near "waits of threads" "$(value threads late_kernel '/cudaStreamSynchronize$')" 0.04

# What has ended is recorded, however the program ends. A handler that interrupts CUDA ends it in time.
[ "$(executions running endless)" = 0 ] || fail "a kernel that has not ended is recorded"
[ "$(executions running spin)" = 1 ] || fail "the kernel before it is not"
[ "$(executions fork spin)" = 2 ] || fail "$(executions fork spin) of 2 kernels beside a child"
[ "$(executions reset spin)" = 1 ] || fail "the kernel before cudaDeviceReset() is not recorded"
[ "$(executions at_once spin)" = 1 ] || fail "the kernel before _exit() is not recorded"
grep -q 'CUPTI does not answer' handler.err || fail "a handler in a call of CUDA: nothing says what is missing"
[ "$(executions cancelled spin)" -gt 0 ] || fail "the kernels of a cancelled thread are lost"

# A summary has the calls alone.
tarry measure -q --cuda -s -o summary -- ./cuda_waits slow >/dev/null 2>&1 || fail "no summary"
tarry cube calltree summary/summary.cubex | grep -q cudaStreamSynchronize || fail "the summary has no calls"

# The program runs where CUPTI is not, where it is another tool's, and where another tool is asked for.
mkdir without && cp libcudart.so.13 without
${CC:-gcc} -shared -o without/libcupti.so.13 -x c /dev/null
LD_LIBRARY_PATH=$PWD/without tarry measure -q --cuda -t -o absent -- ./cuda_waits slow >absent.out 2>absent.err ||
  fail "without CUPTI: status $?"
CUPTI_IS_TAKEN=1 tarry measure -q --cuda -t -o taken -- ./cuda_waits slow >taken.out 2>taken.err || fail "taken: status $?"
cmp -s slow.out absent.out && cmp -s slow.out taken.out || fail "without CUPTI the program prints something else"
grep -q 'CUDA is not recorded: libcupti was not found' absent.err || fail "nothing says that there is no CUPTI"
grep -q 'CUPTI refuses (CUPTI_ERROR_MULTIPLE_SUBSCRIBERS' taken.err || fail "nothing says that CUPTI is taken"
CUDA_INJECTION64_PATH=/no/such/tool.so tarry measure --cuda -t -o other -- sh -c 'echo "$CUDA_INJECTION64_PATH"' >other.out 2>other.err
[ "$(cat other.out)" = /no/such/tool.so ] || fail "the user's tool is replaced"
grep -q 'names another tool' other.err || fail "nothing says that there is another tool"

# Two ranks, of which one waits for the kernel of the other. What CUDA does before MPI_Init is not recorded.
cat >ranks.c <<'END'
#include <cuda_runtime_api.h>
#include <mpi.h>
static void spin(const char* name) {
  const dim3 grid = {1, 1, 1}, block = {50000, 1, 1};
  cudaLaunchKernel(name, grid, block, NULL, 0, NULL);
  cudaStreamSynchronize(NULL);
}
int main(int argc, char** argv) {
  int rank, token = 0;
  spin("_Z5earlyv");
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank == 0) {
    spin("_Z4spinPf");
    MPI_Send(&token, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
  } else {
    MPI_Recv(&token, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
  return MPI_Finalize();
}
END
if command -v "${MPICC:-mpicc}" >/dev/null; then
  "${MPICC:-mpicc}" -O1 -g -I"$headers" ranks.c -o ranks -L. -l:libcudart.so.13 || fail "two ranks are not compiled"
  tarry measure -q --cuda -t -o ranks.run -- mpirun -np 2 ./ranks >/dev/null 2>&1 || fail "two ranks: status $?"
  tarry replay -q --strict ranks.run
  awk -v wait="$(value ranks.run mpi_latesender .)" 'BEGIN {exit !(wait > 0.045)}' || fail "rank 1 waits too short"
  awk -v costs="$(value ranks.run delay_latesender_longterm '/cudaLaunchKernel/spin')" 'BEGIN {exit !(costs > 0.04)}' ||
    fail "the kernel of rank 0 does not pay for the wait of rank 1"
  [ "$(executions ranks.run early)" = 0 ] || fail "a kernel before the recording is in it"
fi

# A program of nvcc's, which ends as it does without us where there is no device.
nvcc=${headers%/include}/bin/nvcc
if [ -x "$nvcc" ] && "$nvcc" -o vector_add "$apps/vector_add.cu" 2>nvcc.err; then
  unset LD_LIBRARY_PATH
  ./vector_add >bare.out 2>bare.err; bare=$?
  tarry measure -q --cuda -t -o vector_add.run -- ./vector_add >ours.out 2>ours.err; ours=$?
  [ $bare = $ours ] || fail "vector_add: status $ours, and not $bare"
  cmp -s bare.out ours.out && cmp -s bare.err ours.err || { cat ours.err; fail "vector_add prints something else"; }
  if [ $bare = 0 ]; then
    tarry replay -q --strict vector_add.run || fail "vector_add is not analysed"
    [ "$(executions vector_add.run 'add(')" = 10 ] || fail "$(executions vector_add.run 'add(') of 10 kernels on a device"
  fi
else
  cat nvcc.err 2>/dev/null
fi
exit $failed
