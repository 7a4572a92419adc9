/* pthread_many.c -- THREADS threads that record EVENTS events each: locks of a mutex that nobody else wants.
 *
 * usage: pthread_many THREADS EVENTS       prints the sum of what the threads counted. With -DWITHOUT_MPI it needs
 * -finstrument-functions to be recorded. */
#ifndef WITHOUT_MPI
#include <mpi.h>
#endif
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static long locks;

static void* work(void* argument) {
  pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
  long i, count = 0;
  (void)argument;
  for (i = 0; i < locks; ++i) {
    pthread_mutex_lock(&mutex);
    ++count;
    pthread_mutex_unlock(&mutex);
  }
  return (void*)count;
}

int main(int argc, char** argv) {
  pthread_t threads[256];
  const int wanted = argc > 2 ? atoi(argv[1]) : 4;
  long sum = 0;
  int i;
  locks = (argc > 2 ? atol(argv[2]) : 600) / 6; /* a lock and its unlock: two visits, two records */
#ifndef WITHOUT_MPI
  MPI_Init(&argc, &argv);
#endif
  for (i = 0; i < wanted; ++i)
    if (pthread_create(&threads[i], NULL, work, NULL) != 0) abort();
  for (i = 0; i < wanted; ++i) {
    void* count;
    pthread_join(threads[i], &count);
    sum += (long)count;
  }
  printf("%ld\n", sum);
#ifndef WITHOUT_MPI
  MPI_Finalize();
#endif
  return 0;
}
