# instrument_hard.sh -- signals, jumps out of handlers, fork, exec, deep calls, memory that is used up: traces stay whole.
# no-san
# mpich-long
set -eu
export TARRY_THROTTLE=off  # all visits count here
tarry instrument gcc -O2 -o hard "$TARRY_ROOT/tests/apps/instrumented/hard.c"
tarry instrument "$MPICC" -O2 -o hard_mpi "$TARRY_ROOT/tests/apps/instrumented/hard.c"
value() { tarry cube dump --csv "$1/summary.cubex" | awk -F, -v path="$2" '$1 == "visits" && $2 == path { print $5 }'; }
property() { tarry archive info "$1" | grep -q "$2" || { tarry archive info "$1"; echo "no '$2' in $1"; exit 1; }; }
equal() { [ "$1" = "$2" ] || { echo "$3: $1 instead of $2"; exit 1; }; }
# Enters and leaves of a trace are balanced, and never fewer leaves than enters.
balanced() {
  tarry archive dump "$1" | awk '/ ENTER / { ++depth } / LEAVE / { if (--depth < 0) bad = 1 } END { exit bad || depth != 0 }' ||
    { echo "$1: enters and leaves do not match"; exit 1; }
}

# A handler is recorded, except while it interrupts the recorder; main's calls all are.
tarry measure -q -s -t -o signals -- ./hard signals 200000 >out
read -r in_main in_handler <out
tarry archive verify signals
balanced signals
equal "$(value signals hard/main/signals/work)" "$in_main" "calls of work by main"
[ "$(tarry cube dump --csv signals/summary.cubex | awk -F, '$1 == "visits" && $2 ~ /on_alarm\/work$/ { sum += $5 } END { print sum + 0 }')" -le "$in_handler" ]

# A program that could call MPI is recorded at once if no launcher has started it; this one never does.
tarry measure -q -s -t -o waiting -- ./hard_mpi many 100000 >out
tarry archive verify waiting
balanced waiting
equal "$(value waiting hard_mpi/main/work)" 100001 "calls that waited"

# Under a launcher its events wait; they are there in the end.
tarry measure -q -s -t -o launched -- mpirun -np 1 ./hard_mpi many 1000 >out
tarry archive verify launched
equal "$(value launched hard_mpi/main/work)" 1001 "calls that waited under a launcher"

# Killed before its end it leaves what it has done: nothing waits for an MPI_Init that never comes.
tarry measure -q -t -o unfinished -- sh -c '
  ./hard_mpi many 10000000000 &
  for attempt in $(seq 100); do
    sleep 0.1
    ls unfinished/events | grep -qv "^job$" && break
  done
  sleep 0.3
  kill -9 $!' 2>err || true
tarry archive dump unfinished | head -100 >unfinished.events || true
grep -q 'ENTER.*"work"' unfinished.events

# MPI_Init in a process without launcher joins the recording that is on.
tarry instrument "$MPICC" -O2 -o loop "$TARRY_ROOT/tests/apps/instrumented/loop.c"
tarry measure -q -s -t -o single -- ./loop 20
tarry archive verify single
balanced single
tarry replay -q --strict single
equal "$(value single loop/main/MPI_Init)$(value single loop/main/MPI_Finalize)" 11 "MPI in a program without launcher"
equal "$(tarry archive dump single | grep -c MPI_COLLECTIVE_END)" "$(tarry archive dump single | grep -c 'ENTER.*"MPI_Allreduce"')" "collectives"

tarry measure -q -s -t -o jumps -- ./hard jumps 100 >out
tarry archive verify jumps
equal "$(tarry archive dump jumps | grep -c 'ENTER.*"main"')" 1 "main"
equal "$(value jumps hard/main/jumps)$(value jumps hard/main/work)" 11 "regions behind the jumps"

TARRY_DEPTH=100 tarry measure -q -s -t -o deep -- ./hard deep 5000 >out
tarry archive verify deep
balanced deep
equal "$(tarry archive dump deep | grep -c 'ENTER.*"deep"')" 99 "calls that are not too deep"
equal "$(value deep hard/main/work)" 1 "what follows"

tarry measure -q -s -t -o fork -- ./hard fork 1000 >out
tarry archive verify fork
equal "$(value fork hard/main/work)" 3 "calls in the parent"

# The program before exec is the one that is recorded.
tarry measure -q -t -o exec -- ./hard exec 1000 >out 2>err
grep -q 'holds another MPI job or program already' err
equal "$(tarry archive dump exec | grep -c ENTER)" 3 "calls before exec"

# The functions of a program that was killed have names, too.
tarry measure -q -t -o killed -- sh -c './hard many 1000000000 & sleep 0.4; kill -9 $!' 2>err || true
tarry archive dump killed | head -1000 >killed.events || true
grep -q 'ENTER.*"work"' killed.events

tarry measure -q -t --memory 1M -o flush -- ./hard many 1000000 >out
tarry archive verify flush
balanced flush
tarry archive dump flush | grep -q BUFFER_FLUSH
equal "$(tarry archive dump flush | grep -c ENTER)" 1000003 "calls in spite of a full memory"

for policy in stop ring; do
  tarry measure -q -t --memory 1M --when-full $policy -o $policy -- ./hard many 1000000 >out 2>err || { cat err; exit 1; }
  equal "$(cat out)" "1000000 0" "the program's output"
  grep -q 'events could not be recorded' err
  tarry archive verify $policy >verified && { echo "$policy: nothing is said to be missing"; exit 1; }
  tarry archive dump $policy >$policy.events
  balanced $policy
  lost=$(sed -n 's/.* LOST count=\([0-9]*\).*/\1/p' $policy.events)
  [ "$lost" -gt 1000000 ] && [ $((lost + $(grep -c 'ENTER\|LEAVE' $policy.events))) -ge 2000006 ]
done
# The latest, not the first.
tail -4 ring.events | grep -q '"work"'
awk '/ LOST / { lost = NR } END { exit !(lost && lost < 20) }' ring.events
awk '/ LOST / { lost = NR } END { exit !(lost > 1000) }' stop.events
