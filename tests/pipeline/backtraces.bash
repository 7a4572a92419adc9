# backtraces.bash -- call paths of untouched programs against what gdb sees; sourced by backtraces.sh, backtraces_200.sh.
command -v gdb >/dev/null || { echo "gdb is not installed"; exit 77; }
[ -n "${BACKTRACES_PORT:-}" ] || gdb -batch -nx -ex run true 2>/dev/null | grep -q 'exited normally' ||
  { echo "gdb may not run a program here"; exit 77; }
export OMP_NUM_THREADS=1

# same_backtraces NAME CALLS GAP PROCESSES COMMAND...: compares the paths of so many calls of rank 0, chosen at random.
# Between two of them lie GAP calls on average.
same_backtraces() {
  local name=$1 calls=$2 gap=$3 processes=$4
  shift 4
  BACKTRACES_TO=$PWD/$name.json BACKTRACES_COUNT=$calls BACKTRACES_GAP=$gap \
    tarry measure -q -t -o "$name.run" -- \
    mpirun -np "$processes" "$TARRY_ROOT/tests/pipeline/gdb_backtraces.bash" "$@" >"$name.out" 2>"$name.err" ||
    { echo "$name fails below gdb"; cat "$name.err" gdb.err; return 1; }
  echo "$name:"
  python3 "$TARRY_ROOT/tests/pipeline/check_backtraces.py" "$name.run" 0 "$name.json" "$calls"
}

# C++ at -O3, Fortran, OpenMP: programs of our own, in the way that their users build them.
build_own() {
  local apps=$TARRY_ROOT/tests/apps
  "${MPICC%cc}cxx" -O3 -o blast_wave "$apps/blast_wave.cpp"
  "${MPICC%cc}f90" -O2 -o heat_modules "$apps/heat_modules.f90"
  "$MPICC" -O2 -Wall -Wextra -Werror -fopenmp -o openmp_calls "$apps/openmp_calls.c"
}

# same_samples NAME LEAST HERTZ COMMAND...: compares all samples of a program with one thread and without MPI.
same_samples() {
  local name=$1 least=$2 hertz=$3
  shift 3
  BACKTRACES_TO=$PWD/$name.json BACKTRACES_COUNT=1000000 BACKTRACES_GAP=0 \
    tarry measure -q -t --sample "$hertz" -o "$name.run" -- "$TARRY_ROOT/tests/pipeline/gdb_backtraces.bash" "$@" \
    >"$name.out" 2>"$name.err" || { echo "$name fails below gdb"; cat "$name.err" gdb.err; return 1; }
  echo "$name:"
  python3 "$TARRY_ROOT/tests/pipeline/check_backtraces.py" "$name.run" 0 "$name.json" "$least"
}
