# lock_sites_long.sh -- as lock_sites.sh, in programs of C++, Fortran, OpenMP with both runtimes, and Python.
# long
# no-san
# timeout 1800
set -u
[ "$TARRY_TEST_MPI" = openmpi ] || { echo "Python loads Open MPI itself"; exit 77; }
failed=0
complain() { echo "FAILED: $*"; failed=1; }
apps=$TARRY_ROOT/tests/apps
. "$TARRY_ROOT/tests/pipeline/lock_sites.bash"
prepare_lock_sites
export OMP_WAIT_POLICY=passive
link="-L. -lsignals -Wl,-rpath,$PWD"

# Each program with all kinds of records, and once more with samples, where the handler is gentle.
both() {
  local name=$1
  shift
  measure "$name" -s -t --memory 1M --io -- "$@"
  check_counts "$name"
  LOCK_SITES_GENTLE=1 measure "$name-sampled" -s -t --memory 1M --sample 997 -- "$@"
}

for compiler in g++ clang++; do
  command -v $compiler >found || continue
  tarry instrument $compiler -std=c++20 -O1 -w -o run_cpp_$compiler "$apps/lock_sites_cpp.cpp" $link -pthread || exit 1
  both cpp_$compiler ./run_cpp_$compiler
done

tarry instrument mpif90 -O1 -w -o run_fortran "$apps/lock_sites_fortran.f90" $link || exit 1
both fortran mpirun -np 1 ./run_fortran

for compiler in gcc clang; do
  echo 'int main(void) { return 0; }' >empty.c
  $compiler -fopenmp -o empty empty.c 2>found || continue
  tarry instrument $compiler -std=gnu11 -fopenmp -O1 -w -o run_openmp_$compiler "$apps/lock_sites_openmp.c" $link || exit 1
  both openmp_$compiler ./run_openmp_$compiler
done

# A Python of the system: others are scripts at times.
both python mpirun -np 1 env LD_PRELOAD="$PWD/libsignals.so" /usr/bin/python3 "$apps/lock_sites_python.py"

reached <<'END'
define_at_line
describe_constructs
region_at
place_of
region_of
END
[ $failed = 0 ]
