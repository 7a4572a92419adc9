# predict_devices.sh -- a kernel twice as fast, predicted and made: on one rank, and where another one waits for its
# messages. Traces of accelerators of other recorders take as long as recorded.
# no-san
# timed
set -u
failed=0
fail() { echo "FAILED: $1"; failed=1; }
. "$TARRY_ROOT/tests/pipeline/device_waits.bash"

for case in 1_ocl_deps 2_cuda_simple 2_cloverleaf_oaccregions_cudafull mi300; do
  tar -xJf "$TARRY_ROOT/tests/data/gpu/$case.tar.xz"
  anchor=$(ls "${case/mi300/simple-mi300-example-run}"/*.otf2)
  for whole in "" --whole; do
    tarry predict -q --strict "$anchor" $whole >times || fail "$case is not predicted"
    awk 'NR == 1 {gsub(/\)/, ""); exit !($2 > 0 && $2 == $5)}' times || fail "$case: $(head -1 times)"
  done
  # Copies that take no time make nothing slower.
  tarry predict -q "$anchor" --copy-bandwidth ideal >ideal || fail "$case: no ideal copies"
  awk 'NR == 1 {gsub(/\)/, ""); exit !($2 <= $5 + 1e-9)}' ideal || fail "$case: ideal copies: $(head -1 ideal)"
done
tarry predict -q 2_cuda_simple/traces.otf2 --copy-bandwidth fast >/dev/null 2>&1 && fail "a bandwidth that is none"

ls /etc/OpenCL/vendors/pocl*.icd /usr/share/OpenCL/vendors/pocl*.icd >found 2>/dev/null
if ! [ -s found ] || ! [ -e "$TARRY_BUILD/lib/libtarry-opencl.so" ]; then
  [ $failed = 0 ] || exit 1
  echo "skip: no OpenCL on processors (pocl)"; exit 77
fi
export OCL_ICD_VENDORS=/etc/OpenCL/vendors TARRY_CLOCK=auto
${MPICC:-mpicc} -O1 -g "$TARRY_ROOT/tests/apps/opencl_ranks.c" -o opencl_ranks -lOpenCL || exit 1
rounds=$(./opencl_ranks)

# seconds FIELD RUN OPTIONS...: 2: predicted, 5: traced.
seconds() { local field=$1; shift; tarry predict -q "$@" | awk -v field="$field" 'NR == 1 {gsub(/\)/, ""); print $field}'; }

for ranks in 1 2; do
  for part in 1 2; do
    tarry measure -q --opencl -t -o ranks.$ranks.$part -- mpirun -np $ranks ./opencl_ranks $((rounds / part)) \
      >/dev/null 2>&1 || fail "$ranks ranks: status $?"
  done
  whole=ranks.$ranks.1 half=ranks.$ranks.2
  [ "$(seconds 2 $whole)" = "$(seconds 5 $whole)" ] || fail "$ranks ranks: the unchanged machine changes something"
  # On a busy machine half the work does not take half the time.
  tarry replay -q --strict $whole && tarry replay -q --strict $half || fail "$ranks ranks are not analysed"
  factor=$(awk -v a="$(value $half device_kernels '/spin$')" -v b="$(value $whole device_kernels '/spin$')" \
    'BEGIN {print a / b}')
  echo "$ranks ranks: half the work takes $factor of the time; $(seconds 5 $whole) s, predicted" \
    "$(seconds 2 $whole --scale-region spin=$factor) s, made $(seconds 5 $half) s"
  near "a kernel twice as fast on $ranks ranks" "$(seconds 2 $whole --scale-region spin=$factor)" "$(seconds 5 $half)"
  tarry predict -q $whole --scale-region spin=0.5 -o predicted.cubex >/dev/null || fail "$ranks ranks: no report"
  tarry cube dump --csv predicted.cubex >predicted.csv
  awk -F, '$1 == "device_kernels" && $2 ~ /\/spin$/ && $5 > 0.1 {found = 1} END {exit !found}' predicted.csv ||
    fail "$ranks ranks: the report has no kernels"
  tarry predict -q $whole --rank-delays --csv >table.csv || fail "$ranks ranks: no table"
  grep -q '^region,[^,]*,[^,]*spin\|,spin,\|"spin"' table.csv || fail "$ranks ranks: the table has no kernel"
  tarry predict -q $whole --without-delay 1 >without || fail "$ranks ranks: no prediction without a delay"
  grep -q 'spin' without && awk '/^gain/ {exit !($2 > 0.1)}' without || fail "$ranks ranks: $(cat without)"
done
# Rank 0 waits less for the kernels of rank 1.
tarry predict -q ranks.2.1 --scale-region spin=0.5 --waits >waits
awk '/Late Sender/ {found = 1} END {exit !found}' waits || fail "no wait of rank 0: $(cat waits)"
exit $failed
