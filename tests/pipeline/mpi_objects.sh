# mpi_objects.sh -- requests that are started again and again, and communicators between groups that meet in every way:
# whatever happens to their handles, each message and each operation finds its partners.
# no-san
# mpich-long
# timeout 180
set -eu
fail() { echo "mpi_objects.sh: $1"; exit 1; }
for program in persistent_requests comm_meetings; do
  "$MPICC" -std=gnu11 -O1 -Wall -Werror -o $program "$TARRY_ROOT/tests/apps/$program.c"
done

# messages ARCHIVE RANK: what it has sent and received on which communicators, with or without a request.
messages() {
  tarry archive dump "$1" --rank "$2" | grep -c "${3:-MPI_SEND\|MPI_ISEND \|MPI_RECV\|MPI_IRECV }" || true
}

# Buffered sends of this size are not through when they are started again: Open MPI takes another request for each.
count=30
# Hydra may put the lines of two ranks into one.
tarry measure -q -t -o requests -- mpirun -np 2 ./persistent_requests $count 4096 >out
test "$(grep -o done out | wc -l)" = 2 || fail "the program failed"
tarry replay -q --strict requests
# Of rank 0 four kinds, three of which send once more, a plain one, and what ready sends need; the same of rank 1. Then
# four for the receives that are freed, of which rank 1 sees two. Replay has nothing to say about the others.
expected=$((5 * count + 3 + 1))
for rank in 0 1; do
  found=$(messages requests $rank)
  test "$found" = $((expected + 4 - 2 * rank)) || fail "rank $rank: $found messages instead of $((expected + 4 - 2 * rank))"
done
test "$(messages requests 1 MPI_REQUEST_CANCELLED)" = 1 || fail "the cancelled receive is missing"

# Debian's MPICH 4.0 is built for UCX, with which it cannot open ports. Hydra may lose the line that says so.
if [ "$TARRY_TEST_MPI" = mpich ] && ! mpirun -np 4 ./comm_meetings >out 2>&1; then
  [ ! -s out ] || grep -q 'MPI_Open_port.*failed' out || fail "$(cat out)"
  exit 0
fi
tarry measure -q -t -o meetings -- mpirun -np 4 ./comm_meetings >out
test "$(grep -o met out | wc -l)" = 4 || fail "the program failed"
tarry archive verify meetings
tarry replay -q --strict meetings
tarry sync -q meetings
# Three messages from each process on eight communicators and on that of MPI_Comm_join, and two to prepare a meeting.
expected=$((3 * (4 * 8 + 2) + 2))
found=$(tarry archive dump meetings | grep -c 'MPI_SEND\|MPI_ISEND ')
test "$found" = $expected || fail "$found sends instead of $expected"
