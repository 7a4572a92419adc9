# killed_in_write.sh -- a process that is killed in a call on a file leaves its begin, and all calls before it.
# no-san
set -euo pipefail
fail() { echo "$1"; exit 1; }
cc -std=gnu11 -O1 -Wall -Werror -o blocked_write "$TARRY_ROOT/tests/apps/blocked_write.c"
mkfifo pipe
for mode in "-t" "-s -t"; do
  run="run${mode// /}"
  # shellcheck disable=SC2086
  tarry measure -q $mode --io -o "$run" -- ./blocked_write pipe >said 2>&1 &
  # A pipe holds 16 writes of that size, and the next one waits. (The number of write() is that of x86-64 or ARM.)
  for ((i = 0; i < 600; ++i)); do
    child=$(pgrep -x -P $! blocked_write) && grep -Eqs '^(1|64) ' "/proc/$child/syscall" && break
    sleep 0.05
  done
  [ -n "$child" ] || fail "the program does not run: $(cat said)"
  kill -KILL "$child"
  wait $! && fail "a killed program has succeeded"
  tarry archive dump "$run" >events
  # The last two events are the begin of a call, at one time.
  tail -n 2 events | awk '{ print $4 }' | tr '\n' ' ' | grep -q '^ENTER IO_OPERATION_BEGIN $' || fail "no begin: $(tail -n 4 events)"
  begun=$(grep -c ' IO_OPERATION_BEGIN ' events) ended=$(grep -c ' IO_OPERATION_COMPLETE ' events)
  [ "$begun" = 17 ] && [ "$ended" = 16 ] || fail "$begun calls have begun, $ended have ended"
  [ "$mode" = -t ] || [ "$(tarry report --files --csv "$run/summary.cubex" | awk -F, '$1 == "pipe" { print $6 }')" = 16 ] ||
    fail "the summary has other calls"
done
