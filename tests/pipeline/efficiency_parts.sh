# efficiency_parts.sh -- efficiencies of each region of recorded cases: none but transfer is more than 1, and products hold.
# timeout 240
set -u
. "$TARRY_ROOT/tests/peer/unpack.bash"
unpack_peer_cases zoo-4 sweep3d-4 bt-mz-S-2x2 >/dev/null || exit 1
"$PYTHON" "$TARRY_ROOT/tests/report/check_parts.py" peer/*/traces.otf2
