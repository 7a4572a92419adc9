/* outlined.c -- parallel regions and tasks, of which compilers make functions of their own. OpenMP, no MPI.
 *
 * Prints a line for each call path that must be seen: EXPECT VISITS PATH, over all threads, without lines. Each path is
 * one node: that of the construct, for master and workers alike. A function that ends with a region would be gone while
 * that runs, and not be seen. The inner region of nested() is such a case. BLOCKED SECONDS PATH is how long all threads
 * sleep there. */
#include <omp.h>
#include <stdio.h>
#include <unistd.h>

enum { kRounds = 10, kSteps = 8, kThreads = 2, kTasks = 500, kSleep = 50000 };

static volatile double g_sum;
static volatile int g_regions;

__attribute__((noinline)) static void step(int value) {
#pragma omp critical
  g_sum += value;
}

__attribute__((noinline)) static void loop(void) {
  int i;
#pragma omp parallel for num_threads(kThreads) schedule(static) private(i)
  for (i = 0; i < kSteps; ++i) step(i);
  ++g_regions;
}

__attribute__((noinline)) static void nested(void) {
#pragma omp parallel num_threads(kThreads)
  {
    step(1);
#pragma omp parallel num_threads(kThreads)
    step(2);
  }
  ++g_regions;
}

__attribute__((noinline)) static void serial(int is_parallel) {
#pragma omp parallel num_threads(kThreads) if (is_parallel)
  step(3);
  ++g_regions;
}

__attribute__((noinline)) static void tasks(void) {
  int i;
#pragma omp parallel num_threads(kThreads) private(i)
#pragma omp single
  for (i = 0; i < kSteps; ++i) {
#pragma omp task firstprivate(i)
    {
      step(i);
#pragma omp task firstprivate(i)
      step(i);
    }
  }
  ++g_regions;
}

/* All threads sleep in the loop, which is code of the program. */
__attribute__((noinline)) static void asleep(void) {
  int i;
#pragma omp parallel for num_threads(kThreads) schedule(static) private(i)
  for (i = 0; i < kThreads; ++i) {
    step(i);
    usleep(kSleep);
    step(i);
  }
  ++g_regions;
}

#ifdef TASKLOOPS
/* More tasks than the runtime creates in one thread. */
__attribute__((noinline)) static void taskloops(void) {
#pragma omp parallel num_threads(kThreads)
#pragma omp single
  {
    int i;
#pragma omp taskloop num_tasks(kTasks)
    for (i = 0; i < kTasks; ++i) step(i);
#pragma omp taskloop num_tasks(kSteps) nogroup
    for (i = 0; i < kSteps; ++i) step(i);
  }
  ++g_regions;
}
#endif

int main(void) {
  int round;
  omp_set_max_active_levels(2);
  for (round = 0; round < kRounds; ++round) {
    loop();
    nested();
    serial(0);
    tasks();
  }
  asleep();
  printf("BLOCKED %g main/asleep/parallel/for\n", kThreads * kSleep * 1e-6);
#ifdef TASKLOOPS
  taskloops();
  printf("EXPECT %d main/taskloops/parallel/task/step/critical\n", kTasks + kSteps);
  printf("EXPECT %d main/taskloops/parallel/single/single sblock/taskgroup/taskloop\n", 1);
  printf("EXPECT %d main/taskloops/parallel/single/single sblock/taskloop\n", 1);
#endif
  printf("EXPECT %d main/loop/parallel\n", kRounds * kThreads);
  printf("EXPECT %d main/loop/parallel/for/step/critical\n", kRounds * kSteps);
  printf("EXPECT %d main/nested/parallel\n", kRounds * kThreads);
  printf("EXPECT %d main/nested/parallel/step/critical\n", kRounds * kThreads);
  printf("EXPECT %d main/nested/parallel/parallel\n", kRounds * kThreads * kThreads);
  printf("EXPECT %d main/nested/parallel/parallel/step/critical\n", kRounds * kThreads * kThreads);
  printf("EXPECT %d main/serial/parallel\n", kRounds);
  printf("EXPECT %d main/serial/parallel/step/critical\n", kRounds);
  printf("EXPECT %d main/tasks/parallel\n", kRounds * kThreads);
  printf("EXPECT %d main/tasks/parallel/task\n", kRounds * kSteps * 2);
  printf("EXPECT %d main/tasks/parallel/task/step/critical\n", kRounds * kSteps * 2);
  return 0;
}
