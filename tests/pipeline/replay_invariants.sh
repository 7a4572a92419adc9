# replay_invariants.sh -- what must hold in every report of the default mode, on all recorded traces.
# timeout 600
set -u
. "$TARRY_ROOT/tests/peer/unpack.bash"
cases=$(unpack_peer_cases zoo-4 sweep3d-4 npb-lu-S-4 npb-cg-S-4 sp-mz-S-2x2 micro random) || exit 1
failed=0
for case in $cases; do
  tarry replay -q "$case/traces.otf2" -o "$case/report.cubex" &&
    tarry cube dump --csv "$case/report.cubex" >"$case/report.csv" &&
    "$PYTHON" "$TARRY_ROOT/tests/peer/check_invariants.py" "$case/report.cubex" "$case/report.csv" ||
    { echo "FAILED: $case"; failed=1; }
done
exit $failed
