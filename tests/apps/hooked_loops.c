// hooked_loops.c -- an instrumented function that parallel loops, tasks and a parallel region call.
//
// usage: hooked_loops REGIONS CALLS   -- `small` is called 3 x REGIONS x CALLS x 2 times, from two threads. The stacks
// that are walked grow with REGIONS, not with CALLS.
#include <stdio.h>
#include <stdlib.h>

static volatile double g_last;  // a compiler may leave out calls whose results nobody reads

__attribute__((noinline)) void small(double* value) { *value = *value * 1.0000001 + 1e-9; }

static void loops(int regions, int calls) {
  double values[2] = {1, 1};
  for (int r = 0; r < regions; ++r) {
#pragma omp parallel for num_threads(2) schedule(static)
    for (int i = 0; i < 2 * calls; ++i) small(&values[i / calls]);
  }
}

static void tasks(int regions, int calls) {
  double values[2] = {1, 1};
  for (int r = 0; r < regions; ++r) {
#pragma omp parallel num_threads(2)
#pragma omp single
    for (int t = 0; t < 2; ++t) {
#pragma omp task firstprivate(t)
      for (int i = 0; i < calls; ++i) small(&values[t]);
    }
  }
}

// Behind a construct, the function that the compiler has made of the region is open, and no construct is.
static void behind_barriers(int regions, int calls) {
  for (int r = 0; r < regions; ++r) {
#pragma omp parallel num_threads(2)
    {
      double value = 1;
#pragma omp barrier
      for (int i = 0; i < calls; ++i) small(&value);
      g_last = value;
    }
  }
}

int main(int argc, char** argv) {
  if (argc != 3) return 2;
  const int regions = atoi(argv[1]), calls = atoi(argv[2]);
  loops(regions, calls);
  tasks(regions, calls);
  behind_barriers(regions, calls);
  printf("small %d\n", 6 * regions * calls);
  return 0;
}
