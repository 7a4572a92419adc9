# inside_launcher.sh -- `mpirun -np 4 tarry measure -- ./app`: the processes of a job record into one archive.
# no-san
# mpich
# timeout 300
set -u
. "$TARRY_ROOT/tests/pipeline/several_programs.bash"
failed=0
# UCX takes its time to write a backtrace: the launcher may have killed the process by then.
export UCX_HANDLE_ERRORS=none
"$MPICC" -std=gnu11 -O1 -Wall -Werror -DROUNDS=20 -o end "$TARRY_ROOT/tests/apps/end.c" || exit 1
cp end other
complain() { echo "$1: $2"; cat "$1.err" "$1.out" 2>/dev/null; failed=1; }

# is_whole NAME RANKS: complete, all ranks there, each with its rounds; analysed without a complaint; said once.
is_whole() {
  local name=$1 ranks=$2 found
  grep -q "<run .*ranks=\"$ranks\".*complete=\"yes\"" "$name/manifest.xml" ||
    { complain "$name" "not complete"; return; }
  found=$(tarry archive dump "$name" | grep -c ' ENTER .*"MPI_Barrier"')
  [ "$found" -eq $((20 * ranks)) ] || complain "$name" "$found rounds"
  [ "$(grep -c "$name holds a trace of $ranks processes" "$name.err")" = 1 ] || complain "$name" "not said once"
  tarry replay -q --strict "$name" || complain "$name" "cannot be analysed"
  [ ! -e "$name/events/meetings" ] || complain "$name" "marks are left"
}

mpirun -np 3 ./end return 0 >bare.out 2>bare.err
mpirun -np 3 tarry measure -t -o named -- ./end return 0 >named.out 2>named.err || complain named "status $?"
is_whole named 3
diff <(sort bare.out) <(sort named.out) || complain named "other output"

# The name is taken: nothing runs, which is said.
mpirun -np 3 tarry measure -t -o named -- touch ran >taken.out 2>taken.err && complain taken "status 0"
grep -q 'named: exists already' taken.err && [ ! -e ran ] || complain taken "not said, or run"

# Without a name all agree on one: that of the first program.
for name in tarry-end-1 tarry-end-2; do
  mpirun -np 2 tarry measure -t ./end return 0 >$name.out 2>$name.err || complain $name "status $?"
  is_whole $name 2
done
if [ -n "$has_several" ]; then
  two="tarry measure -t -o two"
  # shellcheck disable=SC2086  # several words
  mpirun -np 1 $two ./end return 0 : -np 2 $two ./other return 0 >two.out 2>two.err || complain two "status $?"
  is_whole two 3
  mpirun -np 1 tarry measure -t ./end return 0 : -np 1 tarry measure -t ./other return 0 >several.out 2>several.err ||
    complain several "status $?"
  set -- tarry-*-[13]
  [ $# = 2 ] || complain several "not one archive, but $*"
fi
[ -z "$(find . -maxdepth 1 -name '.tarry-*')" ] || complain several "left $(ls -A)"

# A script between the launcher and us, with several measurements.
printf '#!/bin/sh\ntarry measure -t -o one -- ./end return 0 && tarry measure -t -o other_one -- true\n' >script.sh
chmod +x script.sh
mpirun -np 2 ./script.sh >one.out 2>one.err || complain one "status $?"
is_whole one 2
[ "$(grep -c 'nothing was recorded: true' one.err)" = 1 ] || complain one "the second measurement"

# A process without us makes nobody wait.
if [ -n "$has_several" ]; then
  timeout 60 mpirun -np 1 ./end return 0 : -np 1 tarry measure -t -o partly -- ./end return 0 >partly.out 2>partly.err ||
    complain partly "status $?"
  [ "$(grep -c 'the recorder is in 1 of 2 processes only' partly.err)" = 1 ] || complain partly "not said"
fi

# Recorded from outside already.
tarry measure -t -o twice -- mpirun -np 2 tarry measure -t -o inner -- ./end return 0 >twice.out 2>twice.err ||
  complain twice "status $?"
is_whole twice 2
[ ! -e inner ] || complain twice "an inner archive"
[ "$(grep -c 'this job is recorded already' twice.err)" = 1 ] || complain twice "not said once"

# Endings: as without us, the archive complete or to be closed.
# ends NAME COMMAND...: a status that the launcher has without us, and what it says of it. None of the commands ends with
# 0. Where a process is killed, MPICH's launcher has 0, 9 or the signal by chance, bare or not.
ends() {
  local name=$1 status=0 tries=1
  local -A bare=()
  shift
  [ "$TARRY_TEST_MPI" = mpich ] && tries=10
  for _ in $(seq $tries); do
    mpirun -np 2 "$@" >/dev/null 2>"$name.log"
    status=$?
    mv "$name.log" "$name.bare.$status"
    [ $status = 0 ] || bare[$status]=yes
  done
  for _ in $(seq $tries); do
    rm -rf "$name"
    mpirun -np 2 tarry measure -t -o "$name" -- "$@" >"$name.out" 2>"$name.err"
    status=$?
    [ -z "${bare[$status]:-}" ] || break
  done
  [ -n "${bare[$status]:-}" ] || complain "$name" "not status ${!bare[*]}, but $status"
  for log in "$name.bare.$status" "$name.err"; do
    grep -iE 'exited on|exit code:|exit string:' "$log" | tr -d '[:digit:]' >"$log.told"
  done
  cmp "$name.bare.$status.told" "$name.err.told" || complain "$name" "the launcher says something else"
  [ -e "$name/definitions.tdef" ] || tarry unify -q "$name" 2>"$name.unify" || complain "$name" "cannot be closed"
  grep -q '<run .*ranks="2"' "$name/manifest.xml" || complain "$name" "not 2 ranks"
}
ends returned_3 ./end return 3
ends killed ./end signal 9
ends segv ./end signal 11
ends aborted ./end abort 5
mpirun -np 2 tarry measure -t -o missing -- ./no_such_program >missing.out 2>missing.err && complain missing "status 0"
# Each process makes a folder and tries to give it the name; those of the others go away.
ls -d ./*.tmp 2>/dev/null && { echo "drafts are left"; failed=1; }
[ $failed = 0 ] || exit 1
skip_without_several
