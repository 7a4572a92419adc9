# store_attacks.sh -- stores that may not be written, are links, or were damaged: tools say so in a line and end.
# timeout 300
set -euo pipefail
fail() { echo "$*"; exit 1; }

# Without root's right to write everywhere.
as_user() {
  if [ "$(id -u)" -eq 0 ]; then setpriv --bounding-set=-dac_override,-dac_read_search "$@"; else "$@"; fi
}

# refused WORDS COMMAND...: status 1, and one line that has the words.
refused() {
  local words=$1 status=0
  shift
  "$@" >refused.out 2>refused.err || status=$?
  [ $status -eq 1 ] && [ "$(wc -l <refused.err)" -eq 1 ] && grep -q -- "$words" refused.err && return
  cat refused.err
  fail "status $status: $*"
}

"$TARRY_BUILD/bench/make_reports" . 6 3 12 4 1 0.01
tarry store add --store base.db 00000[1-5].cubex --param n=4 --tag base >/dev/null

# Where nothing can be written, a store can be read.
mkdir -p closed left
cp base.db 'closed/a store?#%.db'
chmod 444 closed/*
chmod 555 closed
store='closed/a store?#%.db'
as_user tarry store list --store "$store" --format csv >listed || fail "a store that cannot be written is not listed"
[ "$(grep -c '^[0-9]' listed)" -eq 5 ] || fail "not all runs are listed"
as_user tarry history time --store "$store" >/dev/null
as_user tarry store verify --store "$store" | grep -q '5 runs verified' || fail "it is not verified"
refused 'check its permissions' as_user tarry store add --store "$store" 000006.cubex
refused 'check its permissions' as_user tarry store rm --store "$store" 1
refused 'unable to open' as_user tarry store add --store closed/new.db 000006.cubex
# What a writer that was killed has left cannot be read there: better no answer than an old one.
python3 - <<'END'
import os, shutil, sqlite3
store = sqlite3.connect("base.db")
store.execute("INSERT INTO tag VALUES (1, 'late')")
store.commit()
shutil.copy("base.db", "left/base.db")
shutil.copy("base.db-wal", "left/base.db-wal")
os._exit(0)
END
chmod 555 left
refused 'copy the store and' as_user tarry store list --store left/base.db
chmod 755 closed left
tarry store list --store left/base.db --where 'tag = late' --format csv | grep -q late || fail "a killed writer's tag is lost"

# A link is the store that it leads to; what is no file is refused.
ln -s base.db link.db
ln -s loop.db loop.db
mkfifo pipe.db
tarry store add --store link.db 000006.cubex >/dev/null
tarry store list --store base.db --format csv | grep -c '^[0-9]' | grep -qx 6 || fail "a link leads elsewhere"
refused 'no such store' tarry store list --store loop.db
refused 'no regular file' tarry store list --store pipe.db
refused 'no regular file' tarry store add --store /dev/null 000001.cubex
refused 'standard input: is no tar archive' tarry store add --store base.db - </dev/null
TARRY_STORE= refused 'tarry.db: there is no such store' tarry store list

# A query only reads, whatever it says.
cp base.db before.db
for query in 'DELETE FROM tag' 'SELECT 1; DELETE FROM tag' "ATTACH 'x.db' AS x" 'PRAGMA query_only=0' "VACUUM INTO 'x.db'" \
  'CREATE TEMP TABLE t (x)' "SELECT load_extension('x')" 'EXPLAIN DELETE FROM tag' "SELECT vector_values(x'01ffffffff7f')" \
  'SELECT hex(zeroblob(900000000))' ''; do
  refused '' tarry store query --store base.db "$query"
done
cmp base.db before.db && [ ! -e x.db ] || fail "a query has changed something"

# Damage of every kind.
mkdir damaged
cd damaged
python3 "$TARRY_ROOT/tests/pipeline/store_damaged.py" ../before.db ../000006.cubex "${STORE_SEED:-1}" "${STORE_CASES:-15}"
