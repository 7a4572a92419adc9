/* overheads_teams.c -- forks of teams and flushes that take long on purpose (overheads_timing.h).
 *
 * A team of more threads than there are needs new ones, and to create one takes kLate here: OpenMP's runtime calls the
 * pthread_create() of this program. A flush has to wait until all stores are done. Before each there are stores to some
 * lines, and instructions that write each line back to memory: so many that the processor still takes stores, or hooks
 * would wait instead. Some processors (AMD's) do not wait for these, nor do those that are no x86-64: where a fence
 * takes less than the hooks around it could hide, nothing is told of flushes.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <omp.h>
#include <pthread.h>
#include <stdlib.h>

#include "overheads_timing.h"

enum { THREADS = 4, FLUSHES = 2000, LINES = 8, LINE = 64 };

static const double kLate = 0.2, kSlowFence = 1e-6;
static int is_late;
static double fork_time[THREADS];
static char lines[LINES * LINE] __attribute__((aligned(LINE)));

int pthread_create(pthread_t* thread, const pthread_attr_t* attributes, void* (*start)(void*), void* argument) {
  typedef int (*Create)(pthread_t*, const pthread_attr_t*, void* (*)(void*), void*);
  Create create;
  *(void**)&create = dlsym(RTLD_NEXT, "pthread_create");
  if (is_late) clock_wait_until(clock_now() + kLate);
  return create(thread, attributes, start, argument);
}

static void fork_team(void) {
  is_late = 1;
  const double begin = clock_now();
#pragma omp parallel num_threads(THREADS)
  fork_time[omp_get_thread_num()] += clock_now() - begin;
  is_late = 0;
  for (int thread = 0; thread < THREADS; ++thread) tell_own("OCTRL_FORK", fork_time[thread]);
}

static void write_lines(int value) {
  for (int line = 0; line < LINES; ++line) {
    char* const at = lines + line * LINE;
    *(volatile char*)at = (char)value;
#ifdef __x86_64__
    __builtin_ia32_clflush(at);
#endif
  }
}

static int fences_are_slow(void) {
  double fence_time = 0;
  for (int i = 0; i < FLUSHES; ++i) {
    write_lines(i);
    const double begin = clock_now();
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
    fence_time += clock_now() - begin;
  }
  return fence_time > FLUSHES * kSlowFence;
}

static void flush_often(void) {
  double flush_time = 0;
  for (int i = 0; i < FLUSHES; ++i) {
    write_lines(i);
    const double begin = clock_now();
#pragma omp flush
    flush_time += clock_now() - begin;
  }
  if (fences_are_slow()) tell_own("OSYN_FLUSH", flush_time);
}

int main(void) {
#pragma omp parallel num_threads(2)
  clock_wait_until(clock_now() + kLate / 10); /* a recording begins with the first construct */
  fork_team();
  flush_often();
  write_told();
  return 0;
}
