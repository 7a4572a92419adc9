# endless_step.sh -- a thread that is in the midst of the recorder when the process ends, and stays there: the process
# ends as it should, and what is recorded is told to be incomplete, and can be read.
# serial
# no-san
set -u
failed=0
export TARRY_THROTTLE=off  # each step is one of the recorder
complain() { echo "FAILED: $*"; failed=1; }
tarry instrument gcc -O1 -pthread -o endless "$TARRY_ROOT/tests/apps/endless_step.c" || exit 1
for options in -s -t "-s -t --memory 1M"; do
  rm -rf run
  # shellcheck disable=SC2086
  timeout 60 tarry measure $options -o run -- ./endless >out 2>err
  status=$?
  [ "$status" = 3 ] && [ "$(cat out)" = leaving ] || complain "$options: status $status: $(cat out err)"
  grep -q 'incomplete: .*a thread was still being recorded when the program ended' err ||
    complain "$options: not told: $(cat err)"
  tarry archive verify run >verify 2>&1
  grep -q '^run: intact, incomplete' verify || complain "$options: $(cat verify)"
  # Two seconds in which the recorder waits are not the program's.
  [ -e run/summary.cubex ] || tarry replay -q run 2>err || complain "$options: $(cat err)"
  tarry report --json run | python3 -c 'import json, sys; sys.exit(not 0.1 <= json.load(sys.stdin)["wall"] < 1.5)' ||
    complain "$options: $(tarry report run | head -3)"
done
[ $failed = 0 ]
