# pthreads.sh -- programs with POSIX threads: waits as long as they say, nothing lost with many threads, results as ever.
# timed
# no-san
# mpich-long
# timeout 120
set -u
apps=$TARRY_ROOT/tests/apps
"$MPICC" -std=gnu11 -O1 -g -Wall -Werror -pthread -o pthread_waits "$apps/pthread_waits.c" &&
  "$MPICC" -std=gnu11 -O1 -g -Wall -Werror -pthread -o pthread_many "$apps/pthread_many.c" || exit 1

is_right() {
  tarry measure -q -t -o "waits-$1" -- ./pthread_waits &&
    tarry archive verify "waits-$1" &&
    tarry replay -q --strict "waits-$1" &&
    tarry cube dump --csv "waits-$1/analysis.cubex" >"waits-$1.csv" &&
    "$PYTHON" "$TARRY_ROOT/tests/peer/check_invariants.py" "waits-$1/analysis.cubex" "waits-$1.csv" &&
    "$PYTHON" "$TARRY_ROOT/tests/pipeline/check_expect.py" "$apps/pthread_waits.c" waits-?.csv
}
# On a busy machine each value must be right in one of five runs.
is_right 1 || is_right 2 || is_right 3 || is_right 4 || is_right 5 || exit 1
"$PYTHON" "$TARRY_ROOT/tests/report/check_ideal.py" waits-1 || exit 1

# 64 threads with 100,000 events each; every thread has its root region besides.
events=${TARRY_TEST_EVENTS:-100000}
sum=$((64 * (events / 6)))
tarry measure -q -t -s -o many -- ./pthread_many 64 "$events" >many.txt || exit 1
test "$(cat many.txt)" = "$sum" || { echo "the program counted $(cat many.txt), not $sum"; exit 1; }
tarry archive verify many || exit 1
tarry archive dump many | awk -v pairs=$((events / 6)) '
  $4 == "THREAD_ACQUIRE_LOCK" { ++acquired[$2] }
  $4 == "ENTER" { ++depth[$2] }
  $4 == "LEAVE" { --depth[$2] }
  END {
    for (thread = 1; thread <= 64; ++thread) if (acquired[thread] != pairs || depth[thread] != 0) { print thread, acquired[thread], depth[thread]; failed = 1 }
    exit failed
  }' || { echo "some thread's locks were not all recorded"; exit 1; }

# The recorder does not record itself, whatever its file is called.
cp "$TARRY_BUILD/lib/libtarry-mpi.so" recorder.so && mkdir renamed || exit 1
LD_PRELOAD=$PWD/recorder.so TARRY_ARCHIVE=$PWD/renamed TARRY_TRACE=1 ./pthread_many 4 600 >renamed.txt &&
  test "$(cat renamed.txt)" = 400 && tarry unify -q renamed && tarry archive verify renamed || { echo "renamed"; exit 1; }

# A program that is neither instrumented nor linked with MPI, as it is; not what it starts; and not at all on demand.
gcc -std=gnu11 -O1 -g -DWITHOUT_MPI -pthread -o plain "$apps/pthread_many.c" || exit 1
tarry measure -q -t -s -o plain_run -- ./plain 4 600 >plain.txt && tarry archive verify plain_run &&
  test "$(cat plain.txt)" = 400 &&
  test "$(tarry archive dump plain_run | grep -c THREAD_ACQUIRE_LOCK)" = 400 &&
  test "$(tarry archive dump plain_run | grep -c 'ENTER.*"pthread_create"')" = 4 &&
  tarry replay -q --strict plain_run || { echo "a plain program is not recorded"; exit 1; }
for command in "sh -c './plain 4 600; :'" "env TARRY_PTHREADS=0 ./plain 4 600"; do
  eval tarry measure -t -o nothing -- "$command" >plain.txt 2>err || exit 1
  grep -q 'nothing was recorded' err || { echo "$command: something was recorded"; exit 1; }
  rm -rf nothing
done
