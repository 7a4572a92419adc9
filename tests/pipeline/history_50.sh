# history_50.sh -- 50 histories with a step of 5 %, and 50 without: all steps are found at their commits, and no other.
# long
# timeout 3000
set -euo pipefail
. "$TARRY_ROOT/tests/pipeline/history.bash"
# Seeds are those of the loop.
for seed in $(seq 20601 20650); do
  check_history "$seed" $((3 + seed % 14)) 0.05
  check_history "$seed" 0 0
done
