# several_programs.sh -- jobs of several programs, of which some may not hold the recorder: then nobody waits for them.
# mpich-long
# no-san
# timeout 120
set -eu
. "$TARRY_ROOT/tests/pipeline/several_programs.bash"
skip_without_several
fail() { echo "several_programs.sh: $1"; exit 1; }
"$MPICC" -std=gnu11 -O1 -Wall -Werror -DROUNDS=5 -o end "$TARRY_ROOT/tests/apps/end.c"
cp end other

tarry measure -q -t -o both -- mpirun -np 1 ./end return 0 : -np 1 ./other return 0 2>said.txt || fail "both: $(cat said.txt)"
test ! -s said.txt || fail "both: $(cat said.txt)"
grep -q '<run .*ranks="2".*complete="yes"' both/manifest.xml
test ! -e both/events/meetings || fail "both: meetings are left"
tarry replay -q --strict both

# One of them without it.
tarry measure -t -o one -- mpirun -np 1 ./end return 0 : -np 1 env -u LD_PRELOAD ./other return 0 2>said.txt ||
  fail "one: $(cat said.txt)"
grep -q 'the recorder is in 1 of 2 processes only' said.txt || fail "one: $(cat said.txt)"

# A second job does not go into an archive that has one, and leaves nothing there.
export TARRY_ARCHIVE=$PWD/both TARRY_TRACE=1
LD_PRELOAD=$TARRY_BUILD/lib/libtarry-mpi.so mpirun -np 1 ./end return 0 : -np 1 ./other return 0 2>said.txt
grep -q 'holds another MPI job or program already' said.txt || fail "second: $(cat said.txt)"
test ! -e both/events/meetings || fail "second: meetings are left"
tarry archive verify both

# MPICH's launcher does not say how many programs there are: a wrapper may choose them by rank.
if [ "$TARRY_TEST_MPI" = mpich ]; then
  unset TARRY_ARCHIVE TARRY_TRACE
  printf '#!/bin/sh\n[ "$PMI_RANK" = 0 ] || unset LD_PRELOAD\n./end return 0\nexit $?\n' >chosen.sh
  chmod +x chosen.sh
  tarry measure -t -o chosen -- mpirun -np 2 ./chosen.sh 2>said.txt || fail "chosen: $(cat said.txt)"
  grep -q 'the recorder is in 1 of 2 processes only' said.txt || fail "chosen: $(cat said.txt)"

  # Without a name for the archive no roll is called.
  LD_PRELOAD=$TARRY_BUILD/lib/libtarry-mpi.so TARRY_TRACE=1 mpirun -np 2 ./end return 0
  tarry unify -q tarry-end-1
  grep -q '<run .*ranks="2"' tarry-end-1/manifest.xml
fi
