/* thread_sanitizer.c -- threads that share data properly: ThreadSanitizer finds nothing.
 *
 * thread_sanitizer prints "sum 4000". With a number of steps the threads race: the sum is any, and ThreadSanitizer
 * reports it. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

enum { THREADS = 4, STEPS = 1000 };
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static long sum;
static int racing_steps;

static __attribute__((noinline)) void add(void) {
  if (!racing_steps) pthread_mutex_lock(&mutex);
  ++sum;
  if (!racing_steps) pthread_mutex_unlock(&mutex);
}

static void* run(void* argument) {
  for (int i = 0; i < (racing_steps ? racing_steps : STEPS); ++i) add();
  return argument;
}

int main(int argc, char** argv) {
  pthread_t threads[THREADS];
  racing_steps = argc > 1 ? atoi(argv[1]) : 0;
  for (int i = 0; i < THREADS; ++i) pthread_create(&threads[i], NULL, run, NULL);
  for (int i = 0; i < THREADS; ++i) pthread_join(threads[i], NULL);
  printf("sum %ld\n", sum);
  return 0;
}
