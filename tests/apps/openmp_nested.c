/* openmp_nested.c -- teams within teams, and tasks that create tasks.
 *
 * Prints a line for each construct that must be seen: EXPECT NAME VISITS, over all threads. */
#include <mpi.h>
#include <omp.h>
#include <stdio.h>

enum { ROUNDS = 20, TASKS = 5 };

static int round_of(int size) {
  int i, total = 0;
#pragma omp parallel num_threads(size) private(i)
  {
#pragma omp parallel num_threads(2)
    {
#pragma omp barrier
#pragma omp critical
      ++total;
    }
#pragma omp single
    {
      for (i = 0; i < TASKS; ++i) {
#pragma omp task
        {
#pragma omp task
          {
#pragma omp critical
            ++total;
          }
#pragma omp taskwait
        }
      }
    }
  }
  return total;
}

int main(int argc, char** argv) {
  int i, threads = 0, total = 0;
  MPI_Init(&argc, &argv);
  omp_set_dynamic(0);
  omp_set_max_active_levels(2);
  for (i = 0; i < ROUNDS; ++i) {
    threads += 2 + i % 2;
    total += round_of(2 + i % 2);
  }
  if (total != 2 * threads + ROUNDS * TASKS) puts("wrong sum");
  printf("EXPECT parallel %d\nEXPECT barrier %d\nEXPECT critical %d\nEXPECT single %d\nEXPECT single_sblock %d\n", 3 * threads,
         2 * threads, total, threads, ROUNDS);
  printf("EXPECT implicit_barrier %d\nEXPECT create_task %d\nEXPECT task %d\nEXPECT taskwait %d\n", 4 * threads,
         2 * ROUNDS * TASKS, 2 * ROUNDS * TASKS, ROUNDS * TASKS);
  MPI_Finalize();
  return 0;
}
