# blocked_causes.sh -- a thread that is late because it was blocked is said to be: what it waited for may be unrecorded.
# no-san
# timeout 60
set -euo pipefail
gcc -std=gnu11 -g -O1 -Wall -Werror -pthread -o waits "$TARRY_ROOT/tests/apps/unrecorded_wait.c"
fail() { cat sentences; echo "FAILED: $1"; exit 1; }
for late in victim worker; do
  tarry measure -q -t -o $late -- ./waits $late
  tarry replay -q --strict $late
  tarry report --json $late >found.json
  jq -r '.advice[].sentence' found.json >sentences
  grep -q "in $late" sentences || fail "the $late is not named"
done
grep -q 'blocked' sentences && fail "the worker computes"
jq -r '.advice[].sentence' <(tarry report --json victim) >sentences
grep -Eq 'in victim .*, blocked for (9[0-9](\.[0-9])?|100(\.0)?)% of the time there' sentences || fail "the victim waits"
