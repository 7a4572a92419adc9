# accelerator_traces.sh -- OTF2 traces with queues of accelerators and with metrics: nothing is lost on the way in and out,
# queues come behind the threads of their process, and waiting for a device is no computation.
# no-san
set -u
failed=0
fail() { echo "FAILED: $1"; failed=1; }

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
done

# An archive that knows nothing of OTF2, as a recording does: its own definitions say the same of queues and their groups.
cp -r 2_cuda_simple.archive own && rm own/otf2.tdef
tarry merge -q --strict own -o own.otf2 --to otf2 && print_trace own.otf2/traces.otf2 >ours 2>complaints
[ -s complaints ] && { head -3 complaints; fail "readers complain of our definitions"; }
[ "$(grep -c '^LOCATION .*ACCELERATOR_STREAM' ours)" = 2 ] || fail "not two queues"
tarry merge -q --strict --from otf2 own.otf2/traces.otf2 -o again
[ "$(tarry merge --fingerprint own)" = "$(tarry merge --fingerprint again)" ] || fail "another fingerprint"

# Threads first. Parameters stand beside the events.
tarry archive dump mi300.archive | awk '{count[$1 " " $2]++} END {for (place in count) print place, count[place]}' |
  sort -n -k2 >places
[ "$(head -1 places)" = "0 0 78" ] || fail "the master has not 78 events, but $(head -1 places)"
[ "$(sed -n 2,3p places)" = $'0 1 2\n0 2 2' ] || fail "queues do not come second: $(sed -n 2,3p places)"
awk '$2 > 2 {values += $3} END {exit values != 72584}' places || fail "not all values of metrics are there"

# Rows and tracks have the names of queues.
grep -qxF 'Rank 0 HIP[0:0]' mi300.paraver*/*.row mi300.paraver*.row 2>/dev/null || fail "Paraver does not name the queue"
grep -qaF 'HIP[0:0]' mi300.perfetto || fail "Perfetto does not name the queue"

# The host waits in hipEventSynchronize for 88 % of the run.
[ "$(share mi300.archive accelerator)" -ge 88 ] || fail "$(share mi300.archive accelerator) % for accelerators"
tarry cube calltree -m accelerator_synchronization mi300.archive | grep -q 'hipEventSynchronize' ||
  fail "hipEventSynchronize is no synchronisation"
tarry report mi300.archive | grep -q 'Accelerators' || fail "the first screen has no accelerators"
exit $failed
