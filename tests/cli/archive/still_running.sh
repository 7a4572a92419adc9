# still_running.sh -- an archive that is still being recorded can be analysed, and nobody is said to be killed.
. "$TARRY_ROOT/tests/cli/expect.bash"
"$MPICC" -O1 -o progress "$TARRY_ROOT/tests/apps/progress.c" || exit 1
tarry measure -q -t --memory 1M -o run -- mpirun -np 2 ./progress 100000000 >measured.out 2>measured.err &
measure=$!
for i in $(seq 200); do
  sleep 0.1
  tarry replay run -o so_far.cubex >out 2>said || continue
  tarry report so_far.cubex >out 2>err  # before MPI_Init there is nothing to report
  status=$?
  [ $status -ne 0 ] || break
done
grep -q 'is still being recorded; the report covers what is on disk' said || complain "it is not said that it goes on"
grep -qE 'INCOMPLETE: the recording of ranks? [01,]+ ended after .*: the run is not over' out || complain "not why it is incomplete"
grep -q 'killed' said out && complain "somebody is said to be killed"
pkill -KILL -P $measure
wait $measure
tarry replay run -o whole.cubex >out 2>said
grep -q 'was killed' said || complain "now somebody has been killed"
exit $wrong
