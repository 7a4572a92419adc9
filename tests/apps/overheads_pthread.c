/* overheads_pthread.c -- threads that make overheads of POSIX threads on purpose, by sleeping (overheads_timing.h). */
#include <pthread.h>
#include <stdlib.h>

#include "overheads_timing.h"

enum { MANY = 10, STACK = 64 << 20 };

static const double kLate = 0.1;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static pthread_barrier_t barrier;
static int is_ready;
static double begin, lock_time, condition_time, barrier_time[2];

static void pause_until(double seconds) { clock_wait_until(begin + seconds); }

static void* other(void* argument) {
  TIMED(lock_time, pthread_mutex_lock(&mutex));
  while (!is_ready) TIMED(condition_time, pthread_cond_wait(&condition, &mutex));
  TIMED(lock_time, pthread_mutex_unlock(&mutex));
  TIMED(barrier_time[1], pthread_barrier_wait(&barrier));
  pause_until(5 * kLate);
  return argument;
}

/* A new thread gets a copy of its own, which makes pthread_create slow. */
static __thread volatile char own_copy[16 << 20] = {1};

static void* reads_own(void* argument) { return own_copy[0] ? argument : NULL; }

int main(void) {
  pthread_t thread;
  double create = 0, join = 0, own_lock = 0, own_condition = 0;
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, STACK);
  pthread_barrier_init(&barrier, NULL, 2);
  begin = clock_now();
  TIMED(own_lock, pthread_mutex_lock(&mutex));
  TIMED(create, pthread_create(&thread, &attributes, other, NULL));
  pause_until(kLate);
  TIMED(own_lock, pthread_mutex_unlock(&mutex));
  pause_until(2 * kLate);
  TIMED(own_lock, pthread_mutex_lock(&mutex));
  is_ready = 1;
  TIMED(own_condition, pthread_cond_signal(&condition));
  TIMED(own_lock, pthread_mutex_unlock(&mutex));
  pause_until(3 * kLate);
  TIMED(barrier_time[0], pthread_barrier_wait(&barrier));
  TIMED(join, pthread_join(thread, NULL));
  for (int i = 0; i < MANY; ++i) {
    TIMED(create, if (pthread_create(&thread, &attributes, reads_own, NULL)) abort());
    TIMED(join, pthread_join(thread, NULL));
  }
  tell_own("OCTRL_FORK", create);
  tell_own("OSYN_JOIN", join);
  tell_own("OSYN_TLOCK", lock_time + own_lock);
  tell_own("OSYN_COND", condition_time + own_condition);
  tell_own("OSYN_TBAR", barrier_time[0] + barrier_time[1]);
  write_told();
  return 0;
}
