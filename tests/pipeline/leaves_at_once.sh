# leaves_at_once.sh -- a program without MPI that ends by _exit() has a complete recording, unless a signal handler calls it.
# no-san
set -u
failed=0
complain() { echo "FAILED: $1"; failed=1; }
gcc -std=gnu11 -O1 -g -Wall -Werror -o leaves "$TARRY_ROOT/tests/apps/leaves_at_once.c" -lpthread || exit 1

for options in -s -t "-s -t --sample"; do
  for how in main standard thread children handler; do
    run="$how${options// /}"
    # shellcheck disable=SC2086  # several options
    timeout 20 tarry measure $options -o "$run" -- ./leaves "$how" >out 2>err
    [ $? = 3 ] || complain "$run: another status"
    grep -qx leaving out || complain "$run: another output"
    expected=yes
    [ "$how" = handler ] && expected=no
    grep -q "complete=\"$expected\"" "$run/manifest.xml" || complain "$run: complete is not $expected: $(cat err)"
    [ $expected = no ] && continue
    tarry archive verify "$run" >out 2>&1 || complain "$run: $(cat out)"
    case $options in *-t*)
      tarry replay -q --strict "$run" 2>err || complain "$run: $(cat err)"
      events=$(tarry archive dump "$run" | grep -c "ENTER.*pthread_mutex_lock\|THREAD_ACQUIRE_LOCK")
      [ "$events" -ge 20 ] || complain "$run: $events locks"
    esac
  done
done
exit $failed
