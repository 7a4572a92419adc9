# replay_window.sh -- reports of parts of a run add up to the report of the whole; any number of threads and processes
# finds the same.
# timeout 300
# no-san
set -u
. "$TARRY_ROOT/tests/peer/unpack.bash"
unpack_peer_cases zoo-4 sp-mz-S-2x2 micro random >cases || exit 1
failed=0
fail() { echo "FAILED: $1"; failed=1; }

# add_up CASE WINDOW...: the windows share out the time.
add_up() {
  local case=$1 parts=() window
  shift
  tarry replay -q --workers 1 "$case/traces.otf2" -o whole.cubex && tarry cube dump --csv whole.cubex >whole.csv ||
    { fail "$case"; return; }
  for window in "$@"; do
    tarry replay -q --workers 1 --window "$window" --instances 3 "$case/traces.otf2" -o part.cubex &&
      tarry cube dump --csv part.cubex >"part$window.csv" || { fail "$case $window"; return; }
    parts+=("part$window.csv")
  done
  "$PYTHON" "$TARRY_ROOT/tests/peer/compare_parts.py" whole.csv "${parts[@]}" || fail "$case: $*"
}
add_up peer/zoo-4 :0.45 0.45:0.5 0.5:
add_up peer/sp-mz-S-2x2 :0.05 0.05:0.0712345 0.0712345:
for case in $(grep -E 'micro/g[0-9]|random/r10(02|05|12|2.)$' cases); do
  add_up "$case" :3.1 3.1:4.75 4.75:7.03 7.03:9.5 9.5: | tail -12
  [ "${PIPESTATUS[0]}" -eq 0 ] || failed=1
done

# same CASE HOW COMMAND...: COMMAND writes other.cubex, which must equal part.cubex.
same() {
  local how=$1
  shift
  rm -f other*
  "$@" >other.out 2>&1 && cmp part.cubex other.cubex && cmp part-instances.csv other-instances.csv &&
    cmp part.path other.path || { cat other.out; fail "$how"; }
}
for options in '--window 0.02:0.06' '--phase sp --window 0.02:0.07' \
  '--phase *omp*parallel* --patterns delay*,mpi_*,critical*'; do
  run() { "${@}" -q --instances 3 $options peer/sp-mz-S-2x2/traces.otf2; }
  set -f
  run tarry replay --workers 1 -o part.cubex --critical-path part.path || fail "$options"
  for workers in 2 3; do
    same "$options, $workers threads" run tarry replay --workers $workers -o other.cubex --critical-path other.path
  done
  for processes in 2 3; do
    same "$options, $processes processes" \
      run mpirun -np $processes tarry replay --workers 1 -o other.cubex --critical-path other.path
  done
  set +f
done
exit $failed
