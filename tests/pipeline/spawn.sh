# spawn.sh -- processes that a program starts by MPI_Comm_spawn are recorded into its archive, with numbers that go on
# from its own: messages, operations and windows between the worlds find their partners, and nothing is said. Where the
# recorder is not in all of them, the program runs as without us, and the archive says what it does not hold.
# mpich-long
# no-san
# timeout 240
set -eu
. "$TARRY_ROOT/tests/pipeline/several_programs.bash"
fail() { echo "spawn.sh: $1"; exit 1; }
for program in spawn worlds; do
  "$MPICC" -std=gnu11 -O1 -Wall -Werror -o $program "$TARRY_ROOT/tests/apps/$program.c"
done

# Debian's MPICH 4.0 is built for UCX, with which it cannot spawn.
if [ "$TARRY_TEST_MPI" = mpich ] && ! mpirun -np 1 ./worlds each >out 2>&1; then
  grep -q 'MPI_Comm_spawn.*failed' out || fail "$(cat out)"
  echo "this MPICH cannot spawn processes"
  exit 77
fi

# facts ARCHIVE RANKS: it is complete, and its processes are so many.
facts() {
  grep -q "<run .*ranks=\"$2\".*complete=\"yes\"" "$1/manifest.xml" || fail "$1: $(grep '<run' "$1/manifest.xml")"
  ! test -e "$1/events/meetings" || fail "$1: meetings are left"
  tarry archive verify "$1" >said.txt || fail "$1: $(cat said.txt)"
  tarry replay -q --strict "$1" 2>said.txt || fail "$1: $(cat said.txt)"
}

# sends ARCHIVE NUMBER
sends() {
  found=$(tarry archive dump "$1" | grep -c 'MPI_SEND \|MPI_ISEND ')
  test "$found" = "$2" || fail "$1: $found sends instead of $2"
}

tarry measure -q -s -t -o run -- mpirun -np 2 ./spawn 2>said.txt
test ! -s said.txt || fail "$(cat said.txt)"
facts run 4
sends run 8
tarry sync -q run
tarry cube dump --csv run/analysis.cubex | grep '^visits,spawn/main/MPI_Comm_spawn,1,0,1$'

# run CASE RANKS
run() {
  tarry measure -q -t --callpaths off -o "$1" -- mpirun -np 2 ./worlds "$1" >out 2>said.txt
  test ! -s said.txt || fail "$1: $(cat said.txt)"
  test "$(grep -c '^[a-z]* [a-z]*: done' out)" = 4 || fail "$1: $(cat out)"
  facts "$1" "$2"
}
run late 4
sends late 7
run each 4
sends each 2
run deep 4
sends deep 5
run meet 4
sends meet 9
run strange 4
sends strange 13

# waits_are_right CASE CALL NUMBER...: the processes 2 and 3 wait 0.2 s, stretched, in a receive from another world. The
# sleep of the processes with these numbers is why.
waits_are_right() {
  tarry cube dump --csv "$1/analysis.cubex" >late.csv
  "$PYTHON" - "$@" <<'END'
import os
import sys
call, late = sys.argv[2], [int(number) for number in sys.argv[3:]]
stretch = int(os.environ.get("TARRY_TEST_STRETCH", 1))
seconds = {}
for line in open("late.csv").readlines()[1:]:
    metric, path, rank, thread, value = line.rstrip().rsplit(",", 4)
    seconds[metric, path, int(rank)] = float(value) / stretch
waits = {rank: value for (metric, path, rank), value in seconds.items()
         if metric == "mpi_latesender" and path.endswith(f"/{call}") and value > 0.01}
causes = sum(value for (metric, path, rank), value in seconds.items()
             if metric == "delay_latesender_aggregate" and "MPI_" not in path and rank in late)
print(sys.argv[1], waits, causes)
sys.exit(not all(0.18 <= waits.get(rank, 0) <= 0.22 and causes >= 0.36 for rank in (2, 3)))
END
}

# try_waits CASE CALL NUMBER...: a busy machine may make it more; the longer it is, the less that matters.
try_waits() {
  for stretch in 1 2 3 4 5; do
    export TARRY_TEST_STRETCH=$stretch
    test $stretch = 1 || { rm -rf "$1"; run "$1" 4; }
    waits_are_right "$@" && { export TARRY_TEST_STRETCH=1; return; }
  done
  fail "$1: waits are not those that were made"
}
try_waits late MPI_Recv 0 1
try_waits strange MPI_Wait 2 3

# OTF2 keeps it all.
for case in meet strange; do
  rm -rf otf2 again
  tarry merge -q --strict $case -o otf2 --to otf2
  tarry merge -q --strict --from otf2 otf2/traces.otf2 -o again
  tarry replay -q --strict again
  for archive in $case again; do tarry cube dump --csv $archive/analysis.cubex | sort >$archive.csv; done
  cmp $case.csv again.csv
  events_of() { tarry archive dump "$1" | grep -c ' MPI_\| ENTER \| LEAVE \|COMM_'; }
  test "$(events_of again)" = "$(events_of $case)" || fail "$case: $(events_of $case) and $(events_of again) events"
done
tarry archive info meet | grep '^worlds  *2: ranks 0-1; ranks 2-3$'
tarry archive info again | grep '^worlds  *3: ranks 0-1; rank 2; rank 3$'

# Children without the recorder: nobody waits for them.
run wrapped 2
grep -q 'not-recorded="processes started by MPI_Comm_spawn"' wrapped/manifest.xml
tarry archive info wrapped | grep 'not recorded'
sends wrapped 2 2>/dev/null

# A stranger without it: the other one is recorded, and what they do together is left out.
tarry measure -q -t -o half -- mpirun -np 2 ./worlds half >out 2>said.txt
test "$(grep -c '^half .*: done' out)" = 4 || fail "half: $(cat out)"
facts half 3

skip_without_several

# One of two has it: neither is recorded, which is said.
tarry measure -q -t -o mixed -- mpirun -np 2 ./worlds mixed >out 2>said.txt
test "$(grep -c 'mixed .*: done' out)" = 4 || fail "mixed: $(cat out)"
grep -q 'the recorder is in 1 of 2 processes only' said.txt
test "$(wc -l <said.txt)" = 1
facts mixed 2

# The same of a job that starts two programs, one without the recorder.
tarry measure -t -o programs -- mpirun -np 1 ./worlds mute : -np 1 env -u LD_PRELOAD ./worlds mute >out 2>said.txt
grep -q 'the recorder is in 1 of 2 processes only' said.txt

# Such a job without a name for its archive.
LD_PRELOAD=$TARRY_BUILD/lib/libtarry-mpi.so TARRY_TRACE=1 mpirun -np 1 ./worlds mute : -np 1 ./worlds mute >out 2>said.txt
grep -q 'recorded only into an archive that TARRY_ARCHIVE names' said.txt
