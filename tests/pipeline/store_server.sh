# store_server.sh -- what can go wrong with a store on a server: addresses, rights, encodings, and a server that dies.
# timeout 300
set -euo pipefail
. "$TARRY_ROOT/tests/pipeline/postgres.bash"
fail() { echo "$*"; exit 1; }

# refused WORDS COMMAND...: status 1, and one line that has the words, but no password.
refused() {
  local words=$1 status=0
  shift
  timeout 60 "$@" >refused.out 2>refused.err || status=$?
  [ $status -eq 1 ] && [ "$(wc -l <refused.err)" -eq 1 ] && grep -q -- "$words" refused.err &&
    ! grep -q secret refused.err && return
  cat refused.err
  fail "status $status: $*"
}

"$TARRY_BUILD/bench/make_reports" . 3 3 12 4 1 0.01
"$TARRY_BUILD/bench/make_reports" . 12 64 200 60 2 0.01 && mkdir large && mv 0000*.cubex large
"$TARRY_BUILD/bench/make_reports" . 3 3 12 4 1 0.01
start_postgres
as_admin() { "$(postgres_programs)/psql" -q -h "$postgres_folder" -U tarry "$@"; }
address() { echo "postgresql://$1@/$2?host=$postgres_folder"; }

refused 'holds no store yet' tarry store list --store "$postgres_store"
tarry store add --store "$postgres_store" 000001.cubex >/dev/null
refused 'nohost.invalid' tarry store list --store postgresql://u:secret@nohost.invalid/db
refused 'Connection refused' tarry store list --store postgresql://u:secret@127.0.0.1:1/db
refused 'database "nodb" does not exist' tarry history time --store "$(address tarry nodb)"
refused 'role "u" does not exist' tarry store add --store "$(address u:secret postgres)" 000001.cubex
refused 'invalid percent-encoded token' tarry scale --store postgresql://%zz

# Rights.
as_admin postgres -c 'CREATE ROLE reader LOGIN' -c 'GRANT USAGE ON SCHEMA tarry TO reader' \
  -c 'GRANT SELECT ON ALL TABLES IN SCHEMA tarry TO reader' -c 'CREATE ROLE stranger LOGIN'
tarry store show --store "$(address reader postgres)" >/dev/null
tarry store verify --store "$(address reader postgres)" >/dev/null
refused 'permission denied.*can grant that' tarry store add --store "$(address reader postgres)" 000002.cubex
refused 'permission denied.*can grant that' tarry store rm --store "$(address reader postgres)" 1
refused 'can grant the use of schema' tarry store list --store "$(address stranger postgres)"

# A query only reads, even if it is that of the server's owner.
for query in 'DELETE FROM tag' 'SELECT 1; DELETE FROM tag' "COPY tag TO PROGRAM 'touch /tmp/tarry-was-here'" 'COPY tag TO STDOUT' \
  'COPY tag FROM STDIN' 'WITH x AS (DELETE FROM tag RETURNING 1) SELECT * FROM x' 'SELECT * INTO x FROM tag' 'BEGIN' '' \
  'SELECT 1 / 0' 'SELECT * FROM experiment FOR UPDATE' 'SELECT pg_terminate_backend(pg_backend_pid())'; do
  refused '' tarry store query --store "$postgres_store" "$query"
done
[ ! -e /tmp/tarry-was-here ] || fail "a query has run a program"
[ "$(tarry store query --store "$postgres_store" 'SELECT generate_series(1, 12000);' | wc -l)" -eq 12001 ] || fail "rows are lost"
[ "$(tarry store query --store "$postgres_store" 'SELECT run, tag FROM run_tags WHERE false')" = run,tag ] || fail "no header"

# Another encoding holds what it can.
as_admin postgres -c "CREATE DATABASE latin ENCODING 'LATIN1' TEMPLATE template0 LOCALE 'C'"
tarry store add --store "$(address tarry latin)" 000001.cubex --param 'a=größe' >/dev/null
tarry store list --store "$(address tarry latin)" | grep -q 'a=größe' || fail "another encoding changes text"
refused "ENCODING 'UTF8'" tarry store add --store "$(address tarry latin)" 000002.cubex --param 'a=日本'
tarry store verify --store "$(address tarry latin)" | grep -q '1 run verified' || fail "half a run is there"

# The server's process is killed while it takes runs: the runs before are there, and one line tells the end.
tarry store add --store "$postgres_store" large/*.cubex >added.out 2>added.err &
writer=$!
backend=
for try in $(seq 400); do
  [ "$(as_admin postgres -Atc 'SELECT COUNT(*) FROM tarry.experiment')" -lt 3 ] || break
  backend=$(as_admin postgres -Atc "SELECT pid FROM pg_stat_activity WHERE application_name = 'tarry'")
  sleep 0.02
done
kill -KILL "$backend"
wait $writer && fail "a lost server is no failure"
[ "$(wc -l <added.err)" -eq 1 ] || { cat added.err; fail "not one line"; }
for try in $(seq 200); do
  "$(postgres_programs)/pg_isready" -q -h "$postgres_folder" && break
  sleep 0.1
done
# All that were told are there. The latest may be, too: the server has stored it, and had no time to answer.
told=$(($(grep -c '^run' added.out) + 1))
tarry store verify --store "$postgres_store" | grep -qE "^($told|$((told + 1))) runs verified" ||
  fail "not the runs that were told"
tarry store add --store "$postgres_store" large/*.cubex >/dev/null
tarry store verify --store "$postgres_store" | grep -q '13 runs verified' || fail "nothing more can be added"
stop_postgres
refused 'No such file or directory' tarry store list --store "$postgres_store"
