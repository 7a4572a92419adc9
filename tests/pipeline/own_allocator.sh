# own_allocator.sh -- programs whose allocator uses locks that the recorder stands in front of do not hang.
# timeout 90
set -eu
"$MPICC" -O1 -Wall -Werror -o own_allocator "$TARRY_ROOT/tests/apps/own_allocator.c" -lpthread
# Nothing tells one of the program's own from its other code: its locks are recorded like others.
timeout 40 tarry measure -q -t -o run -- mpirun -np 2 ./own_allocator >out
[ "$(cat out)" = "allocates much" ] || { cat out; exit 1; }
tarry archive verify run
tarry archive dump run | grep -q MPI_Barrier
# A library is known by its name.
printf '#include <stdlib.h>\n#include <pthread.h>\nstatic pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static void* work(void* n) { for (long i = 1; i < 20000; ++i) { void* p = malloc(i); pthread_mutex_lock(&m); pthread_mutex_unlock(&m); free(p); } return n; }
int main(void) { pthread_t t[4]; for (int i = 0; i < 4; ++i) pthread_create(&t[i], NULL, work, NULL); for (int i = 0; i < 4; ++i) pthread_join(t[i], NULL); return 0; }
' >threads.c
"${CC:-cc}" -O1 -o threads threads.c -lpthread -Wl,--no-as-needed -ljemalloc
timeout 40 tarry measure -q -t -o threads.run -- ./threads
tarry archive verify threads.run
[ "$(tarry archive dump threads.run | grep -c THREAD_ACQUIRE_LOCK)" = 79996 ] || { echo "other locks than the program's"; exit 1; }
# A handler interrupts the program's allocator, which holds its lock; its call is the first that its thread records.
"${CC:-cc}" -std=gnu11 -O1 -Wall -Werror -pthread -o locked_allocator "$TARRY_ROOT/tests/apps/locked_allocator.c"
for pthreads in 0 1; do  # 0: the threads are not seen to start
  TARRY_PTHREADS=$pthreads timeout --kill-after=5 40 tarry measure -q -s -t --io -o locked.$pthreads -- ./locked_allocator 20 >out
  [ "$(cat out)" = 20 ] || { cat out; exit 1; }
  tarry report --files --csv locked.$pthreads/summary.cubex | grep '^interrupted,1,1,0,0,20,20,'
done
