# who_ended_it.sh -- the rank that ends the program is named, not those that end with it: MPI_Abort, a fatal error of MPI.
# Also why the recording of a process ended before the process, and that an archive without a recording makes room.
# no-san
# mpich-long
# timeout 240
set -u
failed=0
complain() { echo "$1: $2"; cat "$1.err" "$1.out" 2>/dev/null; failed=1; }
"$MPICC" -std=gnu11 -O1 -g -Wall -Werror -o ends "$TARRY_ROOT/tests/apps/who_ends.c" || exit 1

# told NAME TEXT OPTIONS COMMAND...: the status is as bare, and `tarry measure`, the archive and the report say TEXT.
told() {
  local name=$1 text=$2 options=$3 bare said="$1 is incomplete: $2"
  shift 3
  "$@" >"$name.bare" 2>/dev/null
  bare=$?
  # shellcheck disable=SC2086  # several options
  tarry measure $options -o "$name" -- "$@" >"$name.out" 2>"$name.err"
  [ $? = $bare ] || complain "$name" "not status $bare"
  cmp "$name.bare" "$name.out" || complain "$name" "other output"
  grep -qF "$said" "$name.err" || complain "$name" "not said at the end"
  tarry archive info "$name" | grep -qF "$text" || complain "$name" "not in the archive"
  case $options in *-t*) tarry replay -q "$name" 2>/dev/null || complain "$name" "replay" ;; esac
  tarry report "$name" | tr -s '\n ' ' ' >"$name.report"
  grep -qF "INCOMPLETE: $text" "$name.report" || complain "$name" "not in the report: $(grep -o 'INCOMPLETE.*' "$name.report")"
  tarry report --json "$name" | grep -qF "$text" || complain "$name" "not in the report for machines"
}
told abort_traced "rank 1 called MPI_Abort" "-t" mpirun -np 2 ./ends abort
told abort_counted "rank 1 called MPI_Abort" "-s" mpirun -np 2 ./ends abort
# Both call it, rank 0 half a second later: who is first kills the other, if that is quick.
told abort_both "rank 1 called MPI_Abort" "-s -t" mpirun -np 2 ./ends abort-both
told error "rank 1 ended the program in MPI_Send" "-s -t" mpirun -np 2 ./ends error
told error_in_handler "rank 1 called MPI_Abort" "-t" mpirun -np 2 ./ends handler

# A process that leaves for a reason of its own is no cause.
tarry measure -t -o left -- mpirun -np 2 ./ends leave >left.out 2>left.err
grep -E "called MPI_Abort|ended the program" left.err && complain left "blames a process that has left"

# In a sandbox.
sandbox="a recording ended early: the program entered a sandbox (seccomp)"
tarry measure -s -t -o boxed -- mpirun -np 1 ./ends sandbox >boxed.out 2>boxed.err || complain boxed "status $?"
grep -qF "$sandbox" boxed.err || complain boxed "not said at the end"
tarry replay -q boxed 2>/dev/null
tarry report boxed | tr -s '\n ' ' ' | grep -q "INCOMPLETE: the recording of rank 0 ended after .*: the program entered a sandbox" ||
  complain boxed "not in the report: $(tarry report boxed)"
tarry report --json boxed | grep -q "the program entered a sandbox" || complain boxed "not in the report for machines"
tarry measure -s -o boxed_counts -- mpirun -np 1 ./ends sandbox >boxed.out 2>boxed.err || complain boxed "status $?"
tarry report boxed_counts | tr -s '\n ' ' ' | grep -qF "$sandbox" || complain boxed_counts "not in the report"

# Without a recording, the name is free again. With one it is not, nor with anything else in the folder.
tarry measure -s -o again -- mpirun -np 2 ./no_such_program >again.out 2>again.err && complain again "status 0"
tarry archive info again | grep -q "^missing *nothing was recorded: " || complain again "says no reason"
tarry measure -s -o again -- true >again.out 2>again.err || complain again "cannot be used again: status $?"
touch again/mine
tarry measure -s -o again -- true >again.out 2>again.err && complain again "a file of the user's is no reason to stop"
[ -e again/mine ] && [ -e again/manifest.xml ] && rm again/mine || complain again "a file of the user's is gone"
for n in 1 2 3 4; do tarry measure -s -o again -- mpirun -np 1 ./ends all >again.out.$n 2>again.err.$n & done
wait
[ "$(cat again.err.* | grep -c 'holds a summary of 1 process')" = 1 ] || complain again "not one of four: $(cat again.err.*)"
[ "$(cat again.err.* | grep -c 'exists already')" = 3 ] || complain again "not three of four: $(cat again.err.*)"
tarry measure -s -o again -- true >again.out 2>again.err && complain again "a recording is overwritten"
exit $failed
