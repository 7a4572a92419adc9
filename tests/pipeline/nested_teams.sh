# nested_teams.sh -- what makes an inner team late is the cause of waiting in the outer team, too.
# no-san
# timeout 120
set -eu
tarry instrument clang -std=gnu11 -O1 -g -Wall -Werror -fopenmp -o nested_late "$TARRY_ROOT/tests/apps/nested_late.c"
tarry measure -q -t -o run -- ./nested_late
tarry replay -q --strict run
tarry report --json run >found.json
"$PYTHON" - <<'PYTHON'
import json, sys
cause = json.load(open("found.json"))["causes"][0]
print(cause["callpath"], cause["share"], cause["direct"], cause["indirect"])
part = cause["indirect"] / cause["seconds"]
sys.exit(not cause["callpath"].endswith("/late") or cause["share"] < 0.9 or abs(part - 0.5) > 0.1)
PYTHON
