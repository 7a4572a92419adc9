# hpcc.sh -- the HPC Challenge benchmark, as packaged: computes and verifies the same when it is measured.
# timed
# no-san
# timeout 240
command -v hpcc >/dev/null || { echo "hpcc is not installed"; exit 77; }
. "$TARRY_ROOT/tests/pipeline/real_program.bash"

"$TARRY_ROOT/tests/real/inputs/hpcc.sh" 256 2

# Verdicts, sizes and residuals; no rates and no times, nor what RandomAccess gets done in a given time.
keep_results() {
  grep -E '^[A-Za-z_]+=|passed|PASSED|FAILED|failed|Validates|with error' |
    grep -vE '^(WALL|CPU) |^[A-Za-z_]*(Bandwidth|Latency|time|Time|GUPs|flops|GBs|STREAM_(Add|Copy|Scale|Triad)|ExeUpdates)'
}

compare_measured keep_results hpccoutf.txt mpirun -np 4 hpcc || exit 1
test "$(wc -l <plain.output.kept)" -gt 90
