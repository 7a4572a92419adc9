/* overheads_openmp.c -- four threads that make overheads of OpenMP on purpose, by sleeping (overheads_timing.h). */
#include <omp.h>

#include "overheads_timing.h"

enum { THREADS = 4, TASKS = 40 };

static const double kLate = 0.1;
static double barrier_time[THREADS], lock_time[THREADS], task_time[THREADS];

typedef struct {
  char bytes[1 << 20];
} Large;

static Large large;
static volatile char seen;

static void pause_for(double seconds) { clock_wait_until(clock_now() + seconds); }

/* The first thread comes late to a barrier. */
static void meet(void) {
#pragma omp parallel num_threads(THREADS)
  {
    const int thread = omp_get_thread_num();
    if (thread == 0) pause_for(kLate);
    const double begin = clock_now();
#pragma omp barrier
    barrier_time[thread] += clock_now() - begin;
  }
}

/* One after the other holds a lock, in two ways. */
static void take_turns(void) {
  omp_lock_t lock;
  omp_init_lock(&lock);
#pragma omp parallel num_threads(THREADS)
  {
    const int thread = omp_get_thread_num();
    double begin = clock_now();
#pragma omp critical
    {
      lock_time[thread] += clock_now() - begin;
      pause_for(kLate / 4);
    }
    begin = clock_now();
    omp_set_lock(&lock);
    lock_time[thread] += clock_now() - begin;
    pause_for(kLate / 4);
    omp_unset_lock(&lock);
    begin = clock_now();
#pragma omp barrier
    barrier_time[thread] += clock_now() - begin;
  }
}

/* The first thread waits for tasks that others run in the barrier. It creates them with what they copy. */
static void use_tasks(void) {
  double wait_time = 0, create_time = 0;
#pragma omp parallel num_threads(THREADS)
  {
    const int thread = omp_get_thread_num();
    double begin;
    if (thread == 0) {
      for (int i = 0; i < 2; ++i) {
#pragma omp task
        {
          const double task_begin = clock_now();
          pause_for(3 * kLate);
          task_time[omp_get_thread_num()] += clock_now() - task_begin;
        }
      }
      pause_for(kLate); /* until others have taken them */
      begin = clock_now();
#pragma omp taskwait
      wait_time += clock_now() - begin;
      for (int i = 0; i < TASKS; ++i) {
        Large copied = large;
        begin = clock_now();
#pragma omp task firstprivate(copied)
        {
          const double task_begin = clock_now();
          seen = copied.bytes[0];
          task_time[omp_get_thread_num()] += clock_now() - task_begin;
        }
        create_time += clock_now() - begin;
      }
    }
    begin = clock_now();
#pragma omp barrier
    barrier_time[thread] += clock_now() - begin;
  }
  tell_own("OSYN_TASK", wait_time - task_time[0]);
  tell_own("OCTRL_TASK", create_time);
}

int main(void) {
  double parallel = 0, partial = 0;
  meet(); /* a recording begins with the first construct */
  const double start = clock_now();
  pause_for(3 * kLate);
  TIMED(parallel, take_turns());
  TIMED(parallel, use_tasks());
  const double begin = clock_now();
#pragma omp parallel num_threads(THREADS / 2)
  pause_for(kLate);
  partial = clock_now() - begin;
  tell_own("OLOP_PART", (THREADS - THREADS / 2) * partial);
  tell_own("OLOP_UNPAR", (THREADS - 1) * (clock_now() - start - parallel - partial));
  for (int thread = 0; thread < THREADS; ++thread) {
    tell_own("OSYN_TBAR", barrier_time[thread] - (thread == 0 ? 0 : task_time[thread]));
    tell_own("OSYN_TLOCK", lock_time[thread]);
  }
  write_told();
  return 0;
}
