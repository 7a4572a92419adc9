# convert_call_paths.sh -- functions found on stacks, in other formats: calling contexts in OTF2, slices in Perfetto,
# functions in Paraver. What comes back from OTF2 is replayed as the archive is.
# timeout 200
# no-san
set -u
apps=$TARRY_ROOT/tests/apps
failed=0
fail() { echo "FAILED: $1"; failed=1; }
replayed() { tarry replay -q --strict "$1" -o report.cubex && tarry cube dump --csv report.cubex; }
events() { tarry archive dump "$1" | sed 's/region=[0-9]*:/region=/'; }
kinds() { otf2-print "$1" 2>>complaints | awk '/^[A-Z_]+ +[0-9]+ +[0-9]+/ { print $1 }' | sort -u; }

mpicxx -O2 -g -o blast "$apps/blast_wave.cpp" && mpicxx -O2 -g -fopenmp -o hybrid "$apps/call_paths.cpp" || exit 1
# Other formats have the functions that were called, without those that are inlined.
tarry measure -q --inline off --sample 497 -t -o blast.run -- mpirun -np 3 ./blast 50 >/dev/null || exit 1
OMP_NUM_THREADS=2 tarry measure -q --inline off --sample 497 -t -o hybrid.run -- mpirun -np 2 ./hybrid >/dev/null || exit 1
: >complaints
for name in blast hybrid; do
  tarry merge -q --strict $name.run -o $name.otf2 --to otf2 || { fail "$name: no OTF2"; continue; }
  kinds $name.otf2/traces.otf2 >found
  grep -qx CALLING_CONTEXT_ENTER found && grep -qx CALLING_CONTEXT_LEAVE found || fail "$name: no calling contexts"
  grep -qx 'ENTER\|LEAVE' found && fail "$name: OTF2 wants either regions or calling contexts"
  tarry merge -q --strict --from otf2 $name.otf2/traces.otf2 -o $name.again || fail "$name: no import"
  for trace in $name.run $name.otf2/traces.otf2 $name.again; do tarry merge --fingerprint $trace; done | sort -u >prints
  [ "$(wc -l <prints)" -eq 1 ] || { cat prints; fail "$name: other events"; }
  events $name.run >one && events $name.again >two && cmp one two || fail "$name: another dump"
  replayed $name.again >one && replayed $name.otf2/traces.otf2 >two && cmp one two || fail "$name: another report"
  # OTF2 has no call sites: in the report of the archive they are added up, in another order.
  replayed $name.run >two && "$PYTHON" - one two <<'PYTHON' || fail "$name: other values"
import csv, sys
COMPARED = ("delay", "critical", "performance", "non_critical", "imbalance", "int", "waitstates")  # call paths with others
def values(path):
    return {tuple(row[:-1]): float(row[-1]) for row in list(csv.reader(open(path)))[1:] if not row[0].startswith(COMPARED)}
one, two = values(sys.argv[1]), values(sys.argv[2])
far = [key for key in one.keys() | two.keys() if abs(one.get(key, 0) - two.get(key, 0)) > 1e-12 * abs(one.get(key, 0)) + 1e-15]
if far or not one:
    sys.exit(f"{len(far)} of {len(one)} values differ: {far[:5]}")
PYTHON
  # The numbers of contexts do not depend on which location is written first.
  tarry merge -q --strict --workers 1 $name.run -o $name.alone --to otf2
  diff -rq -x traces.otf2 $name.otf2 $name.alone || fail "$name: other files with one worker"
  rm -rf $name.alone
done
test -s complaints && { sort complaints | uniq -c | head; fail "otf2-print complains"; }
otf2-print --show-global-defs blast.otf2/traces.otf2 |
  grep -q 'CALLING_CONTEXT .*"MPI_Allreduce".*Parent: ".*longest()' || fail "a context has another parent"

# A part of it.
tarry merge -q --strict blast.run -o part --to otf2 --regions 'MPI_*,main' && kinds part/traces.otf2 >found &&
  grep -qx CALLING_CONTEXT_ENTER found || fail "a part of a trace"
[ "$(tarry merge --fingerprint part/traces.otf2)" = "$(tarry merge --fingerprint blast.run --regions 'MPI_*,main')" ] ||
  fail "a part of a trace has other events"

# Without call paths there is nothing to tell but the regions.
tarry measure -q --callpaths off -t -o plain.run -- mpirun -np 2 ./blast 5 >/dev/null &&
  tarry merge -q --strict plain.run -o plain.otf2 --to otf2 && kinds plain.otf2/traces.otf2 >found
grep -qx ENTER found && ! grep -q CALLING found || fail "calling contexts without call paths"

# Perfetto: the functions of the stack are slices. Paraver: they are values of type 60000019, and named.
longest=$(tarry merge -q blast.run --to csv -o - | awk -F, '$4 == "ENTER" && /longest/' | wc -l)
[ "$longest" -gt 0 ] || fail "the program's functions are not in the trace"
tarry merge -q --strict blast.run -o blast.pftrace --to perfetto || fail "no Perfetto"
protoc --decode=Trace -I "$TARRY_ROOT/tests/convert" perfetto_fields.proto <blast.pftrace >decoded || fail "decoding"
tarry merge -q --strict blast.run -o blast.prv --to paraver || fail "no Paraver"
"$PYTHON" - decoded blast.pcf blast.prv "$longest" <<'PYTHON' || fail "functions in timelines"
import re, sys
decoded, pcf, prv, expected = open(sys.argv[1]).read(), open(sys.argv[2]).read(), sys.argv[3], int(sys.argv[4])
names = dict(re.findall(r'f1: (\d+)\s+f2: "([^"]*longest[^"]*)"', decoded))
begun = sum(1 for iid in re.findall(r"f9: 1\s+f10: (\d+)", decoded) if iid in names)
if begun != expected:
    sys.exit(f"Perfetto: {begun} slices, expected {expected}")
section = next(part for part in pcf.split("EVENT_TYPE") if "60000019" in part)
values = set(re.findall(r"^(\d+) +.*longest", section, re.M))
begun = 0
for line in open(prv):
    fields = line.rstrip("\n").split(":")
    if fields[0] == "2":
        begun += sum(1 for kind, value in zip(fields[6::2], fields[7::2]) if kind == "60000019" and value in values)
if begun < expected:
    sys.exit(f"Paraver: {begun} events, expected {expected} or more")
PYTHON
exit $failed
