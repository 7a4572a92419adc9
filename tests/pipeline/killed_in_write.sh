# killed_in_write.sh -- a process that is killed in a call on a file leaves its begin, and all calls before it. They are
# short: what they have in common is written once.
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

# Killed at any moment, it leaves what it has counted, and at most one call more.
cc -std=gnu11 -O1 -Wall -Werror -o counted_writes "$TARRY_ROOT/tests/apps/counted_writes.c"
for delay in 0.01 0.05 0.1 0.2; do
  rm -rf run count
  tarry measure -q -s -t --io -o run -- ./counted_writes out count >said 2>&1 &
  until child=$(pgrep -x -P $! counted_writes) && [ -s count ]; do sleep 0.01; done
  sleep $delay
  kill -KILL "$child"
  wait $! && fail "a killed program has succeeded"
  counted=$(od -An -t u8 count | tr -d ' ')
  tarry archive dump run | awk '$4 == "IO_OPERATION_COMPLETE" || $4 == "IO_OPERATION_BEGIN" { ++n[$4] } END { print n["IO_OPERATION_BEGIN"], n["IO_OPERATION_COMPLETE"] }' >found
  read -r begun ended <found
  [ "$begun" -ge "$ended" ] && [ "$begun" -le $((ended + 1)) ] || fail "$begun have begun, $ended have ended"
  [ "$counted" -gt 0 ] && [ "$ended" -ge "$counted" ] && [ "$ended" -le $((counted + 1)) ] || fail "$ended calls instead of $counted"
  told=$(tarry report --files --csv run/summary.cubex | awk -F, '$1 == "out" { print $6 }')
  [ "$told" -ge "$counted" ] && [ "$told" -le $((counted + 1)) ] || fail "the summary has $told calls instead of $counted"
done

# A call is four events. All have a record of five bytes but those that want another number of bytes than the one before.
# The summary knows how long the records are, but for those of each block.
rm -rf run count
tarry measure -q -s -t --io -o run -- ./counted_writes out count 100000
tarry archive dump run | grep -c ' IO_OPERATION_COMPLETE ' >found
[ "$(cat found)" = 100000 ] || fail "$(cat found) calls instead of 100000"
tarry archive info run >info
awk '/^per event/ { exit !($3 > 1.2 && $3 < 1.4) }' info || fail "records are long: $(grep '^per event' info)"
told=$(tarry cube dump --csv -m trace_bytes run/summary.cubex | awk -F, '$2 ~ /pwrite$/ { print $5 }')
awk -v told="$told" '/^events/ { events = $2 } /^per event/ { bytes = $3 * events } END { exit !(told / bytes > 0.99 && told / bytes < 1.01) }' info ||
  fail "the summary tells of $told bytes: $(cat info)"
