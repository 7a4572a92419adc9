/* blocked_known.c -- a program that waits for a known time in functions that no recorder sees.
 *
 * usage: blocked_known process: compute() 0.2 s, wait_for_child() 0.6 s without a processor, finish() 0.1 s.
 *        blocked_known threads: heavy() of one thread is waited for in a futex by two others, twice 0.2 s.
 *
 * Prints how many seconds it was blocked in all: that is what the metric `blocked` must say, of the main thread or of
 * the two threads. The main thread waits for them in pthread_join. */
#define _GNU_SOURCE
#include <linux/futex.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static double seconds(clockid_t clock) {
  struct timespec now;
  clock_gettime(clock, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static void use_processor(double how_long) {
  const double end = seconds(CLOCK_THREAD_CPUTIME_ID) + how_long;
  volatile double sum = 0;
  while (seconds(CLOCK_THREAD_CPUTIME_ID) < end)
    for (int i = 0; i < 10000; ++i) sum += i;
}

static double blocked;
static pthread_mutex_t of_blocked = PTHREAD_MUTEX_INITIALIZER;

static void note_blocked(double since) {
  const double until = seconds(CLOCK_MONOTONIC);
  pthread_mutex_lock(&of_blocked);
  blocked += until - since;
  pthread_mutex_unlock(&of_blocked);
}

__attribute__((noinline)) static void compute(void) {
  use_processor(0.2);
  __asm__ volatile("");
}

__attribute__((noinline)) static void wait_for_child(void) {
  const pid_t child = fork();
  if (child == 0) {
    usleep(600000);
    _exit(0);
  }
  const double begin = seconds(CLOCK_MONOTONIC);
  waitpid(child, NULL, 0);
  blocked = seconds(CLOCK_MONOTONIC) - begin;
  __asm__ volatile("");
}

__attribute__((noinline)) static void finish(void) {
  use_processor(0.1);
  __asm__ volatile("");
}

static atomic_int rounds;

static void* heavy(void* argument) {
  for (int round = 1; round <= 2; ++round) {
    use_processor(0.2);
    rounds = round;
    syscall(SYS_futex, &rounds, FUTEX_WAKE_PRIVATE, 2, NULL, NULL, 0);
  }
  return argument;
}

static void* light(void* argument) {
  const double begin = seconds(CLOCK_MONOTONIC);
  for (int seen = 0; seen < 2;)
    if (rounds > seen) ++seen;
    else syscall(SYS_futex, &rounds, FUTEX_WAIT_PRIVATE, seen, NULL, NULL, 0);
  note_blocked(begin);
  return argument;
}

static void run_threads(void) {
  pthread_t threads[3];
  pthread_create(&threads[1], NULL, light, NULL);
  pthread_create(&threads[2], NULL, light, NULL);
  pthread_create(&threads[0], NULL, heavy, NULL);
  for (int i = 0; i < 3; ++i) pthread_join(threads[i], NULL);
}

int main(int count, char** arguments) {
  if (count > 1 && strcmp(arguments[1], "threads") == 0) {
    run_threads();
  } else {
    compute();
    wait_for_child();
    finish();
  }
  printf("%.6f\n", blocked);
  return 0;
}
