# predict_gains.sh -- removing a delay gains what one thread waits for it directly, but for what the thread then waits for
# others: of recorded cases both are printed, with the reason where they differ.
# timeout 240
set -u
. "$TARRY_ROOT/tests/peer/unpack.bash"
unpack_peer_cases zoo-4 sweep3d-4 npb-lu-S-4 npb-cg-S-4 sp-mz-S-2x2 bt-mz-S-2x2 micro random >/dev/null || exit 1
"$PYTHON" "$TARRY_ROOT/tests/peer/compare_gains.py" peer/*-[4S]*/traces.otf2 peer/micro/*/traces.otf2 peer/random/r100?/traces.otf2
