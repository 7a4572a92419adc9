# predict_peer.sh -- on the unchanged machine no event of any recorded case moves; an ideal network is never slower, nor
# faster than the computation; efficiencies are products; Dimemas' predictions are ours.
# timeout 300
set -u
. "$TARRY_ROOT/tests/peer/unpack.bash"
cases=$(unpack_peer_cases zoo-4 sweep3d-4 sweep3d-64 npb-lu-S-4 npb-cg-S-4 sp-mz-S-2x2 bt-mz-S-2x2 micro random) || exit 1
test "$(echo "$cases" | wc -l)" -eq 52 || { echo "52 cases expected"; exit 1; }
failed=0
"$PYTHON" "$TARRY_ROOT/tests/report/check_ideal.py" $(printf '%s/traces.otf2 ' $cases) >checked || failed=1
cat checked
test "$(grep -Ec 'traced (.*), unchanged \1, moved 0.000000000, ideal' checked)" -eq 52 || { echo "events move"; failed=1; }

# The same to the last digit on any number of threads, and in little memory.
large=peer/sweep3d-64/traces.otf2
for options in '--workers 1' '--workers 2' '--workers 7' '--memory 64M'; do
  tarry predict $options $large --network 10us,1GB/s --balance --rank 3=1.5
done >lines || failed=1
test "$(sort lines | uniq -c | awk '$1 == 4' | wc -l)" -eq 2 || { echo "threads or memory matter"; cat lines; failed=1; }

"$PYTHON" "$TARRY_ROOT/tests/peer/compare_dimemas.py" "$TARRY_ROOT/tests/data/peer/ideal-network.csv" peer || failed=1
exit $failed
