/* openmp_constructs.c -- every OpenMP construct, a known number of times, in teams of varying size.
 *
 * Prints a line for each construct that must be seen: EXPECT NAME VISITS, over all threads. */
#include <mpi.h>
#include <omp.h>
#include <stdio.h>

static long parallels, loops, singles, single_blocks, masters, criticals, barriers, implicit_barriers, sets;

static void team(int threads, omp_lock_t* lock) {
  int i, sum[6] = {0};
#pragma omp parallel num_threads(threads) private(i)
  {
#pragma omp for
    for (i = 0; i < 8; ++i) {
#pragma omp critical
      ++sum[0];
    }
#pragma omp barrier
#pragma omp single
    ++sum[1];
#pragma omp master
    ++sum[2];
    omp_set_lock(lock);
    ++sum[3];
    omp_unset_lock(lock);
#pragma omp for nowait
    for (i = 0; i < 8; ++i) {
#pragma omp critical(named)
      ++sum[4];
    }
  }
  parallels += threads, loops += 2 * threads, singles += threads, single_blocks += 1, masters += 1, criticals += 16;
  barriers += threads, sets += threads, implicit_barriers += 3 * threads;
  if (sum[0] != 8 || sum[1] != 1 || sum[2] != 1 || sum[3] != threads || sum[4] != 8) puts("wrong sum");
}

int main(int argc, char** argv) {
  static const int sizes[] = {4, 2, 3, 1, 4};
  omp_lock_t lock;
  unsigned i;
  MPI_Init(&argc, &argv);
  omp_set_dynamic(0);
  omp_init_lock(&lock);
  for (i = 0; i < sizeof sizes / sizeof *sizes; ++i) team(sizes[i], &lock);
  omp_destroy_lock(&lock);
  printf("EXPECT parallel %ld\nEXPECT for %ld\nEXPECT single %ld\nEXPECT single_sblock %ld\nEXPECT master %ld\n", parallels,
         loops, singles, single_blocks, masters);
  printf("EXPECT critical %ld\nEXPECT barrier %ld\nEXPECT implicit_barrier %ld\nEXPECT omp_set_lock %ld\n", criticals,
         barriers, implicit_barriers, sets);
  MPI_Finalize();
  return 0;
}
