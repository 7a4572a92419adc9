# full_disk.sh -- a page that does not arrive is a failure.
command -v tarry-explore >/dev/null || { echo "built without the explorer"; exit 77; }
. "$TARRY_ROOT/tests/cli/needs_full_device.bash"
"$PYTHON" "$TARRY_ROOT/tests/report/make_program.py" a.cubex
tarry explore a.cubex -o - > /dev/full; echo "status $?"
tarry explore a.cubex -o /dev/full; echo "status $?"
