# opencl_nasty.sh -- programs of OpenCL that a recorder could spoil: same output, same status, and true records.
# no-san
set -u
failed=0
fail() { echo "FAILED: $1"; failed=1; }
ls /etc/OpenCL/vendors/pocl*.icd /usr/share/OpenCL/vendors/pocl*.icd >found 2>/dev/null
[ -s found ] && [ -e "$TARRY_BUILD/lib/libtarry-opencl.so" ] || { echo "skip: no OpenCL on processors (pocl)"; exit 77; }

${CC:-gcc} -O1 -g "$TARRY_ROOT/tests/apps/opencl_nasty.c" -o nasty -lOpenCL -pthread || exit 1

executions() { tarry archive dump "$1" | grep -c "ENTER.*\"$2\""; }

for case in failing properties destroyed fork queues signal within objects threads; do
  timeout 20 ./nasty $case >bare 2>&1; bare=$?
  timeout 30 tarry measure -q --opencl -t -o $case -- ./nasty $case >ours 2>$case.err; ours=$?
  [ $bare = $ours ] || fail "$case: status $ours, and not $bare"
  cmp -s bare ours || { diff bare ours | head -5; fail "$case prints something else"; }
  tarry archive verify $case >/dev/null || fail "$case is not intact"
  tarry replay -q --strict $case || fail "$case is not analysed"
  tarry merge -q --strict $case -o $case.otf2 --to otf2 && otf2-print $case.otf2/traces.otf2 >/dev/null 2>otf2.err ||
    fail "$case does not become OTF2"
  [ -s otf2.err ] && { head -2 otf2.err; fail "$case: readers of OTF2 complain"; }
done

[ "$(executions failing spin)" = 0 ] || fail "commands that failed are recorded"
[ "$(executions queues spin)" = 2000 ] || fail "$(executions queues spin) of 2000 kernels"
[ "$(tarry archive info queues | awk '/^threads/ {print $2}')" -lt 20 ] || fail "each queue has a location of its own"
[ "$(executions fork spin)" = 10 ] || fail "$(executions fork spin) of 10 kernels"
[ "$(executions within 'COPY WITHIN DEVICE')" = 2 ] || fail "copies within the device are not recorded"
tarry report --json within | python3 -c '
import json, sys
devices = json.load(sys.stdin)["devices"]
sys.exit(not (devices["bytes"] == 2 * (16 << 20) and devices["copies"] > 0.5 * devices["seconds"]))' ||
  fail "copies within the device are no copies"

# The second kernel of each buffer needs the first one. The first one needs none, also where the buffer has the handle of
# an earlier one.
[ "$(executions objects spin)" = 5401 ] || fail "$(executions objects spin) of 5401 kernels"
tarry archive dump objects >objects.dump
[ "$(grep -c 'ATTRIBUTE attribute=6 value=0$' objects.dump)" = 5201 ] || fail "kernels with new buffers need others"
awk '/attribute=4 / {sub(/.*value=/, ""); work = $0} /attribute=6 / {sub(/.*value=/, ""); if ($0 > 0 && $0 == work - 1) ++count}
     END {exit count != 200}' objects.dump || fail "kernels with the buffer of the one before do not need it"
[ "$(executions threads spin)" = 4000 ] || fail "$(executions threads spin) of 4000 kernels"
exit $failed
