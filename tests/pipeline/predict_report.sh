# predict_report.sh -- on the unchanged machine the report of a prediction is that of tarry replay, but for its head.
# timeout 300
set -u
. "$TARRY_ROOT/tests/peer/unpack.bash"
cases=$(unpack_peer_cases zoo-4 sweep3d-4 sweep3d-64 npb-lu-S-4 npb-cg-S-4 sp-mz-S-2x2 bt-mz-S-2x2 micro random) || exit 1
test "$(echo "$cases" | wc -l)" -eq 52 || { echo "52 cases expected"; exit 1; }
failed=0

# members REPORT FOLDER: what a report holds, without the two lines that tell of the prediction.
members() {
  rm -rf "$2" && mkdir "$2" && tar -xf "$1" -C "$2" && sed -i '/"Tarry::Predicted/d' "$2/anchor.xml"
}

for case in $cases; do
  tarry replay "$case/traces.otf2" -o replayed.cubex 2>err && members replayed.cubex replayed &&
    tarry predict "$case/traces.otf2" -o predicted.cubex >out 2>>err || { echo "FAILED: $case"; cat err; failed=1; continue; }
  test "$(tar -xOf predicted.cubex anchor.xml | grep -c '"Tarry::Predicted')" -eq 2 || { echo "NO NOTE: $case"; failed=1; }
  members predicted.cubex predicted && diff -r replayed predicted || { echo "DIFFERS: $case"; failed=1; }
done

# What must hold in any report holds in that of another machine. It goes to stdout as well as to a file.
for case in peer/zoo-4 peer/sp-mz-S-2x2 peer/random/r1028; do
  for options in '--network ideal' '--network 10us,1GB/s' '--cpu 2' '--rank 0=3' '--balance'; do
    tarry predict "$case/traces.otf2" $options -o changed.cubex >out 2>err && tarry cube dump --csv changed.cubex >changed.csv &&
      "$PYTHON" "$TARRY_ROOT/tests/peer/check_invariants.py" changed.cubex changed.csv ||
      { echo "FAILED: $case $options"; cat err; failed=1; }
    tarry predict --workers 3 "$case/traces.otf2" $options -o - 2>err | cmp - changed.cubex || { echo "stdout: $case"; failed=1; }
  done
done
tarry cube diff changed.cubex replayed.cubex -o difference.cubex >/dev/null 2>err || { cat err; failed=1; }

# The report of a prediction tells that it is one, and of what.
tarry predict --cpu 2 peer/zoo-4/traces.otf2 -o faster.cubex >/dev/null || exit 1
tarry report faster.cubex | sed -n 1,4p >head
grep -q '^  predicted: --cpu 2$' head || { cat head; exit 1; }
tarry report --json faster.cubex | grep -q '"predicted": "--cpu 2"' || exit 1
exit $failed
