# failures.sh -- status 1 for what is no report or cannot be written, 2 for wrong usage, one line each.
. "$TARRY_ROOT/tests/cli/needs_full_device.bash"
run() { tarry report "$@"; echo "status $?"; }
"$PYTHON" "$TARRY_ROOT/tests/report/make_analysis.py" a.cubex
echo nothing > b.cubex
run missing.cubex
run b.cubex
run
run --csv --json a.cubex
run -o a.cubex a.cubex
tarry report a.cubex > /dev/full; echo "status $?"
