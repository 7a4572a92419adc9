/* thread_sanitizer.c -- threads that share data properly: ThreadSanitizer finds nothing. thread_sanitizer [race]
 *
 * Prints "sum 4000"; with `race` the sum is any, and ThreadSanitizer reports a data race. */
#include <pthread.h>
#include <stdio.h>
#include <string.h>

enum { THREADS = 4, STEPS = 1000 };
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static long sum;
static int is_racing;

static __attribute__((noinline)) void add(void) {
  if (!is_racing) pthread_mutex_lock(&mutex);
  ++sum;
  if (!is_racing) pthread_mutex_unlock(&mutex);
}

static void* run(void* argument) {
  for (int i = 0; i < (is_racing ? 500 * STEPS : STEPS); ++i) add();
  return argument;
}

int main(int argc, char** argv) {
  pthread_t threads[THREADS];
  is_racing = argc > 1 && strcmp(argv[1], "race") == 0;
  for (int i = 0; i < THREADS; ++i) pthread_create(&threads[i], NULL, run, NULL);
  for (int i = 0; i < THREADS; ++i) pthread_join(threads[i], NULL);
  printf("sum %ld\n", sum);
  return 0;
}
