# mpi_errors.sh -- calls with wrong arguments: the program sees the same errors as without us, its handlers are called
# as often, and what it does besides is recorded as if they had never been made.
# no-san
set -eu
fail() { echo "mpi_errors.sh: $1"; exit 1; }
"$MPICC" -std=gnu11 -O1 -Wall -Werror -o mpi_errors "$TARRY_ROOT/tests/apps/mpi_errors.c"

mpirun -np 2 ./mpi_errors >bare.txt
grep -q 'handled 2' bare.txt && test "$(wc -l <bare.txt)" -ge 170 || fail "the program does not do what it should"
for mode in -t -s -st; do
  tarry measure -q $mode -o "run$mode" -- mpirun -np 2 ./mpi_errors >measured.txt
  diff bare.txt measured.txt || fail "$mode: another output than without us"
  tarry archive verify "run$mode"
done
tarry replay -q --strict run-t
tarry replay -q --strict run-st

# Sends and operations that have failed leave no record: of rank 0 there are the messages of six rounds, and as many
# operations of all.
tarry archive dump run-t --rank 0 >events
sends=$(grep -c MPI_SEND events) operations=$(grep -c 'COLLECTIVE_END.*allreduce' events)
test "$sends" = 6 || fail "$sends sends"
test "$operations" = 6 || fail "$operations operations"
test "$(grep -c COLLECTIVE_BEGIN events)" = "$(grep -c COLLECTIVE_END events)" || fail "begins without an end"
# Those that were too long for their receives have come.
test "$(grep -c 'RECV.*tag=3\|MPI_IRECV .*tag=3' events)" = 10 || fail "not all messages that were cut off have come"
