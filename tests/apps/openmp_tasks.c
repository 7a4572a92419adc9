/* openmp_tasks.c -- explicit tasks that create tasks: recursive ones, and of all kinds.
 *
 * usage: openmp_tasks [N]. Computes the Nth number of Fibonacci with two tasks for each step. Prints a line for each
 * construct that must be seen: EXPECT NAME VISITS, over all threads. Call paths must not become more with N.
 *
 * OPARI2 sees neither taskloop nor taskgroup nor pragmas in macros, so these are left out for -DPLAIN. */
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

static long g_tasks, g_waits;

static void add(long* counter, long more) {
#pragma omp atomic
  *counter += more;
}

static long fib(int n) {
  long a, b;
  if (n < 2) return n;
  add(&g_tasks, 2);
#pragma omp task shared(a)
  a = fib(n - 1);
#pragma omp task shared(b)
  b = fib(n - 2);
  add(&g_waits, 1);
#pragma omp taskwait
  return a + b;
}

/* Each waits inside the one before it. */
static void chain(int length) {
  if (length == 0) return;
  add(&g_tasks, 1);
#pragma omp task
  chain(length - 1);
  add(&g_waits, 1);
#pragma omp taskwait
}

static long ordered_chain(int length) {
  long value = 0;
  int i;
  for (i = 0; i < length; ++i) {
    add(&g_tasks, 1);
#pragma omp task depend(inout : value) shared(value)
    ++value;
  }
  add(&g_waits, 1);
#pragma omp taskwait
  return value;
}

static long team_in_task(int depth) {
  long sum = 0;
  add(&g_tasks, 1);
#pragma omp task shared(sum)
  {
#pragma omp parallel num_threads(2) reduction(+ : sum)
    {
#pragma omp single
      sum += depth > 0 ? team_in_task(depth - 1) + 1 : 1;
    }
  }
  add(&g_waits, 1);
#pragma omp taskwait
  return sum;
}

#ifndef PLAIN
static long grouped(int n) {
  long sum = 0;
  int i;
#pragma omp taskloop num_tasks(4) shared(sum)
  for (i = 0; i < n; ++i) add(&sum, i);
#pragma omp taskgroup
  {
    add(&g_tasks, 1);
#pragma omp task shared(sum)
    add(&sum, fib(4));
  }
  return sum;
}
#endif

int main(int argc, char** argv) {
  const int n = argc > 1 ? atoi(argv[1]) : 12;
  long number = 0, value = 0, sum = 0, of_group = 0, alone;
  omp_set_max_active_levels(4);
#pragma omp parallel num_threads(2)
  {
#pragma omp single
    {
      number = fib(n);
      chain(n);
      value = ordered_chain(n);
      sum = team_in_task(2);
#ifndef PLAIN
      of_group = grouped(8);
#endif
    }
  }
  alone = fib(5); /* outside of any team */
  printf("fib %ld chain %ld teams %ld group %ld alone %ld\n", number, value, sum, of_group, alone);
#ifndef PLAIN
  g_tasks += 4;
#endif
  printf("EXPECT task %ld\nEXPECT taskwait %ld\n", g_tasks, g_waits);
  return 0;
}
