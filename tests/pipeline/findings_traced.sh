# findings_traced.sh -- the findings of real programs are those of their delay costs, and of the form that docs/ has. What
# the screen says of them is so.
# hpcc.sh and lammps.sh check the same of theirs.
# timeout 200
set -u
. "$TARRY_ROOT/tests/peer/unpack.bash"
. "$TARRY_ROOT/tests/pipeline/checked_screen.bash"
failed=0
check() {
  echo "== $1"
  check_screen "$2" ||
    { echo "FAILED: $1"; failed=1; }
}
cases=$(unpack_peer_cases zoo-4 npb-lu-S-4 npb-cg-S-4 sp-mz-S-2x2 sweep3d-64) || exit 1
for case in $cases; do
  tarry replay -q --strict "$case/traces.otf2" -o found.cubex || exit 1
  check "$case" found.cubex
done
exit $failed
