# backtraces.bash -- call paths of untouched programs against what gdb sees; sourced by tests.
command -v gdb >/dev/null || { echo "gdb is not installed"; exit 77; }
[ -n "${BACKTRACES_PORT:-}" ] || gdb -batch -nx -ex run true 2>/dev/null | grep -q 'exited normally' ||
  { echo "gdb may not run a program here"; exit 77; }
export OMP_NUM_THREADS=1
# QEMU loses gdb, or the program, when two threads stop at the same time. So teams have one thread there.
[ -z "${BACKTRACES_PORT:-}" ] || export OMP_THREAD_LIMIT=1

# below_gdb NAME LEAST COUNT GAP ARGUMENTS OF MEASURE...: looks at COUNT calls of rank 0, chosen at random, or at all
# samples if GAP is 0. Compares them with the trace, which must have LEAST of them.
below_gdb() {
  local name=$1 least=$2 count=$3 gap=$4
  shift 4
  BACKTRACES_TO=$PWD/$name.json BACKTRACES_COUNT=$count BACKTRACES_GAP=$gap \
    tarry measure -q -t -o "$name.run" "$@" >"$name.out" 2>"$name.err" ||
    { echo "$name fails below gdb"; cat "$name.err" gdb.err; return 1; }
  echo "$name:"
  python3 "$TARRY_ROOT/tests/pipeline/check_backtraces.py" "$name.run" 0 "$name.json" "$least"
}
gdb_backtraces=$TARRY_ROOT/tests/pipeline/gdb_backtraces.bash

# same_backtraces NAME CALLS GAP PROCESSES COMMAND...: compares the paths of so many calls. Between two of them lie GAP
# calls on average.
same_backtraces() {
  local name=$1 calls=$2 gap=$3 processes=$4
  shift 4
  below_gdb "$name" "$calls" "$calls" "$gap" -- mpirun -np "$processes" "$gdb_backtraces" "$@"
}

# same_samples NAME LEAST HERTZ COMMAND...: compares all samples of a program with one thread and without MPI.
same_samples() {
  local name=$1 least=$2 hertz=$3
  shift 3
  below_gdb "$name" "$least" 1000000 0 --sample "$hertz" -- "$gdb_backtraces" "$@"
}

# C++ at -O3, Fortran, OpenMP: programs of our own, in the way that their users build them.
build_own() {
  local apps=$TARRY_ROOT/tests/apps
  "${MPICC%cc}cxx" -O3 -o blast_wave "$apps/blast_wave.cpp"
  "${MPICC%cc}f90" -O2 -o heat_modules "$apps/heat_modules.f90"
  "$MPICC" -O2 -Wall -Wextra -Werror -fopenmp -o openmp_calls "$apps/openmp_calls.c"
}
