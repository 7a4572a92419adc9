# hpcc.sh -- the HPC Challenge benchmark, as packaged: computes and verifies the same when it is measured.
# serial
# no-san
# timeout 240
command -v hpcc >/dev/null || { echo "hpcc is not installed"; exit 77; }
. "$TARRY_ROOT/tests/pipeline/real_program.bash"

# Only the first word of a line counts. N = 256 on a 2 x 2 grid, no extra sizes for the transposition.
cat >hpccinf.txt <<'INPUT'
our input
small
HPL.out   file
8         to that file
1         size
256       N
1         block size
32        NB
0         row-major
1         grid
2         P
2         Q
16.0      threshold
1         panel factorisation
2         right-looking
1         recursion stop
4         NBMIN
1         panels
2         NDIV
1         recursive factorisation
1         Crout
1         broadcast
1         1rM
1         lookahead
1         depth
2         mixed swap
64        swapping threshold
0         L1 transposed
0         U transposed
1         equilibration
8         alignment
-
0         sizes for PTRANS
1200      unused
0         block sizes for PTRANS
40        unused
INPUT

# Verdicts, sizes and residuals; no rates and no times, nor what RandomAccess gets done in a given time.
keep_results() {
  grep -E '^[A-Za-z_]+=|passed|PASSED|FAILED|failed|Validates|with error' |
    grep -vE '^(WALL|CPU) |^[A-Za-z_]*(Bandwidth|Latency|time|Time|GUPs|flops|GBs|STREAM_(Add|Copy|Scale|Triad)|ExeUpdates)'
}

compare_measured keep_results hpccoutf.txt mpirun -np 4 hpcc || exit 1
test "$(wc -l <plain.output.kept)" -gt 90
