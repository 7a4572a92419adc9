# jumps_out_of_writes.sh -- a jump out of a signal handler ends calls on files, and steps of the recorder: all is whole.
# no-san
set -euo pipefail
fail() { echo "$1"; exit 1; }
cc -std=gnu11 -O1 -Wall -Werror -o jumps "$TARRY_ROOT/tests/apps/jumps_out_of_writes.c"
for mode in "-t" "-s -t"; do
  run="run${mode// /}"
  # shellcheck disable=SC2086
  tarry measure -q $mode --io -o "$run" -- ./jumps out 4000
  tarry archive verify "$run"
  tarry replay -q --strict "$run"
  tarry archive dump "$run" | awk '{ ++n[$4] } END { print n["ENTER"], n["LEAVE"], n["IO_OPERATION_BEGIN"], n["IO_OPERATION_COMPLETE"] }' >found
  read -r entered left begun ended <found
  [ "$entered" = "$left" ] || fail "$entered enters and $left leaves"
  # Some calls were left by a jump.
  [ "$ended" -gt 0 ] && [ "$begun" -gt "$ended" ] && [ "$begun" -le $((ended + 4000)) ] || fail "$begun calls have begun, $ended have ended"
done
