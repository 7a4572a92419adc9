/* nameless.c -- computes for 0.3 s of processor time in a static function, and 0.1 s in an exported one.
 *
 * usage: nameless. Without a symbol table the name of compute() is missing: with that 3/4 of the time. */
#include <pthread.h>
#include <time.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static double processor_time(void) {
  struct timespec now;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* What is between the two calls is the caller's. */
#define COMPUTE(seconds)                                  \
  const double end = processor_time() + (seconds);        \
  pthread_mutex_lock(&mutex);                             \
  while (processor_time() < end) {                        \
  }                                                       \
  pthread_mutex_unlock(&mutex)

__attribute__((noinline)) static void compute(void) { COMPUTE(0.3); }

__attribute__((noinline, visibility("default"))) void compute_exported(void) { COMPUTE(0.1); }

/* Its function is on the stack from its begin, and lacks its name, too. */
static void* start(void* nothing) { return nothing; }

int main(void) {
  pthread_t thread;
  if (pthread_create(&thread, NULL, start, NULL) != 0 || pthread_join(thread, NULL) != 0) return 1;
  compute();
  compute_exported();
  return 0;
}
