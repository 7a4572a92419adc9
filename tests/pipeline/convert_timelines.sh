# convert_timelines.sh -- outputs in order of time: Paraver by a parser of its own, Perfetto by protoc, selections, the
# waits of a replay drawn over them, several passes.
# timeout 200
# no-san
set -u
. "$TARRY_ROOT/tests/peer/unpack.bash"
failed=0
fail() { echo "FAILED: $1"; failed=1; }
decode() { protoc --decode=Trace -I "$TARRY_ROOT/tests/convert" perfetto_fields.proto; }
lines() { tarry merge -q "$@" --to csv -o - | tail -n +2; }

unpack_peer_cases zoo-4 npb-cg-S-4 micro >/dev/null || exit 1
"$MPICC" -std=gnu11 -O1 -g -o late_sender "$TARRY_ROOT/tests/apps/late_sender.c" -lm || exit 1
tarry measure -q -t -o run -- mpirun -np 4 ./late_sender >/dev/null || exit 1
tarry replay -q --instances 4 run --critical-path run/critical-path.csv || exit 1

for input in run peer/zoo-4/traces.otf2 peer/npb-cg-S-4/traces.otf2 peer/micro/g5-hybrid/traces.otf2; do
  tarry merge -q --strict "$input" -o events.csv --to csv || fail "$input: csv"
  tail -n +2 events.csv | sort -s -t, -k1,1g | cmp - <(tail -n +2 events.csv) || fail "$input: not in order of time"
  tarry merge -q "$input" -o events.jsonl --to jsonl
  "$PYTHON" - events.csv events.jsonl <<'PYTHON' || fail "$input: jsonl"
import csv, json, sys
rows = list(csv.DictReader(open(sys.argv[1])))
objects = [json.loads(line) for line in open(sys.argv[2])]
same = [(float(r["time"]), int(r["rank"]), r["kind"], r["region"]) for r in rows] == [
    (o["time"], o["rank"], o["kind"], o.get("region", "")) for o in objects]
sys.exit(0 if same and rows else "rows and objects differ")
PYTHON
  tarry merge -q --strict "$input" -o trace.prv --to paraver || fail "$input: paraver"
  "$PYTHON" "$TARRY_ROOT/tests/convert/check_prv.py" trace.prv events.csv || fail "$input: paraver"
  tarry merge -q --strict "$input" -o trace.pftrace --to perfetto || fail "$input: perfetto"
  protoc --decode_raw <trace.pftrace >/dev/null || fail "$input: no protocol buffers"
  decode <trace.pftrace | "$PYTHON" "$TARRY_ROOT/tests/convert/check_perfetto.py" events.csv || fail "$input: perfetto"
done

# Known waits: rank 0 sends 50 ms late to rank 1, four times. They are drawn where they happen.
tarry merge -q run -o trace.prv --to paraver
"$PYTHON" - trace.prv run/analysis-instances.csv <<'PYTHON' || fail "waits in Paraver"
import csv, sys
waits = [row for row in csv.DictReader(open(sys.argv[2])) if row["metric"] == "mpi_latesender"]
begins = set()
for line in open(sys.argv[1]):
    fields = line.rstrip("\n").split(":")
    if fields[0] == "2" and "71000001" in fields[6::2] and fields[fields.index("71000001") + 1] != "0":
        begins.add((int(fields[3]) - 1, int(fields[5])))
for row in waits:
    if (int(row["rank"]), round(float(row["enter"]) * 1e9)) not in {(r, t + d) for r, t in begins for d in (-1, 0, 1)}:
        sys.exit(f"no wait of rank {row['rank']} at {row['enter']}")
PYTHON
tarry merge -q run -o trace.pftrace --to perfetto
decode <trace.pftrace | grep -c 'f2: "wait states"\|f2: "critical path"\|f2: "delay causes"' | grep -qx '[3-9]\|1[0-9]' || fail "tracks in Perfetto"
tarry merge -q run -o marked --to otf2 && otf2-marker marked/traces.otf2 >markers 2>message || fail "markers in OTF2"
grep -q 'Wait state mpi_latesender' markers || { head -5 markers; fail "markers in OTF2 do not tell the waits"; }
otf2-print marked/traces.otf2 2>>message >/dev/null
test -s message && { cat message; fail "readers complain of markers"; }
tarry merge -q run -o plain.pftrace --to perfetto --no-overlays
decode <plain.pftrace | grep -q '"wait states"' && fail "--no-overlays"

# The pictures in docs/CONVERSION.md are what is in converted traces.
mkdir drawn
chain=peer/micro/g1-late-sender-chain/traces.otf2
tarry replay -q --instances 9 "$chain" -o chain.cubex --critical-path chain.csv
for format in paraver:chain.prv perfetto:chain.pftrace; do
  tarry merge -q "$chain" --to ${format%:*} -o ${format#*:} --instances chain-instances.csv --critical-path chain.csv
done
"$PYTHON" "$TARRY_ROOT/docs/pictures/make_timelines.py" chain.prv chain.pftrace drawn || fail "pictures"
for picture in paraver perfetto; do
  cmp "drawn/$picture.svg" "$TARRY_ROOT/docs/pictures/$picture.svg" || fail "docs/pictures/$picture.svg is out of date"
done

# Selections.
lines run --ranks 1,3 | cut -d, -f2 | sort -u | paste -sd, | grep -qx 1,3 || fail "--ranks"
lines run --regions 'MPI_*' | awk -F, '$4 == "ENTER" { print $5 }' | grep -qv '^MPI_' && fail "--regions"
lines run --no-user | awk -F, '$4 == "ENTER" { print $5 }' | grep -q '^main$' && fail "--no-user"
lines run --time 0.01:0.05 | "$PYTHON" -c '
import csv, sys
depth = {}
for time, rank, thread, kind, *_ in csv.reader(sys.stdin):
    assert 0.01 <= float(time) <= 0.05, time
    depth[rank] = depth.get(rank, 0) + {"ENTER": 1, "LEAVE": -1}.get(kind, 0)
    assert depth[rank] >= 0
assert depth and not any(depth.values()), depth' || fail "--time"
lines run --min-duration 1ms | "$PYTHON" -c '
import csv, sys
stacks, count = {}, 0
for time, rank, thread, kind, *_ in csv.reader(sys.stdin):
    stack = stacks.setdefault(rank, [])
    if kind == "ENTER": stack.append(float(time)); count += 1
    if kind == "LEAVE": assert float(time) - stack.pop() >= 0.000999
assert count and not any(stacks.values())' || fail "--min-duration"
lines run --around late-sender#1 >around || fail "--around"
"$PYTHON" - run/analysis-instances.csv around <<'PYTHON' || fail "--around: another stretch"
import csv, sys
row = next(r for r in csv.DictReader(open(sys.argv[1])) if r["metric"] == "mpi_latesender" and r["number"] == "1")
times = [float(r[0]) for r in csv.reader(open(sys.argv[2]))]
enter, leave = float(row["enter"]), float(row["exit"])
inside = min(times) <= enter and leave <= max(times) and min(times) >= enter - 2.01 * (leave - enter)
sys.exit(0 if inside else f"{min(times)} {max(times)}, {enter} {leave}")
PYTHON
tarry merge -q run --around early-bird#1 --to csv -o x.csv 2>message && fail "--around of nothing"
grep -q mpi_latesender message || fail "--around does not say what there is"
tarry merge -q run --time 2:1 --to csv -o x.csv 2>/dev/null; test $? -eq 2 || fail "status of a wrong time"
tarry merge -q run --ranks 99 --to csv -o x.csv 2>/dev/null; test $? -eq 1 || fail "status of a rank that is not there"

# One archive in order of time holds the same.
tarry merge -q --strict run -o merged --to tarry && tarry archive verify merged >/dev/null || fail "tarry"
tarry archive dump run | cmp - <(tarry archive dump merged) || fail "tarry: another dump"

# Damage: the rest is converted, the last line counts, --strict fails.
cp -r run hurt
"$PYTHON" "$TARRY_ROOT/tests/pipeline/spoil_events.py" hurt/events/*.tev
tarry merge hurt -o hurt.csv --to csv 2>message || fail "a damaged archive is not converted"
tail -1 message | grep -q 'skipped' || fail "damage is not counted"
tarry merge -q hurt -o hurt.csv --to csv --strict 2>/dev/null && fail "--strict takes damage"
exit $failed
