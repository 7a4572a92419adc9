# mpi4py.sh -- programs in Python that use MPI are recorded, and their output and status are their own.
# no-san
set -euo pipefail
python=
for candidate in "${PYTHON:-python3}" python3 /usr/bin/python3; do
  if "$candidate" -c 'import mpi4py, numpy' 2>/dev/null; then python=$candidate && break; fi
done
[ -n "$python" ] || { echo "mpi4py and NumPy are not installed"; exit 77; }
fail() { echo "$1"; exit 1; }

"$python" -c 'import mpi4py; print("mpi4py", mpi4py.__version__)'
# Debian builds it for Open MPI. Below MPICH's mpirun its processes would be jobs of their own.
vendor=$("$python" -c 'import mpi4py; mpi4py.rc.initialize = False; from mpi4py import MPI; print(MPI.get_vendor()[0])')
case $TARRY_TEST_MPI/$vendor in
  openmpi/Open*MPI | mpich/MPICH) ;;
  *) echo "mpi4py is built for $vendor"; exit 77 ;;
esac
mpirun -np 2 "$python" "$TARRY_ROOT/tests/apps/mpi4py_calls.py" >bare.out 2>bare.err ||
  { cat bare.err; fail "the program fails without us"; }
tarry measure -q -s -t -o run -- mpirun -np 2 "$python" "$TARRY_ROOT/tests/apps/mpi4py_calls.py" \
  >measured.out 2>measured.err ||
  { cat measured.err; fail "the measured run fails"; }
diff bare.out measured.out
[ "$(wc -l <bare.out)" = 1 ] || fail "the program prints something else"
[ ! -s measured.err ] || { cat measured.err; fail "somebody complains"; }
tarry archive verify run
tarry replay -q --strict run

tarry archive dump run >events
# has NUMBER FUNCTION: so many calls in each process
has() {
  local rank  # where MPI has functions with large counts, mpi4py 4.1 calls those
  for rank in 0 1; do
    [ "$(awk -v rank=$rank -v name="\"$2(_c)?\"" '$1 == rank && $4 == "ENTER" && $5 ~ name' events | wc -l)" = $1 ] ||
      fail "process $rank: not $1 of $2"
  done
}
has 1 MPI_Init_thread
has 20 MPI_Irecv
has 20 MPI_Send
has 40 MPI_Wait
has 20 MPI_Mrecv
has 1 MPI_Comm_split
has 2 MPI_Win_fence
has 1 MPI_Put
has 1 MPI_Finalize
[ "$(grep -Ec ' MPI_I?SEND ' events)" = 80 ] || fail "messages are missing"
tarry cube dump --csv run/analysis.cubex >report.csv
grep -q '^mpi,.*MPI_Allreduce' report.csv || fail "the report has no MPI_Allreduce"

# The interpreter locks and unlocks around each call of MPI; of that nothing is recorded, but its threads are.
! grep -q 'pthread_mutex' events || fail "the interpreter's own locks are recorded"
cat >threads.py <<'PY'
import threading
workers = [threading.Thread(target=sum, args=(range(1000),)) for _ in range(3)]
for worker in workers: worker.start()
for worker in workers: worker.join()
PY
tarry measure -q -t -o threads -- "$python" threads.py
tarry archive dump threads >threads.events
[ "$(grep -c THREAD_CREATE threads.events)" = 3 ] || fail "threads of a program in Python are missing"
! grep -q 'pthread_mutex' threads.events || fail "the interpreter's own locks are recorded"

# Ended by MPI.Finalize, and with a status of its own.
status=0
tarry measure -q -t -o ended -- mpirun -np 2 "$python" \
  -c 'from mpi4py import MPI; MPI.Finalize(); raise SystemExit(7)' >ended.out 2>&1 || status=$?
[ $status = 7 ] || { cat ended.out; fail "status $status"; }
