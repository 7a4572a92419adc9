# thin_wrapper.sh -- a cause is named by the function that tells it from others, not by the wrapper of MPI that all call.
# no-san
# timeout 120
set -euo pipefail
. "$TARRY_ROOT/tests/pipeline/checked_screen.bash"
"$MPICC" -O1 -g -Wall -Werror -o thin_wrapper "$TARRY_ROOT/tests/apps/thin_wrapper.c"
tarry measure -q -t -o run -- mpirun -np 2 ./thin_wrapper
tarry replay -q --strict run
check_screen run run/analysis.cubex

fail() { echo "FAILED: $1"; cat screen; jq -r '.advice[].sentence' found.json; exit 1; }
# told FUNCTION BELOW LEAST: one sentence names the function, what is below it, and a share. On a busy machine, MPI itself
# has causes, too.
told() {
  local share
  share=$(jq -r '.advice[].sentence' found.json |
    sed -nE "s/.* in $1 \([^)]*thin_wrapper\.c:[0-9]+\), below that in $2.*: that causes ([0-9.]+)% of .*/\1/p" | head -1)
  [ -n "$share" ] || fail "no sentence names $1, and $2 below it"
  awk -v share="$share" "BEGIN { exit share < $3 }" || fail "$1 causes $share% of the waiting"
}
told scalar_solve reduce 10
told smooth reduce 5
told step exchange 5
grep -E 'of it due to rank [01] in (scalar_solve|smooth|step)$' screen >/dev/null || fail "waits name a wrapper"
! grep -E 'due to .* in (reduce|global_sum|exchange)$' screen || fail "waits name a wrapper"
