# lock_sites_opencl.sh -- as lock_sites.sh, at the locks behind calls of OpenCL and behind what its drivers report.
# no-san
# timeout 300
set -u
failed=0
complain() { echo "FAILED: $*"; failed=1; }
. "$TARRY_ROOT/tests/pipeline/lock_sites.bash"
ls /etc/OpenCL/vendors/pocl*.icd /usr/share/OpenCL/vendors/pocl*.icd >found 2>/dev/null
[ -s found ] && [ -e "$TARRY_BUILD/lib/libtarry-opencl.so" ] || { echo "skip: no OpenCL on processors (pocl)"; exit 77; }
export OCL_ICD_VENDORS=/etc/OpenCL/vendors
prepare_lock_sites
gcc -std=gnu11 -O2 -w -o opencl_waits "$TARRY_ROOT/tests/apps/opencl_waits.c" -lOpenCL \
  -L. -Wl,--no-as-needed -lsignals -Wl,-rpath,"$PWD" || exit 1

for kind in queues events copies; do
  measure $kind -s -t --memory 1M --opencl -- ./opencl_waits $kind
  tarry replay -q --strict $kind || complain "$kind: the trace cannot be analysed"
done

reached <<'END'
open_queue
open_device_queue
record_done_work
run_with_devices
END
[ $failed = 0 ]
