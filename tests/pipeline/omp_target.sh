# omp_target.sh -- target constructs of OpenMP: the waits of the host and of the devices beside what the programs measure
# themselves, and teams inside of kernels, which are none of the host's.
# no-san
# timed
set -u
failed=0
fail() { echo "FAILED: $1"; failed=1; }
. "$TARRY_ROOT/tests/pipeline/device_waits.bash"
compiler=$("$TARRY_ROOT/tests/offload_compiler") || { echo "skip: no clang with devices"; exit 77; }
export TARRY_CLOCK=auto

# shellcheck disable=SC2086  # a compiler and its options
$compiler -O1 -g -fno-inline "$TARRY_ROOT/tests/apps/omp_target_waits.c" -o omp_target_waits || exit 1

for case in slow late copies teams nowait devices; do
  ./omp_target_waits $case >bare.out 2>/dev/null
  tarry measure -q -t -o $case -- ./omp_target_waits $case >$case.out 2>$case.err || fail "$case: status $?"
  cmp -s bare.out $case.out || fail "$case prints something else"
  tarry replay -q --strict $case || fail "$case is not analysed"
  tarry archive verify $case >/dev/null || fail "$case is not intact"
  tarry report $case >$case.report
  check_screen $case $case/analysis.cubex || fail "the first screen of $case is not so"
done

# The host waits in the construct until the kernel has ended.
near "Late Kernel" "$(value slow late_kernel 'main/slow/.*target wait')" "$(measured slow kernels)"
near "kernels" "$(value slow device_kernels 'main/slow/.*target kernel')" "$(measured slow kernels)"
near "costs of Late Kernel" "$(value slow delay_latekernel 'target kernel')" "$(value slow late_kernel .)"
grep -q 'omp target.* @omp_target_waits.c:[0-9]*, started by slow (.*), keeps OpenMP device 0 busy longer than the host' slow.report ||
  fail "the first screen does not say what the host waits for"

# The device waits until the host has computed.
near "Late Launch" "$(value late late_launch 'main/late/')" "$(measured late launches)"

# Nothing overlaps.
near "copies" "$(value copies device_copies .)" "$(measured copies copies)"
near "exposed copies" "$(value copies device_copies_exposed .)" "$(value copies device_copies .)"
[ "$(value copies device_bytes 'copies/.*target update')" = 335544320 ] ||
  fail "$(value copies device_bytes 'copies/.*target update') bytes copied"

# The teams and threads of a kernel are the device's.
[ "$(value teams visits 'omp parallel')" = 8 ] || fail "$(value teams visits 'omp parallel') visits of parallel regions"
tarry cube dump --csv teams/analysis.cubex | grep -q 'omp target.*omp \(teams\|parallel\|distribute\)' &&
  fail "constructs of a kernel are the host's"

# Threads of the runtime's own execute what the program waits for later. They are numbered behind the device's queue.
[ "$(value nowait visits 'target @.*target launch @[^/]*$')" = 5 ] || fail "not all kernels are there"
grep -q 'due to OpenMP device 0 in !$omp target' nowait.report || fail "another thread is named for the device"

# One device has three times the work of the other.
near "device 0" "$(tarry cube dump --csv devices/analysis.cubex -m device_kernels |
  awk -F, '$2 ~ /main.devices.!/ {sum[$4] += $5} END {for (i in sum) print sum[i]}' | sort -g | tail -n 1)" "$(measured devices device0)"
near "device 1" "$(tarry cube dump --csv devices/analysis.cubex -m device_kernels |
  awk -F, '$2 ~ /main.devices.!/ {sum[$4] += $5} END {for (i in sum) print sum[i]}' | sort -g | head -n 1)" "$(measured devices device1)"

# A summary has the constructs alone.
tarry measure -q -s -o summary -- ./omp_target_waits slow >/dev/null 2>&1 || fail "no summary"
tarry cube calltree summary/summary.cubex | grep -q 'omp target wait' || fail "the summary has no constructs"

# Without devices the host executes the constructs itself.
OMP_TARGET_OFFLOAD=disabled ./omp_target_waits slow >/dev/null 2>&1
bare=$?
OMP_TARGET_OFFLOAD=disabled tarry measure -q -t -o disabled -- ./omp_target_waits slow >/dev/null 2>&1
[ $? = $bare ] || fail "without devices the status is not $bare"

# Where the program exits, LLVM unloads the code of kernels: a thread that is in one may crash. The recording is closed
# before.
tarry measure -q -t -o running -- ./omp_target_waits running >/dev/null 2>&1
tarry archive verify running >/dev/null || fail "a recording that ends while a kernel runs is not intact"
tarry archive info running | grep -q '^state *complete' || fail "a recording that ends while a kernel runs is not complete"

# Two ranks, of which one waits for the kernel of the other.
write_two_ranks "$TARRY_ROOT/tests/apps/omp_target_waits.c"
# shellcheck disable=SC2086
if OMPI_CC="${compiler%% *}" MPICH_CC="${compiler%% *}" ${MPICC:-mpicc} ${compiler#* } -O1 -g -fno-inline ranks.c case.c -o ranks 2>ranks.err; then
  tarry measure -q -t -o ranks.run -- mpirun -np 2 ./ranks >/dev/null 2>&1 || fail "two ranks: status $?"
  check_two_ranks 'target kernel'
else
  cat ranks.err; fail "two ranks are not compiled"
fi
exit $failed
