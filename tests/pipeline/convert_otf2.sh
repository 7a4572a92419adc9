# convert_otf2.sh -- OTF2 traces of the reference tools survive import and export record by record; an archive survives
# OTF2; a replay finds the same in both.
# timeout 300
# no-san
set -u
. "$TARRY_ROOT/tests/peer/unpack.bash"
failed=0
fail() { echo "FAILED: $1"; failed=1; }

# What an independent reader sees: definitions and events, attributes included; it must not complain.
print_trace() {
  otf2-print --show-global-defs "$1" 2>>complaints && otf2-print "$1" 2>>complaints
}

cases=$(unpack_peer_cases zoo-4 sweep3d-4 npb-lu-S-4 npb-cg-S-4 sp-mz-S-2x2 micro random) || exit 1
test "$(echo "$cases" | wc -l)" -eq 50 || { echo "50 cases expected"; exit 1; }
: >complaints
number=0
for case in $cases; do
  number=$((number + 1))
  rm -rf archive otf2
  tarry merge -q --strict --from otf2 "$case/traces.otf2" -o archive &&
    tarry merge -q --strict archive -o otf2 --to otf2 || { fail "$case"; continue; }
  print_trace "$case/traces.otf2" >theirs
  print_trace otf2/traces.otf2 >ours
  cmp -s theirs ours || { diff theirs ours | head -5; fail "$case: other records"; }
  [ -s theirs ] || fail "$case: nothing printed"
  for trace in "$case/traces.otf2" archive otf2/traces.otf2; do
    tarry merge --fingerprint "$trace"
  done | sort -u | wc -l | grep -qx 1 || fail "$case: other fingerprints"
  # The rest on some of the cases: a replay, the archive itself, the reader of the Python module.
  case $case in *random/r10[0-3][1-79]) continue ;; esac
  tarry replay -q --strict "$case/traces.otf2" -o theirs.cubex && tarry replay -q --strict archive -o ours.cubex &&
    tarry cube dump --csv theirs.cubex >theirs.csv && tarry cube dump --csv ours.cubex >ours.csv &&
    cmp theirs.csv ours.csv || fail "$case: another report"
  tarry archive verify archive >/dev/null || fail "$case: the archive is not intact"
  /usr/bin/python3 - otf2/traces.otf2 ours <<'PYTHON' 2>>complaints || fail "$case: the Python module"
import sys
import otf2
with otf2.reader.open(sys.argv[1]) as trace:
    count = sum(1 for _ in trace.events)
events = open(sys.argv[2]).read().split("=== Events ===")[1].split("-" * 80 + "\n")[1]
expected = sum(1 for line in events.splitlines() if line and not line.startswith(" "))
sys.exit(0 if count == expected else f"{count} events, {expected} expected")
PYTHON
done
test -s complaints && { sort complaints | uniq -c | head; fail "readers complain"; }

# What stands beside the events is verified with them.
size=$(stat -c %s archive/otf2.tdef)
for ((at = 0; at < size; at += size / 40)); do
  rm -rf changed && cp -r archive changed
  byte=$(od -An -tu1 -j "$at" -N 1 archive/otf2.tdef)
  printf "\\x$(printf %02x $((byte ^ 16)))" | dd of=changed/otf2.tdef bs=1 seek="$at" conv=notrunc 2>/dev/null
  tarry archive verify changed >/dev/null && fail "byte $at of otf2.tdef was changed, and verify does not see it"
done

# An archive of ours, through OTF2 and back. Call sites get lost on the way (call_sites.sh).
"$MPICC" -std=gnu11 -O1 -g -o halo "$TARRY_ROOT/tests/apps/halo_exchange.c" -lm || exit 1
tarry measure -q -t --callpaths off -o run -- mpirun -np 3 ./halo >/dev/null || exit 1
tarry merge -q --strict run -o run-otf2 --to otf2 && tarry merge -q --strict --from otf2 run-otf2/traces.otf2 -o again || exit 1
print_trace run-otf2/traces.otf2 >/dev/null
test -s complaints && { sort complaints | uniq -c | head; fail "readers complain of our trace"; }
tarry archive dump run >one && tarry archive dump again >two && cmp one two || fail "another dump"
[ "$(tarry merge --fingerprint run)" = "$(tarry merge --fingerprint again)" ] || fail "another fingerprint"
tarry replay -q --strict run -o one.cubex && tarry replay -q --strict run-otf2/traces.otf2 -o two.cubex &&
  tarry cube dump --csv one.cubex >one.csv && tarry cube dump --csv two.cubex >two.csv && cmp one.csv two.csv ||
  fail "a replay of the OTF2 trace finds something else"

# Calling contexts and samples: replayed as regions, and exactly as they were in a trace that is written again.
/usr/bin/python3 "$TARRY_ROOT/tests/pipeline/calling_contexts.py" sampled || exit 1
tarry replay -q --strict sampled/traces.otf2 -o sampled.cubex && tarry cube dump --csv sampled.cubex >sampled.csv ||
  fail "calling contexts are not replayed"
"$PYTHON" - sampled.csv <<'PYTHON' || fail "calling contexts have other times"
import collections
import csv
import sys
found = collections.Counter()
for row in csv.DictReader(open(sys.argv[1])):
    if row["metric"] in ("time", "visits"):
        found[row["metric"], row["callpath"]] += float(row["value"])
expected = {("time", "main"): 400e-6, ("time", "main/solve"): 400e-6, ("time", "main/solve/kernel"): 200e-6,
            ("time", "main/solve/MPI_Barrier"): 200e-6, ("time", "main/MPI_Barrier"): 200e-6,
            ("visits", "main"): 2, ("visits", "main/solve"): 4, ("visits", "main/solve/kernel"): 2,
            ("visits", "main/solve/MPI_Barrier"): 2, ("visits", "main/MPI_Barrier"): 2}
for key in sorted(expected.keys() | found.keys()):
    if abs(expected.get(key, 0) - found[key]) > 1e-9:
        sys.exit(f"{key}: {found[key]}, expected {expected.get(key, 0)}")
PYTHON
tarry merge -q --strict --from otf2 sampled/traces.otf2 -o sampled-archive &&
  tarry merge -q --strict sampled-archive -o sampled-again --to otf2 || fail "calling contexts are not converted"
print_trace sampled/traces.otf2 >theirs
print_trace sampled-again/traces.otf2 >ours
cmp theirs ours || fail "other calling contexts"
tarry merge -q sampled-archive -o part --to otf2 --time 0:0.0004 && otf2-print part/traces.otf2 >printed ||
  fail "a part of a sampled trace cannot be written"
grep -q CALLING_CONTEXT printed && fail "half of the calling contexts are in a part"

# Samples alone.
/usr/bin/python3 "$TARRY_ROOT/tests/pipeline/only_samples.py" only || exit 1
tarry replay -q --strict only/traces.otf2 -o only.cubex && tarry cube dump --csv only.cubex |
  awk -F, '$1 == "time" { printf "%s %.0f\n", $2, $NF * 1e6 } $1 == "visits" { print $2, "visits", $NF }' >found
diff found - <<'EXPECTED' || fail "samples alone have other times"
main 300
main/solve 100
main/solve/kernel 300
main visits 1
main/solve visits 1
main/solve/kernel visits 2
EXPECTED
tarry merge -q --strict --from otf2 only/traces.otf2 -o only-archive &&
  tarry merge -q --strict only-archive -o only-again --to otf2 || fail "samples alone are not converted"
print_trace only/traces.otf2 >theirs
print_trace only-again/traces.otf2 >ours
cmp theirs ours || fail "other samples"

# Nothing that exists is overwritten, and a failure leaves nothing.
tarry merge -q run -o again --to otf2 2>message && fail "overwrites a folder"
grep -q 'exists already' message || fail "does not say why"
tarry merge -q run -o missing/x --to otf2 2>message && fail "makes parents"
ls | grep -q '\.tmp$' && fail "leaves temporary folders"
exit $failed
