# explorer_damaged_300.sh -- the same 300 times, from another seed each day.
# long
# timeout 1800
# no-san
set -eu
. "$TARRY_ROOT/tests/pipeline/explorer_damaged.bash"
open_damaged_pages "${SEED:-$(date +%Y%m%d)}" 300
