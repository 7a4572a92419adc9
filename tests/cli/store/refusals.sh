# refusals.sh -- what a store cannot do is told in one line that names the way out.
"$TARRY_BUILD/bench/make_reports" . 1 2 3 3 1 0
try() { echo "\$ tarry store $*"; tarry store "$@"; echo "status $?"; }
try list
tarry store add 000001.cubex --date 2026-01-01T10:00:00Z >/dev/null
try
try add
try add nope.cubex
try add 000001.cubex --param n
try add 000001.cubex --param-file nope
try add 000001.cubex --date yesterday
try add 000001.cubex --store .
try list --where 'n >'
try show nope
try show -m tme
try show -m time --region regoin_1
try show -m time --call-path nope
try query 'SELECT nothing'
try query 'DELETE FROM tag'
try query 'SELECT 1; SELECT 2'
try rm
try rm nope
try tag nope word
try export nope
try export --format cubex -o tarry.db
try export -o tarry.db
try import nope
try import 000001.cubex
try verify nope
try list --store postgresql://user:secret@127.0.0.1:1/db
