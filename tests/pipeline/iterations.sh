# iterations.sh -- loops with more iterations than get call paths of their own, and their last iterations only.
# no-san
# mpich-long
set -eu
export TARRY_THROTTLE=off  # all visits count here
tarry instrument "$MPICC" -O2 -o loop "$TARRY_ROOT/tests/apps/instrumented/loop.c"
fail() { echo "$1"; exit 1; }
sum() { tarry cube dump --csv "$1/summary.cubex" | awk -F, -v path="$2" '$1 == "visits" && $2 ~ path { sum += $5 } END { print sum + 0 }'; }
paths() { tarry cube dump --csv "$1/summary.cubex" | awk -F, '$1 == "visits" && /step=/ { print $2 }' | sort -u | wc -l; }

# Every iteration is in some cluster, those with a checkpoint apart, and each once.
TARRY_ITERATIONS=10 tarry measure -q -s -t -o few -- mpirun -np 2 ./loop 2000
tarry archive verify few
[ "$(sum few '^loop/main/step=[0-9]*$')" = 20 ] || fail "iterations of their own"
[ "$(sum few '^loop/main/step=cluster [0-9]*$')" = 3980 ] || fail "iterations in clusters: $(sum few '^loop/main/step=cluster [0-9]*$')"
[ "$(sum few '/write_block$')" = 8000 ] || fail "blocks: $(sum few '/write_block$')"
tarry cube dump --csv few/summary.cubex | awk -F, '
  $1 == "visits" && $2 ~ /step=cluster [0-9]*$/ { visits[$2 "," $3] = $5 }
  $1 == "visits" && $2 ~ /step=cluster [0-9]*\/checkpoint$/ { path = $2; sub(/\/checkpoint$/, "", path); checkpoints[path "," $3] = $5 }
  END { for (path in checkpoints) if (checkpoints[path] != visits[path]) { print path ": mixed"; failed = 1 } exit failed }'
tarry report --json few/summary.cubex >few.json
"$PYTHON" - few.json <<'PYTHON'
import json, sys
clusters = json.load(open(sys.argv[1]))["iterations"]
assert sum(cluster["count"] for cluster in clusters) == 3980, clusters
assert any(cluster["numbers"].startswith("1") for cluster in clusters), clusters
PYTHON
tarry report few/summary.cubex | grep -q 'step=cluster [0-9]*: [0-9]* visits, .* each'
# The trace has all of them.
tarry replay -q --strict few
[ "$(tarry archive dump few | grep -c 'ENTER.*"step=')" = 4000 ] || fail "iterations in the trace"

# However many iterations: 10 and at most 8 clusters, with 4 paths below each.
TARRY_ITERATIONS=10 TARRY_CLUSTERS=8 tarry measure -q -s -o many -- ./loop 200000
[ "$(paths many)" -le $((10 * 5 + 8 * 5)) ] || fail "$(paths many) call paths"
[ "$(sum many '^loop/main/step=cluster [0-9]*$')" = 199990 ] || fail "many iterations"
[ "$(sum many '/write_block$')" = 400000 ] || fail "many blocks"

# The last three iterations, known by their numbers; what is around them is closed, and nothing else is there.
TARRY_SELECT=step:last3 tarry measure -q -s -t --memory 2M -o last -- mpirun -np 2 ./loop 30000 differ
tarry archive verify last
tarry archive info last | grep -q 'not recorded.*iterations of step before the last 3' || fail "nobody says what is missing"
tarry replay -q --strict last
tarry archive dump last >last.events
for number in 29997 29998 29999; do
  [ "$(grep -c "ENTER.*\"step=$number\"" last.events)" = 2 ] || fail "iteration $number"
  [ "$(sum last "/step=$number\$")" = 2 ] || fail "iteration $number in the summary"
done
[ "$(grep -c 'ENTER.*"compute"' last.events)" = 6 ] || fail "what the last iterations call"
[ "$(sum last '/compute$')" = 6 ] || fail "what the last iterations call, in the summary"
[ "$(sum last '/write_block$')$(grep -c '"write_block"' last.events)" = 4040 ] || fail "blocks of the last iterations"
awk '/ ENTER / { ++depth[$1] } / LEAVE / { if (--depth[$1] < 0) bad = 1 } END { exit bad || depth[0] || depth[1] }' last.events ||
  fail "enters and leaves do not match"
[ "$(du -sk last | cut -f1)" -lt 1000 ] || fail "the last three iterations take $(du -sk last | cut -f1) KB"

# Fewer than asked for are all.
TARRY_SELECT=step:last50 tarry measure -q -t -o all -- mpirun -np 2 ./loop 20
[ "$(tarry archive dump all | grep -c 'ENTER.*"step=')" = 40 ] || fail "all iterations"
tarry archive info all | grep 'not recorded' && fail "all are there"
exit 0
