/* ending_threads.c -- threads that call functions, MPI, locks and files in the destructors of their own data, in each
 * round that there is. Prints how often each was called.
 *
 * usage: ending_threads THREADS */
#include <fcntl.h>
#include <limits.h>
#include <mpi.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { kCallsARound = 10 };

static pthread_key_t g_keys[2]; /* in front of the recorder's, and behind it */
static pthread_mutex_t g_lock = PTHREAD_MUTEX_INITIALIZER;
static int g_file;
static long g_calls, g_rounds, g_destructors;

void called_at_the_end(void) { __atomic_add_fetch(&g_calls, 1, __ATOMIC_RELAXED); }

static void call_all(void) {
  __atomic_add_fetch(&g_rounds, 1, __ATOMIC_RELAXED);
  for (int i = 0; i < kCallsARound; ++i) {
    called_at_the_end();
    int size;
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    pthread_mutex_lock(&g_lock);
    pthread_mutex_unlock(&g_lock);
    if (write(g_file, &i, sizeof i) != sizeof i) exit(1);
  }
}

/* Its value is there again in the next round. */
static void destroy(void* value) {
  long* rounds = value;
  __atomic_add_fetch(&g_destructors, 1, __ATOMIC_RELAXED);
  call_all();
  if (++*rounds < PTHREAD_DESTRUCTOR_ITERATIONS) pthread_setspecific(g_keys[rounds[1]], value);
  else free(value);
}

static void* run(void* unused) {
  call_all();
  for (int key = 0; key < 2; ++key) {
    long* rounds = calloc(2, sizeof *rounds);
    rounds[1] = key;
    pthread_setspecific(g_keys[key], rounds);
  }
  return unused;
}

__attribute__((constructor)) static void make_first_key(void) { pthread_key_create(&g_keys[0], destroy); }

int main(int argc, char** argv) {
  const int threads = argc > 1 ? atoi(argv[1]) : 4;
  int provided;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
  pthread_key_create(&g_keys[1], destroy);
  g_file = open("/dev/null", O_WRONLY);
  for (int i = 0; i < threads; ++i) {
    pthread_t thread;
    if (pthread_create(&thread, NULL, run, NULL)) return 1;
    pthread_join(thread, NULL);
  }
  printf("calls %ld rounds %ld destructors %ld\n", g_calls, g_rounds, g_destructors);
  MPI_Finalize();
  return 0;
}
