# store.sh -- runs in SQLite and on a PostgreSQL server: in and out, questions, hostile names, writers, kills.
# timeout 300
set -euo pipefail
. "$TARRY_ROOT/tests/peer/unpack.bash"
. "$TARRY_ROOT/tests/pipeline/postgres.bash"
. "$TARRY_ROOT/tests/pipeline/store.bash"

make_inputs
check_store runs.db sqlite 12
newer() { python3 -c "import sqlite3; c = sqlite3.connect('runs.db'); c.execute('UPDATE store_version SET version = 99'); c.commit()"; }
check_version newer

# A file that is something else stays as it is.
python3 -c "import sqlite3; c = sqlite3.connect('theirs.db'); c.execute('CREATE TABLE t (x)'); c.commit()"
cp theirs.db theirs.before
! tarry store add --store theirs.db 000001.cubex 2>err || fail "adds to a database of another program"
cmp theirs.db theirs.before
! tarry store list --store 000001.cubex 2>err || fail "takes a report for a store"

# A disk that is full, by the limit of the shell: nothing of the run is there.
tarry store add --store full.db 000001.cubex >/dev/null
(
  ulimit -f 300
  ! tarry store add --store full.db 00000[2-8].cubex >full.out 2>full.err || fail "a full disk is no failure"
)
grep -q 'tarry-store: full.db: ' full.err || { cat full.err; fail "the full disk is not told"; }
tarry store verify --store full.db || fail "a full disk damages the store"
tarry store add --store full.db 00000[2-8].cubex >/dev/null
tarry store verify --store full.db | grep -q '8 runs verified' || fail "nothing more can be added"

start_postgres
check_store "$postgres_store" postgres 12
tarry store import --store back.db "$postgres_store" >/dev/null
tarry store verify --store back.db | grep -q '1 run verified' || fail "a store on a server cannot be imported"
newer() {
  "$(postgres_programs)/psql" -q -h "$postgres_folder" -U tarry postgres -c 'UPDATE tarry.store_version SET version = 99'
}
check_version newer
