# accelerator_traces.sh -- OTF2 traces with queues of accelerators and with metrics: nothing is lost on the way in and out,
# queues come behind the threads of their process, and waiting for a device is no computation.
# no-san
set -u
failed=0
fail() { echo "FAILED: $1"; failed=1; }
. "$TARRY_ROOT/tests/pipeline/checked_screen.bash"

# All that an independent reader sees.
print_trace() { otf2-print --show-global-defs "$1" && otf2-print "$1"; }

# share CASE CLASS: of the allocation time, in whole percent.
share() {
  tarry report --json "$1" | python3 -c "
import json, sys
found = json.load(sys.stdin)
print(round(100 * found['classes']['$2'] / found['allocation']))"
}

for case in 1_ocl_deps 2_cuda_simple 2_cloverleaf_oaccregions_cudafull mi300; do
  tar -xJf "$TARRY_ROOT/tests/data/gpu/$case.tar.xz"
  folder=$case
  [ $case != mi300 ] || folder=simple-mi300-example-run
  anchor=$(ls "$folder"/*.otf2)
  tarry merge -q --strict --from otf2 "$anchor" -o "$case.archive" &&
    tarry merge -q --strict "$case.archive" -o "$case.otf2" --to otf2 || fail "$case is not converted"
  print_trace "$anchor" >theirs 2>/dev/null
  print_trace "$case.otf2/traces.otf2" >ours 2>/dev/null
  [ -s theirs ] && cmp -s theirs ours || { diff theirs ours | head -5; fail "$case: other records"; }
  tarry archive verify "$case.archive" >/dev/null || fail "$case: the archive is not intact"
  for format in csv perfetto paraver; do
    tarry merge -q "$case.archive" -o "$case.$format" --to $format || fail "$case: not to $format"
  done
  tarry replay -q --strict "$anchor" -o theirs.cubex && tarry replay -q --strict "$case.archive" || fail "$case: replay"
  tarry cube dump --csv theirs.cubex >theirs.csv && tarry cube dump --csv "$case.archive" >ours.csv
  cmp -s theirs.csv ours.csv || fail "$case: another report"
  python3 "$TARRY_ROOT/tests/pipeline/stream_sums.py" theirs ours.csv || fail "$case: other sums than the streams have"
  check_screen "$case.archive" "$case.archive/analysis.cubex" || fail "$case: the first screen is not so"
  "$PYTHON" "$TARRY_ROOT/tests/report/check_pop.py" "$case.archive" || fail "$case: efficiencies are not those of the values"
done

# An archive that knows nothing of OTF2, as a recording does: its own definitions say the same of queues and their groups.
cp -r 2_cuda_simple.archive own && rm own/otf2.tdef
tarry merge -q --strict own -o own.otf2 --to otf2 && print_trace own.otf2/traces.otf2 >ours 2>complaints
[ -s complaints ] && { head -3 complaints; fail "readers complain of our definitions"; }
[ "$(grep -c '^LOCATION .*ACCELERATOR_STREAM' ours)" = 2 ] || fail "not two queues"
tarry merge -q --strict --from otf2 own.otf2/traces.otf2 -o again
[ "$(tarry merge --fingerprint own)" = "$(tarry merge --fingerprint again)" ] || fail "another fingerprint"

# Threads first. Parameters that number the work of queues become attributes; others stand beside the events.
tarry archive dump mi300.archive | awk '{count[$1 " " $2]++} END {for (place in count) print place, count[place]}' |
  sort -n -k2 >places
[ "$(head -1 places)" = "0 0 80" ] || fail "the master has not 80 events, but $(head -1 places)"
[ "$(sed -n 2,3p places)" = $'0 1 3\n0 2 3' ] || fail "queues do not come second: $(sed -n 2,3p places)"
awk '$2 > 2 {values += $3} END {exit values != 72584}' places || fail "not all values of metrics are there"

# Rows and tracks have the names of queues.
grep -qxF 'Rank 0 HIP[0:0]' mi300.paraver*/*.row mi300.paraver*.row 2>/dev/null || fail "Paraver does not name the queue"
grep -qaF 'HIP[0:0]' mi300.perfetto || fail "Perfetto does not name the queue"

# The host waits in hipEventSynchronize for 88 % of the run.
[ "$(share mi300.archive accelerator)" -ge 88 ] || fail "$(share mi300.archive accelerator) % for accelerators"
tarry cube calltree -m accelerator_synchronization mi300.archive | grep -q 'hipEventSynchronize' ||
  fail "hipEventSynchronize is no synchronisation"
tarry report mi300.archive >screen
grep -q 'Accelerators' screen || fail "the first screen has no accelerators"
grep -q 'Waiting: 6.364 s, 88.3% of the allocation time' screen || fail "$(grep Waiting: screen)"
grep -q 'heavy_kernel, started by .* keeps HIP\[0:0\] busy longer than the host has other work: that causes 74.4%' screen ||
  fail "the first screen does not say what the host waits for"
tarry report --json mi300.archive >found.json
python3 - <<'END' || fail "the report for programs tells other values"
import csv, json, math
found = json.load(open("found.json"))
devices = found["devices"]
kernels = sum(float(row["value"]) for row in csv.DictReader(open("ours.csv")) if row["metric"] == "device_kernels")
busy = sum(float(row["value"]) for row in csv.DictReader(open("ours.csv")) if row["metric"] == "device_busy")
efficiencies = devices["efficiencies"]
assert math.isclose(efficiencies["devices"], busy / found["wall"], rel_tol=1e-9), efficiencies
assert devices["queues"] == 2 and math.isclose(devices["kernels"], kernels, rel_tol=1e-9), devices
assert [cause["nature"] for cause in found["causes"]] == ["device"] * len(found["causes"]), found["causes"]
END
exit $failed
