# store_kills_200.sh -- 200 processes killed while they add a run: SQLite and PostgreSQL lose nothing.
# long
# timeout 1200
set -euo pipefail
. "$TARRY_ROOT/tests/peer/unpack.bash"
. "$TARRY_ROOT/tests/pipeline/postgres.bash"
. "$TARRY_ROOT/tests/pipeline/store.bash"

make_inputs
store=runs.db
tarry store add --store "$store" 000007.cubex >/dev/null
check_kills 200
start_postgres
store=$postgres_store
tarry store add --store "$store" 000007.cubex >/dev/null
check_kills 200
