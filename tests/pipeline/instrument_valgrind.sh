# instrument_valgrind.sh -- recording a small program is clean under valgrind, with counters, too.
# no-san
# mpich-long
set -eu
command -v valgrind >/dev/null || { echo "valgrind is not installed"; exit 77; }
apps=$TARRY_ROOT/tests/apps/instrumented
make -s -f "$apps/Makefile" SOURCE="$apps" CC="tarry instrument $MPICC" CXX="tarry instrument g++" shapes libplugin.so
mkdir run
TARRY_ARCHIVE=$PWD/run TARRY_TRACE=1 TARRY_SUMMARY=1 valgrind -q --error-exitcode=9 ./shapes ./libplugin.so >out
tarry unify run
tarry archive verify run
tarry archive dump run | grep -q 'ENTER.*"third(double)"'

# Valgrind puts an allocator of its own before ours unless it is told not to.
tarry instrument cc -O1 -DNO_MPI -pthread -o known_threads "$TARRY_ROOT/tests/apps/counters_known.c"
tarry measure -q -s -t -o counted --metrics ru_minflt,ru_utime,heap,page-faults,task-clock -- \
  valgrind -q --error-exitcode=9 --soname-synonyms=somalloc=nouserintercepts ./known_threads 20 2 1 3
tarry archive verify counted
tarry cube dump --csv counted/summary.cubex | grep -q '^heap_allocated,.*allocate,'
