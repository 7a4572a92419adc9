# disk_forecast.sh -- a disk that will not hold the recording is announced, at the beginning, on the way and at the end.
. "$TARRY_ROOT/tests/cli/expect.bash"
. "$TARRY_ROOT/tests/cli/small_disk.bash"
"$MPICC" -O1 -o progress "$TARRY_ROOT/tests/apps/progress.c" || exit 1
lines() { grep -c 'are free on this disk' err; }

# 3 x 200 MB are too much, 3 x 2 MB are not; a summary needs nothing worth mentioning.
small_disk small 40m
run_it tarry measure -t -o small/a -- mpirun -np 3 ./progress 10
[ $status -eq 0 ] && [ "$(lines)" = 1 ] || complain "no forecast"
grep -q 'small/a: .* MB are free on this disk, and the event buffers of 3 processes may take 600 MB' err || complain "not this forecast"
works tarry archive verify small/a
run_it tarry measure -t --memory 2M -o small/b -- mpirun -np 3 ./progress 10
[ "$(lines)" = 0 ] || complain "a forecast without need"
run_it tarry measure -s -o small/c -- mpirun -np 3 ./progress 10
[ "$(lines)" = 0 ] || complain "a forecast for a summary"

# Room for the buffers, not for what is written out of them again and again.
small_disk tiny 6m
run_it tarry measure -t --memory 1M -o tiny/run -- mpirun -np 3 ./progress 20000
[ $status -eq 0 ] || complain "the program is disturbed"
grep -q 'tiny/run: .* are free on this disk, and the next events may take' err || complain "no forecast on the way"
[ "$(lines)" = 1 ] || complain "said more than once"

# What lies in memory until the end.
small_disk last 400k
TARRY_SPOOL=memory run_it tarry measure -t --memory 64M -o last/run -- mpirun -np 3 ./progress 2000
[ $status -eq 0 ] || complain "the program is disturbed at the end"
grep -q 'and the events in memory may take' err || complain "no forecast at the end"
exit $wrong
