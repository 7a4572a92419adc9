# sampled_backtraces.sh -- at each sample, gdb sees the functions on the stack that the trace has.
# no-san
# timeout 200
set -euo pipefail
. "$TARRY_ROOT/tests/pipeline/backtraces.bash"
apps=$TARRY_ROOT/tests/apps
g++ -O2 -o known_shares "$apps/known_shares.cpp" -lpthread
g++ -O1 -o nested_work "$apps/nested_work.cpp"
same_samples known_shares 20 97 ./known_shares 0 4
same_samples nested_work 20 97 ./nested_work 400

# The comparison sees a frame too many.
sed 's/"frames": \[\(\[[^]]*\]\)/"frames": [\1, \1/' nested_work.json >wrong.json
if python3 "$TARRY_ROOT/tests/pipeline/check_backtraces.py" nested_work.run 0 wrong.json 20 >wrong.txt; then
  cat wrong.txt && echo "any backtrace passes" && exit 1
fi
