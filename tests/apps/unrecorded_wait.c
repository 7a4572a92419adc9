/* unrecorded_wait.c -- main() waits for a thread that waits for another one, in a way that no recorder sees.
 *
 * The argument names who is late: "victim" reads from a pipe into which the worker writes after 0.3 s of computing, and
 * is joined first; "worker" computes for 0.3 s itself and is joined first. */
#include <pthread.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static int ends[2];

static void compute(double seconds) {
  struct timespec now;
  do clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  while ((double)now.tv_sec + 1e-9 * (double)now.tv_nsec < seconds);
}

static void* worker(void* unused) {
  compute(0.3);
  return write(ends[1], "", 1) == 1 ? unused : NULL;
}

static void* victim(void* unused) {
  char byte;
  return read(ends[0], &byte, 1) == 1 ? unused : NULL;
}

int main(int argc, char** argv) {
  pthread_t threads[2];
  const int is_victim_first = argc > 1 && strcmp(argv[1], "victim") == 0;
  if (pipe(ends) != 0) return 1;
  pthread_create(&threads[0], NULL, victim, NULL);
  pthread_create(&threads[1], NULL, worker, NULL);
  pthread_join(threads[is_victim_first ? 0 : 1], NULL);
  pthread_join(threads[is_victim_first ? 1 : 0], NULL);
  return 0;
}
