# peer_cases.sh -- traces that the reference analyser has analysed: with --compat every metric we have is its own;
# without it, only those differ that a quirk of lib/analysis/compatibility.hpp touches.
# timeout 600
set -u
. "$TARRY_ROOT/tests/peer/unpack.bash"
compare() { "$PYTHON" "$TARRY_ROOT/tests/peer/compare_reports.py" "$@"; }
metrics=$(tarry replay --list-patterns | awk '{print $1}' | paste -sd,)

# By quirk: wrong_order_by_first and short_wrong_order_memory; point_to_point_by_role; those of root causes and of the
# critical path; ignores_one_sided. No case here has receives that complete in another order than they were posted, so match_by_completion
# changes nothing.
touched_by_quirks='mpi_latesender_wo|mpi_lswo_.*|mpi_(cls|sls)wo_count|mpi_point2point|mpi_communication'
touched_by_quirks+='|delay.*|waitstates_.*|mpi_wait_(direct|indirect|propagating|terminal).*'
touched_by_quirks+='|mpi_rma_.*|bytes(_rma|_put|_get)?'
# ignores_creation and ignores_vector_exchanges; no case has what the other switches for missing patterns are about.
touched_by_quirks+='|mpi_mgmt_comm_wait|mpi_wait_nxn'
touched_by_quirks+='|(non_)?critical_.*|performance_impact.*|(intra|inter)_partition_imbalance'

cases=$(unpack_peer_cases zoo-4 sweep3d-4 sweep3d-64 npb-lu-S-4 npb-cg-S-4 sp-mz-S-2x2 bt-mz-S-2x2 micro \
  random) || exit 1
test "$(echo "$cases" | wc -l)" -eq 52 || { echo "52 cases expected"; exit 1; }
failed=0
for case in $cases; do
  echo "== $case"
  tarry replay -q --strict --compat "$case/traces.otf2" -o "$case/compat.cubex" &&
    tarry replay -q --strict "$case/traces.otf2" -o "$case/default.cubex" &&
    tarry cube dump --csv "$case/compat.cubex" >"$case/compat.csv" &&
    tarry cube dump --csv "$case/default.cubex" >"$case/default.csv" || { echo "FAILED: $case"; failed=1; continue; }
  compare "$case/gold.csv" "$case/compat.csv" --only "$metrics" >"$case/differences" ||
    { grep -v ' 0 differ$' "$case/differences"; echo "FAILED: $case"; failed=1; }
  tail -1 "$case/differences"
  # ignores_polls: a single case tests in vain, right before it waits for a message that was sent during the test.
  polls=$(grep -q '^mpi_latesender_polled,' "$case/default.csv" && echo '|mpi_latesender(_polled)?|mpi_(cls|sls)_count')
  compare --names "$case/compat.csv" "$case/default.csv" | grep -vxE "$touched_by_quirks$polls" &&
    { echo "FAILED: $case: these differ without --compat, and no quirk touches them"; failed=1; }
done
exit $failed
