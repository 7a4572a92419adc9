# lost_events.sh -- events that found no memory are counted once, by every tool alike.
. "$TARRY_ROOT/tests/cli/expect.bash"
"$MPICC" -O1 -o progress "$TARRY_ROOT/tests/apps/progress.c" || exit 1
tarry measure -t --memory 1M --when-full stop -o run -- mpirun -np 2 ./progress 40000 >/dev/null 2>err
lost=$(tarry archive dump run 2>/dev/null | sed -n 's/.* LOST count=//p' | awk '{ sum += $1 } END { printf "%d", sum }')
[ "$lost" -gt 1000 ] || { status=0; complain "no events were lost: $lost"; }
grep -q "$lost events could not be recorded" err || { status=0; complain "measure does not say $lost"; }
for command in "archive info" "archive verify" "archive dump" replay "sync --check" "merge --to csv -o run.csv"; do
  tarry $command run >out 2>err
  status=$?
  grep -hoE '[0-9]+ (lost events?|events could not be recorded)' out err | grep -v "^$lost " && complain "$command counts others than $lost"
  grep -hq "$lost" out err || complain "$command does not say $lost"
done
tarry report run >out 2>err
status=$?
grep -q "$lost" out || complain "report does not say $lost"
grep -qE 'the recording of ranks? [01,-]+ ended after .*: the memory for events is used up' out || complain "why it ended"
grep -q 'killed' out && complain "somebody is said to be killed"
grep -q 'did not close' err && complain "a process is said not to have closed its recording"

# Of a ring the latest events are left, and no process has ended early.
tarry measure -q -t --memory 1M --when-full ring -o ring -- mpirun -np 2 ./progress 40000 >/dev/null 2>measured
tarry replay -q ring >/dev/null 2>>measured
tarry report ring >out 2>err
status=$?
cat measured out >all
grep -qE 'INCOMPLETE: .* lost events' all || complain "nothing is lost in the ring"
grep -E 'killed|did not close|ended after|ended early' all && complain "the ring has ended early"
exit $wrong
