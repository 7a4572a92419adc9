# predict_peer.sh -- on the unchanged machine no event of any recorded case moves; Dimemas' predictions are ours.
# timeout 300
set -u
. "$TARRY_ROOT/tests/peer/unpack.bash"
cases=$(unpack_peer_cases zoo-4 sweep3d-4 sweep3d-64 npb-lu-S-4 npb-cg-S-4 sp-mz-S-2x2 bt-mz-S-2x2 micro random) || exit 1
test "$(echo "$cases" | wc -l)" -eq 52 || { echo "52 cases expected"; exit 1; }
failed=0
for case in $cases; do
  tarry predict -v "$case/traces.otf2" >out 2>err || { echo "FAILED: $case"; cat err; failed=1; }
  grep -q 'events move by up to 0.000000000 s' err || { echo "MOVED: $case"; cat out err; failed=1; }
  awk '/^predicted / { same += $2 + 0 == $5 + 0 } END { exit same != 1 }' out || { echo "DIFFERS: $case"; cat out; failed=1; }
done

# The same to the last digit on any number of threads, and in little memory.
large=peer/sweep3d-64/traces.otf2
for options in '--workers 1' '--workers 2' '--workers 7' '--memory 64M'; do
  tarry predict $options $large --network 10us,1GB/s --balance --rank 3=1.5
done >lines || failed=1
test "$(sort lines | uniq -c | awk '$1 == 4' | wc -l)" -eq 2 || { echo "threads or memory matter"; cat lines; failed=1; }

"$PYTHON" "$TARRY_ROOT/tests/peer/compare_dimemas.py" "$TARRY_ROOT/tests/data/peer/ideal-network.csv" peer || failed=1
exit $failed
