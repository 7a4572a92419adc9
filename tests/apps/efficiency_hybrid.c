/* efficiency_hybrid.c -- processes of two threads that share their work out unevenly; each tells how long it has worked.
 *
 * usage: mpirun -np N efficiency_hybrid
 *
 * Five steps with a barrier of MPI. In each, the first thread of rank r works alone for 6 (r + 1) ms, and then thread t
 * for 12 (t + 1) / (r + 1) ms in a parallel region.
 *
 * Prints for each rank "RANK SERIAL THREAD0 THREAD1 PARALLEL" in seconds: what the first thread works alone, what each
 * works in parallel regions, and how long the first thread is in them. The threads sleep instead of working, so that more
 * threads than cores do not distort it.
 */
#include <mpi.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

#include "timed_sleep.h"

enum { SERIAL, THREADS, PARALLEL = THREADS + 2, VALUES };

int main(int argc, char** argv) {
  double worked[VALUES] = {0}, *all = NULL;
  int rank, size, step, i;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  omp_set_num_threads(2);
  all = malloc((size_t)size * sizeof worked);
  for (step = 0; step < 5; ++step) {
    double begin;
    worked[SERIAL] += take(6.0 * (rank + 1));
    begin = seconds();
#pragma omp parallel
    {
      const int thread = omp_get_thread_num();
      worked[THREADS + thread] += take(12.0 * (thread + 1) / (rank + 1));
    }
    worked[PARALLEL] += seconds() - begin;
    MPI_Barrier(MPI_COMM_WORLD);
  }
  MPI_Gather(worked, VALUES, MPI_DOUBLE, all, VALUES, MPI_DOUBLE, 0, MPI_COMM_WORLD);
  for (i = 0; rank == 0 && i < size; ++i) {
    const double* of_rank = all + VALUES * i;
    printf("%d %.9f %.9f %.9f %.9f\n", i, of_rank[SERIAL], of_rank[THREADS], of_rank[THREADS + 1], of_rank[PARALLEL]);
  }
  free(all);
  MPI_Finalize();
  return 0;
}
