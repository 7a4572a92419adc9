/* thread_waits.c -- threads wait for another one at a barrier, for a semaphore, for a signal, and for work in a queue.
 *
 * In each of three rounds the first of three threads computes for 50 ms, and the other two wait for it: 300 ms for each
 * of the first three ways of waiting, but for what the machine delays. In the fourth it puts work into a queue every
 * 50 ms, three times for each. Prints for each way how long they have waited, as they saw it: until the first thread was
 * about to let them go on. That is the wait state of pthread_barrier_wait, sem_wait and pthread_cond_wait, and the first
 * thread has the costs. In a fifth, two threads wait for a signal that never comes, with a time limit, while the first
 * one locks the mutex now and then: nobody waits for another thread there. The other four are the semaphore and the
 * signal again, where each wait is a loop of waits of 8 ms: all of them together are the wait. In all ways, main() waits
 * for the ends of the threads. */
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <time.h>

enum { kThreads = 3, kRounds = 3, kPatience = 8 };  // milliseconds

static pthread_barrier_t barrier;
static sem_t semaphores[kThreads];  // one per waiting thread: none takes the post of another
static _Thread_local sem_t* semaphore;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static int round_done, in_queue;
static double let_go[kRounds], waited_from[kThreads][kRounds], waited_for_work[kThreads], put_at;
static double ended_at[kThreads], waited_for_ends;

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

__attribute__((noinline)) static void compute(void) {
  const double end = now() + 0.05;
  while (now() < end) {
  }
}

static void at_barrier(long thread, int round) {
  if (thread == 0) let_go[round] = now();
  else waited_from[thread][round] = now();
  pthread_barrier_wait(&barrier);
}

static const struct timespec* in_milliseconds(clockid_t clock, long wait) {
  static _Thread_local struct timespec time;
  clock_gettime(clock, &time);
  time.tv_nsec += wait * 1000000;
  if (time.tv_nsec >= 1000000000) ++time.tv_sec, time.tv_nsec -= 1000000000;
  return &time;
}

static int wait_for_post(void) { return sem_wait(semaphore); }
static int wait_for_post_timed(void) { return sem_timedwait(semaphore, in_milliseconds(CLOCK_REALTIME, kPatience)); }
static int wait_for_post_clock(void) {
  return sem_clockwait(semaphore, CLOCK_MONOTONIC, in_milliseconds(CLOCK_MONOTONIC, kPatience));
}

static void semaphore_round(long thread, int round, int (*wait)(void)) {
  if (thread == 0) {
    let_go[round] = now();
    for (int i = 1; i < kThreads; ++i) sem_post(&semaphores[i]);
    return;
  }
  semaphore = &semaphores[thread];
  waited_from[thread][round] = now();
  while (wait() != 0) {
  }
}

static void for_semaphore(long thread, int round) { semaphore_round(thread, round, wait_for_post); }
static void for_timed_semaphore(long thread, int round) { semaphore_round(thread, round, wait_for_post_timed); }
static void for_clock_semaphore(long thread, int round) { semaphore_round(thread, round, wait_for_post_clock); }

static int wait_for_signal(void) { return pthread_cond_wait(&condition, &mutex); }
static int wait_for_signal_timed(void) {
  return pthread_cond_timedwait(&condition, &mutex, in_milliseconds(CLOCK_REALTIME, kPatience));
}
static int wait_for_signal_clock(void) {
  return pthread_cond_clockwait(&condition, &mutex, CLOCK_MONOTONIC, in_milliseconds(CLOCK_MONOTONIC, kPatience));
}

static void signal_round(long thread, int round, int (*wait)(void)) {
  pthread_mutex_lock(&mutex);
  if (thread == 0) {
    let_go[round] = now();
    round_done = round + 1;
    pthread_cond_broadcast(&condition);
  } else {
    waited_from[thread][round] = now();
    while (round_done <= round) wait();
  }
  pthread_mutex_unlock(&mutex);
}

static void for_signal(long thread, int round) { signal_round(thread, round, wait_for_signal); }
static void for_timed_signal(long thread, int round) { signal_round(thread, round, wait_for_signal_timed); }
static void for_clock_signal(long thread, int round) { signal_round(thread, round, wait_for_signal_clock); }

/* The first thread puts two pieces in each round, half a round apart; who takes one waits until then. */
static void for_work(long thread, int round) {
  (void)round;
  for (int piece = 0; piece < (thread == 0 ? kThreads - 1 : 1); ++piece) {
    if (piece) compute();
    pthread_mutex_lock(&mutex);
    if (thread == 0) {
      ++in_queue;
      put_at = now();
      pthread_cond_signal(&condition);
    } else {
      const double begin = now();
      while (in_queue == 0) pthread_cond_wait(&condition, &mutex);
      --in_queue;
      if (put_at > begin) waited_for_work[thread] += put_at - begin;
    }
    pthread_mutex_unlock(&mutex);
  }
}

static void for_nothing(long thread, int round) {
  (void)round;
  for (int i = 0; i < 5; ++i) {
    pthread_mutex_lock(&mutex);
    const struct timespec* const until = in_milliseconds(CLOCK_REALTIME, 10);
    if (thread != 0)
      while (pthread_cond_timedwait(&condition, &mutex, until) != ETIMEDOUT) {
      }
    pthread_mutex_unlock(&mutex);
    if (thread == 0) nanosleep(&(struct timespec){0, 9000000}, NULL);
  }
}

static void (*const ways[])(long, int) = {at_barrier,          for_semaphore,       for_signal,
                                          for_timed_semaphore, for_clock_semaphore, for_timed_signal,
                                          for_clock_signal,    for_work,            for_nothing};
enum { kWork = 7, kNothing, kWays };
static const char* const names[] = {"barrier",      "semaphore",    "signal", "timed_semaphore", "clock_semaphore",
                                    "timed_signal", "clock_signal", "work",   "nothing"};
static int way;

static void* run(void* number) {
  const long thread = (long)number;
  for (int round = 0; round < kRounds; ++round) {
    if (thread == 0 && way != kNothing) compute();
    ways[way](thread, round);
  }
  ended_at[thread] = now();
  return NULL;
}

static double waited(void) {
  double seconds = 0;
  for (int i = 1; i < kThreads; ++i)
    for (int round = 0; round < kRounds; ++round) {
      const double wait = let_go[round] - waited_from[i][round];
      if (way < kWork && wait > 0) seconds += wait;
    }
  for (int i = 1; way == kWork && i < kThreads; ++i) seconds += waited_for_work[i];
  return seconds;
}

int main(void) {
  pthread_barrier_init(&barrier, NULL, kThreads);
  for (int i = 0; i < kThreads; ++i) sem_init(&semaphores[i], 0, 0);
  for (way = 0; way < kWays; ++way) {
    round_done = 0;
    pthread_t threads[kThreads];
    for (long i = 0; i < kThreads; ++i) pthread_create(&threads[i], NULL, run, (void*)i);
    for (int i = 0; i < kThreads; ++i) {
      const double begin = now();
      pthread_join(threads[i], NULL);
      if (ended_at[i] > begin) waited_for_ends += ended_at[i] - begin;
    }
    printf("%s %.6f\n", names[way], waited());
  }
  printf("ends %.6f\n", waited_for_ends);
  return 0;
}
