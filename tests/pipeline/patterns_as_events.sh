# patterns_as_events.sh -- each wait, delay and stretch of the critical path as an event: the same in all formats and in
# the page of the explorer, and in sum what the report says.
# timeout 300
# no-san
set -u
. "$TARRY_ROOT/tests/peer/unpack.bash"
failed=0
fail() { echo "FAILED: $1"; failed=1; }
apps=$TARRY_ROOT/tests/apps
patterns() { tarry merge -q --strict --only-patterns "$@"; }

# check INPUT FOLDER: writes all formats into FOLDER and compares them.
check() {
  local input=$1 folder=$2 format
  mkdir "$folder"
  tarry replay -q --strict "$input" -o "$folder/report.cubex" &&
    tarry cube dump --csv "$folder/report.cubex" >"$folder/report.csv" || return 1
  tarry replay --list-patterns >"$folder/patterns.list"
  for format in csv:patterns.csv jsonl:patterns.jsonl paraver:patterns.prv perfetto:patterns.pftrace otf2:otf2; do
    patterns "$input" --to "${format%:*}" -o "$folder/${format#*:}" || return 1
  done
  otf2-print "$folder/otf2/traces.otf2" >"$folder/otf2.txt" 2>"$folder/complaints" || return 1
  [ ! -s "$folder/complaints" ] || { head -3 "$folder/complaints"; return 1; }
  protoc --decode=Trace -I "$TARRY_ROOT/tests/convert" perfetto_fields.proto <"$folder/patterns.pftrace" \
    >"$folder/perfetto.txt" || return 1
  "$PYTHON" "$TARRY_ROOT/tests/convert/check_patterns.py" "$folder" &&
    "$PYTHON" "$TARRY_ROOT/tests/convert/check_prv.py" "$folder/patterns.prv"
}

# on_page PAGE FOLDER: the page of the explorer shows the same.
on_page() {
  "$PYTHON" "$TARRY_ROOT/tests/explorer/check_instances.py" "$1" "$2/patterns.csv" || fail "$1: other instances"
}

unpack_peer_cases zoo-4 npb-cg-S-4 micro >cases || exit 1
number=0
while read -r case; do
  number=$((number + 1))
  check "$case/traces.otf2" "case$number" || fail "$case"
  command -v tarry-explore >/dev/null || continue
  cp "case$number/report.cubex" "$case/analysis.cubex"
  tarry explore --window 0:1000 "$case/traces.otf2" -o "case$number.html" && on_page "case$number.html" "case$number"
done <cases
[ "$number" -eq 7 ] || fail "$number cases"

# Recorded: messages, locks, a program without any partner, and one that was damaged.
"$MPICC" -std=gnu11 -O1 -g -o late_sender "$apps/late_sender.c" -lm &&
  "$MPICC" -std=gnu11 -O1 -g -pthread -o pthread_waits "$apps/pthread_waits.c" &&
  echo 'int main(void) { return 0; }' >alone.c && gcc -finstrument-functions -o alone alone.c || exit 1
tarry measure -q -t -o messages -- mpirun -np 4 ./late_sender >/dev/null && check messages events-messages ||
  fail "late_sender"
tarry measure -q -t -o locks -- ./pthread_waits && check locks events-locks || fail "pthread_waits"
grep -q pthread_lock_contention_mutex_lock events-locks/patterns.csv || fail "no waits for locks"
tarry measure -q -t -o alone-run -- ./alone && for format in csv jsonl paraver perfetto otf2; do
  patterns alone-run --to $format -o "alone.$format" || fail "a program without waits, --to $format"
done
if command -v tarry-explore >/dev/null; then
  tarry replay -q messages && tarry explore messages -o messages.html && on_page messages.html events-messages
fi
"$PYTHON" - messages events-messages/patterns.csv <<'PYTHON' || fail "late senders"
import csv, sys
late = [row for row in csv.DictReader(open(sys.argv[2])) if row["pattern"] == "mpi_latesender"]
known = [row for row in late if (row["rank"], row["delaying_rank"]) == ("1", "0")
         and row["callpath"].endswith("MPI_Recv") and row["delaying_operation"].endswith("MPI_Send")
         and row["delaying_callpath"] == "late_sender/main" and float(row["severity"]) > 0.04 and row["delay"]]
sys.exit(0 if len(known) == 4 else f"{len(known)} of 4 late senders: {late}")
PYTHON

# Who reads what we write: we ourselves, with all attributes.
tarry merge -q --strict --from otf2 case1/otf2/traces.otf2 -o again && tarry archive verify again >/dev/null &&
  tarry merge -q --strict again --to otf2 -o again-otf2 && otf2-print again-otf2/traces.otf2 | cmp - case1/otf2.txt ||
  fail "patterns as OTF2 do not survive an import"
[ "$(tarry archive dump again | grep -c ' ENTER ')" -eq "$(($(wc -l <case1/patterns.csv) - 1))" ] || fail "events"

# The same by any number of threads.
for workers in 1 3; do patterns --workers $workers "$(head -1 cases)/traces.otf2" --to csv -o "workers$workers.csv"; done
cmp workers1.csv workers3.csv && cmp workers1.csv case1/patterns.csv || fail "--workers"

# A part.
part_of() { patterns "$@" --to csv -o -; }
zoo=$(grep zoo cases)/traces.otf2
part_of "$zoo" --patterns mpi_latesender | cut -d, -f3 | sort -u | paste -sd, | grep -qx mpi_latesender,pattern ||
  fail "--patterns"
part_of "$zoo" --ranks 1,3 | cut -d, -f4 | sort -u | paste -sd, | grep -qx 1,3,rank || fail "--ranks"
for part in "--time 0.5:0.6" "--min-duration 1ms"; do
  part_of "$zoo" $part | "$PYTHON" -c '
import csv, sys
rows = [(float(row["begin"]), float(row["end"])) for row in csv.DictReader(sys.stdin)]
fits = (lambda begin, end: begin <= 0.6 and end >= 0.5) if sys.argv[1] == "--time" else (
    lambda begin, end: end - begin > 0.999e-3)
everything = [(float(row["begin"]), float(row["end"])) for row in csv.DictReader(open(sys.argv[3]))]
wanted = [row for row in everything if fits(*row)]
sys.exit(0 if 0 < len(wanted) < len(everything) and sorted(rows) == sorted(wanted) else f"{len(rows)} {len(wanted)}")
' $part "case$(grep -n zoo cases | cut -d: -f1)/patterns.csv" ||
    fail "$part"
done
tarry merge --only-patterns --most 2 "$zoo" --to csv -o most.csv 2>message || fail "--most"
grep -q 'left out, for --most is less: .*10 mpi_latesender (' message || { cat message; fail "--most does not count"; }
[ "$(grep -c ',mpi_latesender,' most.csv)" -eq 2 ] || fail "--most 2 keeps $(grep -c ',mpi_latesender,' most.csv)"

# Hostile names.
cat >hostile.c <<'END'
#include <mpi.h>
#include <tarry/user.h>
#include <unistd.h>
#define SPITE "</script>\"'&]]>\\\033[31m\x9b\xff\xe2\x80\xae\r\n=1+2,:/"
int main(int argc, char** argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  TARRY_REGION_BEGIN(SPITE);
  if (rank == 0) usleep(20000);
  MPI_Barrier(MPI_COMM_WORLD);
  TARRY_REGION_END(SPITE);
  return MPI_Finalize();
}
END
tarry instrument --user "$MPICC" -O1 -o hostile hostile.c && tarry measure -q -t -o spite -- mpirun -np 3 ./hostile &&
  HOSTILE=1 check spite events-spite || fail "hostile names"
patterns spite --to csv --safe-csv -o - | "$PYTHON" -c '
import csv, sys
rows = list(csv.reader(open(0, newline="", errors="surrogateescape")))
sys.exit(0 if len({len(row) for row in rows}) == 1 and any("=1+2" in "".join(row) for row in rows) else "CSV")' ||
  fail "hostile names in CSV"

# Damage is counted; what fails leaves nothing.
cp -r messages hurt
"$PYTHON" "$TARRY_ROOT/tests/pipeline/spoil_events.py" hurt/events/*.tev
tarry merge --only-patterns hurt -o hurt.csv --to csv 2>message || fail "a damaged archive is not analysed"
tail -1 message | grep -q 'skipped' || fail "damage is not counted"
patterns hurt -o hurt.csv --to csv 2>/dev/null && fail "--strict takes damage"
mkdir taken
tarry merge --only-patterns messages --to otf2 -o taken 2>message && fail "overwrites a folder"
grep -q 'exists already' message || fail "does not say why"
exit $failed
