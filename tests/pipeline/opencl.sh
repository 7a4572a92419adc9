# opencl.sh -- programs of OpenCL on a processor: their output and status, and their waits beside what they measure
# themselves.
# no-san
# timed
set -u
failed=0
fail() { echo "FAILED: $1"; failed=1; }
. "$TARRY_ROOT/tests/pipeline/device_waits.bash"
ls /etc/OpenCL/vendors/pocl*.icd /usr/share/OpenCL/vendors/pocl*.icd >found 2>/dev/null
[ -s found ] && [ -e "$TARRY_BUILD/lib/libtarry-opencl.so" ] || { echo "skip: no OpenCL on processors (pocl)"; exit 77; }
export OCL_ICD_VENDORS=/etc/OpenCL/vendors TARRY_CLOCK=auto

${CC:-gcc} -O1 -g "$TARRY_ROOT/tests/apps/opencl_waits.c" -o opencl_waits -lOpenCL || exit 1

for case in slow late copies queues events order read shared told; do
  ./opencl_waits $case >bare.out 2>/dev/null
  tarry measure -q --opencl -t -o $case -- ./opencl_waits $case >$case.out 2>$case.err || fail "$case: status $?"
  cmp -s bare.out $case.out || fail "$case prints something else"
  tarry replay -q --strict $case || fail "$case is not analysed"
  tarry archive verify $case >/dev/null || fail "$case is not intact"
  check_screen $case $case/analysis.cubex || fail "the first screen of $case is not so"
  [ "$(tarry archive dump $case | grep -c 'pthread_\|libpocl')" = 0 ] || fail "$case: what the driver does is recorded"
done

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
# Kernels wait in their queue for those that they do not need, and for no others. What holds them up does so as long.
for case in order read told; do
  near "Queue order of $case" "$(value $case queue_order .)" "$(measured $case order)"
  near "what holds up $case" "$(value $case queue_holding '/blend$')" "$(measured $case order)"
done
near "Queue order at its call path" "$(value order queue_order '/launch/clEnqueueNDRangeKernel/fill$')" \
  "$(measured order order)"
near "Queue order of copies" "$(value told queue_order '/clEnqueueWriteBuffer$')" "$(measured told order)"
tarry report order | tr -s ' \n' ' ' | grep -q 'fill waits .* in its queue for what it does not need. blend holds up' ||
  fail "the first screen does not name what waits in its queue"
awk -v wait="$(value shared queue_order .)" 'BEGIN {exit !(wait < 0.002)}' ||
  fail "kernels that share buffers wait $(value shared queue_order .) s without need"
[ "$(tarry archive dump shared | grep -c 'attribute=6')" -gt 0 ] || fail "nothing is known of kernels that share buffers"

tarry cube info queues/analysis.cubex | grep -q '^queues *2 of accelerators' || fail "not two queues"

# A summary has the calls alone. The user's own layers stay, behind ours.
OPENCL_LAYERS=/no/such/layer.so tarry measure -q --opencl -s -o summary -- ./opencl_waits slow >/dev/null 2>&1 ||
  fail "no summary"
tarry cube calltree summary/summary.cubex | grep -q clFinish || fail "the summary has no calls"
tarry measure -q --opencl -t -o layers -- sh -c 'echo "$OPENCL_LAYERS"' | grep -q 'libtarry-opencl.so$' ||
  fail "the layer is not asked for"

# Two ranks, of which one waits for the kernel of the other.
write_two_ranks "$TARRY_ROOT/tests/apps/opencl_waits.c"
if ${MPICC:-mpicc} -O1 -g ranks.c case.c -o ranks -lOpenCL 2>ranks.err; then
  tarry measure -q --opencl -t -o ranks.run -- mpirun -np 2 ./ranks >/dev/null 2>&1 || fail "two ranks: status $?"
  check_two_ranks '/clEnqueueNDRangeKernel/spin$'
  "$PYTHON" "$TARRY_ROOT/tests/report/check_pop.py" ranks.run slow copies || fail "efficiencies are not those of the values"
else
  cat ranks.err; fail "two ranks are not compiled"
fi

# A program may create its queues before the recording begins in MPI_Init.
if ${MPICC:-mpicc} -O1 -g "$TARRY_ROOT/tests/apps/opencl_ranks.c" -o early -lOpenCL 2>early.cc; then
  tarry measure -q --opencl -t -o early.run -- mpirun -np 2 ./early 1000 >/dev/null 2>&1 || fail "early: status $?"
  tarry replay -q --strict early.run
  executed=$(tarry cube dump --csv early.run/analysis.cubex -m visits | awk -F, '$2 ~ /Kernel\/spin$/ {sum += $5} END {print sum + 0}')
  [ "$executed" = 15 ] || fail "$executed kernels of a queue that was there before MPI"
else
  cat early.cc; fail "the program with early queues is not compiled"
fi

# Two ranks, of which one has three times the kernels of the other: half the difference is what each is off the average.
write_mpi_program uneven.c <<'END'
  run_case(rank ? "much" : "little");
  MPI_Barrier(MPI_COMM_WORLD);
END
if ${MPICC:-mpicc} -O1 -g uneven.c case.c -o uneven -lOpenCL 2>uneven.cc; then
  tarry measure -q --opencl -t -o uneven.run -- mpirun -np 2 ./uneven >/dev/null 2>uneven.err || fail "uneven: status $?"
  tarry replay -q --strict uneven.run
  off=$(sed -n 's/.*kernels \([0-9.]*\).*/\1/p' uneven.err | sort -n | awk '{time[NR] = $1} END {print (time[2] - time[1]) / 2}')
  near "overload of a device" "$(value uneven.run device_imbalance_above '/share/launch/')" "$off"
  near "underload of a device" "$(value uneven.run device_imbalance_below '/share/launch/')" "$off"
else
  cat uneven.cc; fail "uneven ranks are not compiled"
fi

# A program of others: the same output.
if command -v clinfo >/dev/null; then
  clinfo >bare.out 2>&1
  tarry measure -q --opencl -t -o clinfo.run -- clinfo >ours.out 2>&1 || fail "clinfo: status $?"
  cmp -s bare.out ours.out || fail "clinfo prints something else"
fi
exit $failed
