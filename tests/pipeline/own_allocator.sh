# own_allocator.sh -- programs whose allocator uses locks that the recorder stands in front of do not hang.
# timeout 90
set -eu
"$MPICC" -O1 -Wall -Werror -o own_allocator "$TARRY_ROOT/tests/apps/own_allocator.c" -lpthread
# One of the program's own is told from its other code by nothing: its locks must not be recorded.
TARRY_PTHREADS=0 timeout 40 tarry measure -q -t -o run -- mpirun -np 2 ./own_allocator >out
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
