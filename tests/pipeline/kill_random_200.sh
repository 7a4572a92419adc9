# kill_random_200.sh -- the same 200 times.
# long
# serial
# no-san
# timeout 3000
"$MPICC" -O1 -Wall -Werror -o progress "$TARRY_ROOT/tests/apps/progress.c" || exit 1
"$PYTHON" "$TARRY_ROOT/tests/pipeline/kill_random.py" ./progress 200 "${SEED:-$(date +%s)}"
