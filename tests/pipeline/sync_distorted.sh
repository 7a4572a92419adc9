# sync_distorted.sh -- traces of one good clock, distorted like those of a cluster: after `tarry sync` nothing is earlier than its
# cause, intervals are as they were to 1 % on average, and wait states to 5 % where they exceed ten times the clock error.
# timeout 300
set -u
. "$TARRY_ROOT/tests/peer/unpack.bash"
cases=$(unpack_peer_cases zoo-4 npb-lu-S-4) || exit 1
distort=$TARRY_BUILD/tests/sync/distort_trace
failed=0
fail() { echo "FAILED: $*"; failed=1; }

total=0
for case in $cases; do
  tarry sync -q "$case/traces.otf2" -o "$case/true" >/dev/null || exit 1
  tarry archive dump "$case/true" >true.dump
  tarry replay -q "$case/true" -o true.cubex && tarry cube dump --csv true.cubex >true.csv || exit 1
  for how in "1e-5" "1e-4" "1e-3" "1e-2" "1e-2 --measured"; do
    rm -rf bad
    "$distort" "$case/true" bad 4 $how --seed 7 || exit 1
    before=$(tarry sync bad --check | awk '{print $1}')
    total=$((total + before))
    tarry sync -q bad >said || { fail "$case $how: no sync"; continue; }
    [ "$(tarry sync bad --check | awk '{print $1}')" = 0 ] || fail "$case $how: violations remain"
    mean=$(sed -n 's/^intervals .*, \(.*\)% on average$/\1/p' said)
    awk -v mean="${mean:-0}" 'BEGIN { exit !(mean < 1) }' || fail "$case $how: intervals changed by $mean %"
    tarry archive dump bad >bad.dump
    tarry replay -q bad -o bad.cubex && tarry cube dump --csv bad.cubex >bad.csv || exit 1
    echo "== $(basename "$case") $how: $before violations before, intervals changed by ${mean:-0} %"
    "$PYTHON" "$TARRY_ROOT/tests/sync/compare_waits.py" true.dump bad.dump true.csv bad.csv || fail "$case $how: waits"
  done
done
[ $total -gt 1000 ] || fail "only $total violations to restore: the test does not test"
exit $failed
