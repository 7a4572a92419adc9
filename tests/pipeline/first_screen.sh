# first_screen.sh -- what 'tarry report' prints first is so, also of a run with very many causes, none of which is large.
# no-san
# timeout 120
set -euo pipefail
. "$TARRY_ROOT/tests/pipeline/checked_screen.bash"
tarry instrument "$MPICC" -O1 -g -Wall -Werror -o many_callers "$TARRY_ROOT/tests/apps/many_callers.c"
tarry measure -q -t -o run -- mpirun -np 2 ./many_callers
tarry replay -q --strict run
check_screen run run/analysis.cubex

fail() { echo "FAILED: $1"; cat screen; jq -r '.advice[].sentence' found.json; exit 1; }
sentence() { jq -r '.advice[].sentence' found.json | grep -E "$1" || fail "no sentence has '$1'"; }
# Callers of swap() are told together, those of shift() apart: each has much of the waiting, and tells it from others.
sentence ' in swap \(.*called by step.. ?,? .*and 2[0-9] more functions'
sentence ' in level '
sentence ' in left \(.*, below that in shift(, blocked for [0-9.]+% of the time there \([a-z, ]+\))?: that causes '
sentence ' in right \(.*, below that in shift(, blocked for [0-9.]+% of the time there \([a-z, ]+\))?: that causes '
[ "$(jq '[.advice[] | select(.sentence | contains(" in swap (")) | .causes | length] | max' found.json)" -ge 29 ] ||
  fail "not all callers of swap count"

# The command on the screen is about the cause in the sentence.
command=$(sed -n 's/^ *what the run gains without it: //p' screen | head -1)
[ -n "$command" ] || fail "no command"
costs=$(eval "$command" | sed -n 's/^  costs \(.*\) of waiting: .*/\1/p' | head -1)
grep -F -B3 "$command" screen | grep -qF "of the waiting, $costs" || fail "'$command' tells of $costs"
