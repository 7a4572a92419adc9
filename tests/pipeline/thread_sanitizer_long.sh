# thread_sanitizer_long.sh -- ThreadSanitizer finds no race of the recorder, which is built with it, in programs of C,
# C++, Fortran, OpenMP and Python. Their own reports do not count: libgomp and Python are not built for the sanitizer.
# long
# no-san
# timeout 3600
set -u
failed=0
complain() { echo "FAILED: $*"; failed=1; }
apps=$TARRY_ROOT/tests/apps
make -s -C "$TARRY_ROOT" SAN=thread BUILD="$TARRY_BUILD" "$TARRY_BUILD"/san/lib/libtarry-{mpi,io}.so || exit 1
mkdir sanitized && cp -r "$TARRY_BUILD/lib" sanitized/ && cp "$TARRY_BUILD"/san/lib/libtarry-{mpi,io}.so sanitized/lib/ || exit 1
. "$TARRY_ROOT/tests/pipeline/other_recorder.bash"
use_recorder "$PWD/sanitized"

# check NAME COMMAND...: measures it.
check() {
  local name=$1
  shift
  TSAN_OPTIONS="exitcode=0 log_path=$PWD/$name.report" timeout 120 tarry measure -q -s -t $io -o "$name" -- "$@" >"$name.out" 2>"$name.err" ||
    complain "$name: status $? $(tail -3 "$name.err")"
  check_recorded "$name"
}

# check_recorded NAME: there is a recording, and no report.
check_recorded() {
  tarry archive verify "$1" >verify 2>&1 || complain "$1: $(cat verify)"
  grep -q ' 1 processes, [0-9]\{2,\} events' verify || complain "$1: $(cat verify)"
  : >"$1.report.0"
  python3 "$TARRY_ROOT/tests/pipeline/race_reports.py" $but_end "$1".report.* >"$1.races" || complain "$1: $(head -60 "$1.races")"
}
but_end="" io=--io

flags="-g -O1 -fsanitize=thread -finstrument-functions -pthread"
gcc $flags -o c "$apps/thread_sanitizer.c" && check in_c ./c
gcc $flags -DWITHOUT_MPI -o many "$apps/pthread_many.c" && check in_c_many ./many 16 60000
g++ -std=c++20 $flags -o cxx "$apps/thread_sanitizer_cxx.cpp" && check in_cxx ./cxx
# Runtimes that are not built for the sanitizer. It calls open() while it makes a report, and holds its own locks then:
# what the recorder did there would be a report again, for ever.
but_end=--but-end io=""
tarry instrument gfortran -g -O1 -fsanitize=thread -fopenmp -o fortran "$apps/openmp_fortran.f90" && check in_fortran ./fortran
tarry instrument gcc -g -O1 -fsanitize=thread -fopenmp -o openmp "$apps/thread_sanitizer_omp.c" && check in_openmp ./openmp
clang -fopenmp -o linked -x c - <<<"int main(void) { return 0; }"
runtime=$(ldd linked | sed -n "s/.*libomp[^ ]* => \([^ ]*\) .*/\1/p")
gcc $flags -fopenmp -c -o ompt.o "$apps/thread_sanitizer_omp.c" &&
  gcc -fsanitize=thread -o ompt ompt.o "$runtime" -Wl,-rpath,"$(dirname "$runtime")" && check in_ompt ./ompt

# The sanitizer sets up handlers before it is ready for calls of the recorder. So it is loaded behind it.
python=/usr/bin/python3
mkdir in_python
TSAN_OPTIONS="exitcode=0 log_path=$PWD/in_python.report" TARRY_ARCHIVE=$PWD/in_python TARRY_TRACE=1 \
  LD_PRELOAD="$PWD/build/lib/libtarry-mpi.so $(gcc -print-file-name=libtsan.so)" \
  timeout 120 $python "$apps/thread_sanitizer.py" >python.out 2>python.err || complain "Python: status $? $(tail -3 python.err)"
tarry unify -q in_python && check_recorded in_python

# The control: a race between two accesses of the recorder is one that is found.
cat >planted.0 <<'END'
==================
WARNING: ThreadSanitizer: data race (pid=1)
  Write of size 8 at 0x7fbe9e635350 by thread T3:
    #0 memcpy <null> (libtsan.so.2+0x5dda6)
    #1 tarry::measure::put lib/measure/core/event_buffer.cpp:41 (libtarry-mpi.so+0xd9ed5)

  Previous read of size 8 at 0x7fbe9e635350 by main thread:
    #0 tarry::measure::flush lib/measure/core/block_pool.cpp:71 (libtarry-mpi.so+0xd9c57)

==================
END
python3 "$TARRY_ROOT/tests/pipeline/race_reports.py" planted.0 >planted.races && complain "a planted report is not found"
# And the sanitizer is at work.
grep -q 'data race' <(TSAN_OPTIONS=exitcode=0 ./c 500000 2>&1) || complain "the sanitizer finds nothing at all"
[ $failed = 0 ]
