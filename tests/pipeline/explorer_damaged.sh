# explorer_damaged.sh -- pages of the fuzzers' damaged reports and traces in a browser: each shows what is left of it, or
# there is no page and an error says why.
# timeout 300
# no-san
set -eu
. "$TARRY_ROOT/tests/pipeline/explorer_damaged.bash"
open_damaged_pages 1 20
