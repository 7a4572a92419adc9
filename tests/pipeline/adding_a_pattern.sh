# adding_a_pattern.sh -- docs/ADDING_A_PATTERN.md, followed word by word in a copy of the tree, adds a wait state.
# long
# timeout 1800
# no-san
set -eu
fail() { echo "FAILED: $*"; exit 1; }
. "$TARRY_ROOT/tests/peer/unpack.bash"

mkdir tree
tar -C "$TARRY_ROOT" --exclude=./build --exclude=./.git -cf - . | tar -xf - -C tree
"$PYTHON" "$TARRY_ROOT/tests/pipeline/follow_document.py" tree/docs/ADDING_A_PATTERN.md tree
make -C tree -j2 CI=1 BUILD=build bin/tarry-replay bin/tarry-cube build/tests/unit/analysis_tests \
  build/tests/unit/report_tests >build.log 2>&1 || { tail -30 build.log; fail 'the copy does not build'; }
(cd tree && TARRY_ROOT=. build/tests/unit/analysis_tests --gtest_filter='LateReceiver*' >/dev/null) ||
  fail 'unit test of the new wait state'
(cd tree && TARRY_ROOT=. build/tests/unit/report_tests --gtest_filter='Catalogue*:WaitKinds*' >/dev/null) ||
  fail 'catalogue of metrics'

PATH=$PWD/tree/bin:$PATH
tarry-replay --list-patterns | grep -q '^mpi_latereceiver_empty .*late_receiver_empty.cpp$' || fail 'no such metric'
found=0
for case in $(unpack_peer_cases zoo-4 micro random); do
  tarry-replay -q --strict "$case/traces.otf2" -o new.cubex --instances 5 || fail "replay of $case"
  tarry-cube dump --csv new.cubex >new.csv
  "$PYTHON" "$TARRY_ROOT/tests/peer/check_invariants.py" new.cubex new.csv || fail "invariants of $case"
  # Every wait for an empty message counts there, and none without one.
  "$PYTHON" - new.csv <<'END' && found=$((found + 1))
import collections, csv, sys
sums = collections.defaultdict(float)
for metric, path, rank, thread, value in list(csv.reader(open(sys.argv[1])))[1:]:
    sums[metric] += float(value)
empty, count = sums["mpi_latereceiver_empty"], sums["mpi_slr_count"]
assert (empty > 0) == (count > 0), (empty, count)
assert empty <= sums["mpi_latereceiver"] * (1 + 1e-9)
sys.exit(count == 0)
END
done
test $found -gt 0 || fail 'no case has a wait for an empty message'
echo "$found cases have waits for empty messages"
