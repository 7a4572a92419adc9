# pthreads_long.sh -- 64 threads with 10,000,000 events each; and the recorder itself under ThreadSanitizer.
# long
# no-san
# timeout 7200
set -eu
apps=$TARRY_ROOT/tests/apps
pairs=$((${TARRY_TEST_EVENTS:-10000000} / 6))
"$MPICC" -std=gnu11 -O1 -g -Wall -Werror -pthread -o pthread_many "$apps/pthread_many.c"
tarry measure -q -t -o many -- ./pthread_many 64 $((pairs * 6)) >many.txt
test "$(cat many.txt)" = $((64 * pairs))
# Besides: each thread's root region, begin and end; creation, joining and their regions in the first thread; MPI; and
# some records of flushes.
tarry archive verify many | tee verify.txt
least=$((64 * (pairs * 6 + 4) + 64 * 6 + 6))
events=$(sed 's/.* \([0-9]*\) events.*/\1/' verify.txt)
test "$events" -ge $least && test "$events" -le $((least + 1000000))
rm -rf many

make -s -C "$TARRY_ROOT" SAN=thread BUILD="$TARRY_BUILD" "$TARRY_BUILD/san/lib/libtarry-mpi.so"
gcc -std=gnu11 -O1 -g -fsanitize=thread -DWITHOUT_MPI -finstrument-functions -pthread -o alone "$apps/pthread_many.c"
mkdir sanitized
TSAN_OPTIONS=exitcode=66 LD_PRELOAD=$TARRY_BUILD/san/lib/libtarry-mpi.so TARRY_ARCHIVE=$PWD/sanitized TARRY_TRACE=1 TARRY_SUMMARY=1 \
  ./alone 16 60000 >alone.txt
test "$(cat alone.txt)" = 160000
