# full_disk.sh -- a page that does not arrive is a failure.
. "$TARRY_ROOT/tests/cli/needs_full_device.bash"
"$PYTHON" "$TARRY_ROOT/tests/report/make_program.py" a.cubex
tarry explore a.cubex -o - > /dev/full; echo "status $?"
tarry explore a.cubex -o /dev/full; echo "status $?"
