# annotations_mpi.sh -- annotations of a program of MPI: before MPI_Init, between, and behind MPI_Finalize.
# no-san
# timed
set -u
failed=0
fail() { echo "FAILED: $1"; failed=1; }
unset NVTX_INJECTION64_PATH
"$MPICC" -DWITH_MPI -O1 -g "$TARRY_ROOT/tests/apps/annotated.c" -o annotated -pthread -ldl || exit 1

mpirun -np 2 ./annotated mpi >bare.out || fail "the program fails"
tarry measure -q -s -t -o run -- mpirun -np 2 ./annotated mpi >run.out || fail "status $?"
python3 "$TARRY_ROOT/tests/pipeline/check_annotated.py" run/summary.cubex run.out || fail "the summary is wrong"
tarry replay -q --strict run || fail "the trace is not analysed"
python3 "$TARRY_ROOT/tests/pipeline/check_annotated.py" run/analysis.cubex run.out || fail "the trace is wrong"
tarry archive verify run >/dev/null || fail "the archive is not intact"
# Without a launcher, and as tool inside of one.
tarry measure -q -s -o alone -- ./annotated mpi >alone.out || fail "alone: status $?"
mpirun -np 2 tarry measure -q -s -o inside ./annotated mpi >inside.out || fail "inside: status $?"
python3 "$TARRY_ROOT/tests/pipeline/check_annotated.py" inside/summary.cubex inside.out || fail "inside a launcher: wrong"
exit $failed
