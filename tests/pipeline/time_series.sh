# time_series.sh -- values by iteration of a marked loop whose load is known, and of any region's visits.
# no-san
# timeout 300
set -eu
fail() { echo "FAILED: $1"; exit 1; }
expect() { grep -q -- "$2" "$1" || { cat "$1"; fail "$1 lacks: $2"; }; }
tarry instrument "$MPICC" -O2 -o shifting "$TARRY_ROOT/tests/apps/instrumented/shifting_load.c"

# The visits of each iteration and rank follow from the program's header. 30 iterations have regions of their own.
known() {
  "$PYTHON" - "$1" "$2" <<'PYTHON'
import csv, sys
kind, ranks, n = sys.argv[2], 4, 40
rows = list(csv.DictReader(open(sys.argv[1])))
found = {(r["metric"], int(r["iteration"]), int(r["rank"])): float(r["value"]) for r in rows}
assert all(r["count"] == "1" for r in rows)
assert len(found) == len(rows) == 3 * ranks * n, len(rows)
for i in range(n):
    loaded = {"static": 1, "dynamic": 3 * i % ranks, "drifting": i * ranks // n}[kind]
    for rank in range(ranks):
        units = 60 if i == 5 and rank == ranks - 1 else 12 if rank == loaded else 4
        assert found["visits", i, rank] == 3 + units + i % 3, (i, rank)
        assert found["comms_send", i, rank] == i % 3 and found["bytes_rcvd", i, rank] == 4 * (i % 3), (i, rank)
PYTHON
}
for kind in static dynamic drifting; do
  TARRY_ITERATIONS=30 tarry measure -q -t -o $kind -- mpirun -np 4 ./shifting 40 $kind
  tarry replay -q --strict $kind
  tarry report --iterations step --metric visits,comms_send,bytes_rcvd --csv $kind >$kind.csv
  known $kind.csv $kind || fail "values of $kind"
  tarry report --iterations step --metric visits $kind >$kind.txt
  expect $kind.txt "'step': 40 iterations, 4 processes"
  expect $kind.txt "over time: $kind"
  expect $kind.txt "sticks out: 5, .*; rank 3 has 65"
  tarry report --iterations step --metric visits,comp --json $kind >$kind.json
  "$PYTHON" - $kind.json $kind <<'PYTHON' || fail "json of $kind"
import json, sys
series = json.load(open(sys.argv[1]))
visits = series["metrics"][0]
assert series["is_marked_loop"] and len(series["iterations"]) == len(visits["values"]) == 40
assert visits["over_time"]["course"] == sys.argv[2], visits["over_time"]
assert [outlier["iteration"] for outlier in visits["outliers"]] == [5]
assert visits["spread"][5]["max"] == 65 and visits["spread"][5]["rank"] == 3
PYTHON
done

# The sums over iterations are the values of the loop in the report; other regions do not change these.
tarry cube dump --csv static/analysis.cubex >plain.csv
tarry report --iterations step --metric '*' --csv static >series.csv
tarry replay -q --iterations work -o work.cubex static
tarry cube dump --csv work.cubex | cmp - plain.csv || fail "the report depends on the time series"
tarry report --iterations work --metric '*' --csv work.cubex >work.csv
"$PYTHON" - plain.csv series.csv step work.csv work <<'PYTHON' || fail "sums"
import collections, csv, math, re, sys
leave_out = re.compile("imbalance|partition|performance_impact|critical_path_activities")
for series, region in ((sys.argv[2], sys.argv[3]), (sys.argv[4], sys.argv[5])):
    whole, sums = collections.Counter(), collections.Counter()
    for row in csv.DictReader(open(sys.argv[1])):
        if re.search(f"/{region}(=[^/]*)?(/|$)", row["callpath"]) and not leave_out.search(row["metric"]):
            whole[row["metric"], row["rank"]] += float(row["value"])
    for row in csv.DictReader(open(series)):
        sums[row["metric"], row["rank"]] += float(row["value"])
    assert len({metric for metric, _ in whole}) > (20 if region == "step" else 5), whole
    for key in set(whole) | set(sums):
        assert math.isclose(whole[key], sums[key], rel_tol=1e-9, abs_tol=1e-12), (region, key, whole[key], sums[key])
PYTHON
tarry report --iterations step work.cubex >other.txt
expect other.txt "'step': 40 iterations"  # from the call paths, as the table is of another region
tarry report --iterations unit work.cubex 2>no.txt && fail "no series of unit"
expect no.txt "'unit': has no values by iteration in this report, which has those of 'work'"

# A summary has clusters.
TARRY_ITERATIONS=10 tarry measure -q -s -o summary -- mpirun -np 4 ./shifting 200 static
tarry report --iterations step --metric visits --csv summary >summary.csv
"$PYTHON" - summary.csv <<'PYTHON' || fail "clusters"
import csv
rows = list(csv.DictReader(open("summary.csv")))
assert len({row["iteration"] for row in rows}) >= 11 and any(row["count"] != "1" for row in rows)
steps = sum(float(row["value"]) for row in rows if row["rank"] == "1")
assert steps == 200 * (3 + 12) + sum(i % 3 for i in range(200)), steps
PYTHON

# The table is the same to the last bit however many threads and processes make it.
tarry replay -q --workers 1 --iterations MPI_Barrier -o one.cubex dynamic
tarry replay -q --workers 3 --iterations MPI_Barrier -o three.cubex dynamic
cmp one.cubex three.cubex || fail "the report depends on the number of threads"
mpirun -np 3 tarry replay -q --workers 1 --iterations MPI_Barrier -o three.cubex dynamic
cmp one.cubex three.cubex || fail "the report depends on the number of processes"

# The reference analyser knows no time series.
tarry replay -q --compat static
tar tf static/analysis-compat.cubex | grep iterations && fail "--compat has a table"
tarry replay -q --compat --iterations step static 2>compat.txt && fail "--compat --iterations"
expect compat.txt "compat has no time series"
exit 0
