# dilation.sh -- what score predicts of recording is about what it takes, on five programs, filtered and not: printed side
# by side. No strict bounds: times depend on what else the machine does.
# serial
# long
# timeout 900
set -u
failed=0
for program in hot_function small_templates element_loop lu_sweeps hpcg_levels; do
  python3 "$TARRY_ROOT/bench/bench_dilation.py" --runs 3 "$(dirname "$(command -v tarry)")" "$TARRY_BUILD/lib/libtarry-mpi.so" \
    compare $program || { echo "FAILED: $program"; failed=1; }
done
exit $failed
