# annotations_hostile.sh -- calls of NVTX that make no sense: the program prints and returns the same, and the archive is
# intact.
# no-san
set -u
failed=0
fail() { echo "FAILED: $1"; failed=1; }
unset NVTX_INJECTION64_PATH
${CC:-gcc} -O1 -g "$TARRY_ROOT/tests/apps/annotated.c" -o annotated -pthread -ldl || exit 1

# In the main thread, in four more, in signal handlers, in a child, and behind main().
for seed in $(seq 1 "${KINDS:-60}"); do
  rm -rf run
  tarry measure -q -s -t -o run -- ./annotated hostile $seed >out 2>err
  status=$?
  [ $status = 5 ] || fail "$seed: status $status"
  [ "$(cat out)" = "hostile 7" ] || fail "$seed: prints $(cat out)"
  grep -v 'more than 4,096 names' err | grep -v 'tarry-measure: warning.*lost' >other.err
  [ -s other.err ] && fail "$seed: $(head -3 other.err)"
  [ "$(grep -c 'more than 4,096 names' err)" -le 1 ] || fail "$seed: says it more than once"
  tarry archive verify run >/dev/null || fail "$seed: the archive is not intact"
  tarry replay -q --strict run 2>err || fail "$seed: is not analysed: $(cat err)"
done
exit $failed
