# kill_random.sh -- jobs killed at random moments lose nothing of what they had recorded.
# serial
# no-san
# timeout 300
"$MPICC" -O1 -Wall -Werror -o progress "$TARRY_ROOT/tests/apps/progress.c" || exit 1
"$PYTHON" "$TARRY_ROOT/tests/pipeline/kill_random.py" ./progress 20
