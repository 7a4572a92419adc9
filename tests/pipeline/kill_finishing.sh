# kill_finishing.sh -- a rank or a tool that dies, or has no room, at any call that changes a file loses nothing.
# no-san
# timeout 600
"$MPICC" -O1 -Wall -Werror -o progress "$TARRY_ROOT/tests/apps/progress.c" || exit 1
cc -shared -fPIC -O1 -Wall -Werror -o at_call.so "$TARRY_ROOT/tests/apps/at_call.c" || exit 1
"$PYTHON" "$TARRY_ROOT/tests/pipeline/kill_finishing.py" ./progress ./at_call.so
