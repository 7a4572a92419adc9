# exit_status.sh -- the status of the measured command comes through, also when ranks fail or are killed.
# no-san
# mpich-long
set -u
failed=0
runs=0

# Runs a command plain and measured and expects status $1 from both.
expect() {
  local expected=$1 plain measured
  shift
  runs=$((runs + 1))
  "$@" >"plain-$runs.out" 2>&1
  plain=$?
  tarry measure -s -t -o "run-$runs" -- "$@" >"measured-$runs.out" 2>&1
  measured=$?
  echo "$*: plain $plain, measured $measured, expected $expected"
  if [ $plain -eq "$expected" ] && [ $measured -eq "$expected" ]; then return; fi
  tail -20 "measured-$runs.out"
  failed=1
}

"$MPICC" -DROUNDS=20 -o end "$TARRY_ROOT/tests/apps/end.c" || exit 1
expect 0 mpirun -np 2 ./end return 0
expect 3 mpirun -np 2 ./end return 3
expect 5 mpirun -np 2 ./end exit-before-finalize 5
expect 6 mpirun -np 2 ./end abort 6
[ "$TARRY_TEST_MPI" = mpich ] && base=0 || base=128  # MPICH's mpirun ends with the number of the signal
expect $((base + 9)) mpirun -np 2 ./end signal 9
expect $((base + 11)) mpirun -np 2 ./end signal 11
expect 4 sh -c 'exit 4'
expect $((128 + 15)) sh -c 'kill -TERM $$'
expect 127 sh -c 'no-such-command-anywhere'

# A command that cannot be started at all: as a shell says it.
tarry measure -s -o run-none -- ./no-such-program >none.out 2>&1
status=$?
[ $status -eq 127 ] || { echo "a missing program gives $status, not 127"; cat none.out; failed=1; }
exit $failed
