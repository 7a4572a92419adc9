# kill_random_300.sh -- the same 300 times: 100 traces, 100 summaries, 100 of both.
# long
# serial
# no-san
# timeout 3000
"$MPICC" -O1 -Wall -Werror -o progress "$TARRY_ROOT/tests/apps/progress.c" || exit 1
"$PYTHON" "$TARRY_ROOT/tests/pipeline/kill_random.py" ./progress 300 "${SEED:-$(date +%s)}"
