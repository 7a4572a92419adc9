# replay_instances.sh -- single waits name the one who is to blame; they are the same however many threads and
# processes analyse the trace.
# timeout 240
# no-san
set -u
. "$TARRY_ROOT/tests/peer/unpack.bash"
unpack_peer_cases zoo-4 sp-mz-S-2x2 >cases || exit 1
failed=0
fail() { echo "FAILED: $1"; failed=1; }

# same CASE HOW COMMAND...: COMMAND writes other.cubex, which must equal the case's report and its tables.
same() {
  local case=$1 how=$2
  shift 2
  rm -f other*
  "$@" >other.out 2>&1 || { cat other.out; fail "$case $how"; return; }
  cmp "$case/one-instances.csv" other-instances.csv && cmp "$case/one-statistics.csv" other-statistics.csv &&
    cmp "$case/one.cubex" other.cubex || fail "$case $how"
}

while read -r case; do
  tarry replay -q --workers 1 --instances 7 "$case/traces.otf2" -o "$case/one.cubex" || exit 1
  for workers in 2 3 5; do
    same "$case" "with $workers threads" \
      tarry replay -q --workers $workers --instances 7 "$case/traces.otf2" -o other.cubex
  done
  for processes in 2 3; do
    same "$case" "on $processes processes" \
      mpirun -np $processes tarry replay -q --workers 1 --instances 7 "$case/traces.otf2" -o other.cubex
  done
  # But for what it says about single waits, the report is the one without.
  tarry replay -q "$case/traces.otf2" -o plain.cubex
  tarry cube dump --csv plain.cubex >plain.csv && tarry cube dump --csv "$case/one.cubex" >one.csv
  cmp plain.csv one.csv || fail "$case: metrics change with --instances"
  # The sum of all waits of a kind is its metric.
  "$PYTHON" - "$case/one-statistics.csv" one.csv <<'PYTHON' || fail "$case: sums"
import csv, math, sys
rows = list(csv.DictReader(open(sys.argv[2])))
for kind in csv.DictReader(open(sys.argv[1])):
    total = math.fsum(float(row["value"]) for row in rows if row["metric"] == kind["metric"])
    if not math.isclose(total, float(kind["sum"]), rel_tol=1e-12):
        sys.exit(f"{kind['metric']}: {kind['sum']} in instances, {total} in the report")
PYTHON
done <cases

# A job whose delays are known: rank 0 sends 200 ms late to rank 1, rank 2 to rank 3 in time. On a busy machine ranks are
# late by chance, too.
"$MPICC" -std=gnu11 -O1 -g -o late_sender "$TARRY_ROOT/tests/apps/late_sender.c" -lm || exit 1
TARRY_TEST_STRETCH=4 tarry measure -q -t -o run -- mpirun -np 4 ./late_sender && tarry replay -q --instances 4 run || exit 1
tarry archive verify run || fail "tables beside the report spoil the archive"
"$PYTHON" - run/analysis-instances.csv <<'PYTHON' || fail "who is to blame"
import csv, sys
waits = [row for row in csv.DictReader(open(sys.argv[1])) if row["metric"] == "mpi_latesender"]
if len(waits) != 4:
    sys.exit(f"{len(waits)} waits, not 4")
for row in waits:
    is_right = (row["rank"], row["callpath"]) == ("1", "late_sender/main/MPI_Recv") and float(row["waiting"]) > 0.1
    is_right &= (row["delaying_rank"], row["delaying_operation"]) == ("0", "late_sender/main/MPI_Send")
    # What the sender did instead makes no call that is recorded: it was in main().
    is_right &= row["delaying_callpath"] == "late_sender/main"
    is_right &= float(row["exit"]) - float(row["enter"]) >= float(row["waiting"])
    if not is_right:
        sys.exit(f"wrong: {row}")
PYTHON
tarry report run | grep -q 'longest .* on rank 1 at .*, for rank 0 in late_sender/main' || fail "tarry report does not tell"

# Tables of an earlier analysis do not stay as if they were of this one.
tarry replay -q run && ! ls run/analysis-*.csv 2>/dev/null || fail "old tables stay in the archive"
tarry replay -q --instances 1 run -o own.cubex && tarry replay run -o own.cubex 2>own.err
[ -f own-instances.csv ] && grep -q 'own-instances.csv: is of an earlier analysis' own.err || fail "old tables beside a report"
exit $failed
