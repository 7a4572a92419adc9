/* efficiency_known.c -- work that is shared out unevenly, and work that ranks do one after another; each rank tells how
 * long it has worked.
 *
 * usage: mpirun -np N efficiency_known [strong|weak]      N: 1 or 2
 *
 *   uneven   10 steps with a barrier. strong: 40 ms of work in each; two ranks share it, rank 0 three fifths.
 *            weak: 20 ms for each rank on average
 *   turns    6 steps: rank 0 works 15 ms, then rank 1, which gets a message from it, then rank 0 gets one. One rank
 *            does the work of both
 *
 * Prints for each rank and function "RANK FUNCTION SECONDS", the time between its calls of MPI. The ranks sleep instead
 * of working, so that more ranks than cores do not distort it.
 */
#include <mpi.h>
#include <stdio.h>
#include <string.h>

#include "timed_sleep.h"

static int rank, size;

static double uneven(int is_weak) {
  double worked = 0;
  const double mean = is_weak ? 20 : 40.0 / size;
  for (int step = 0; step < 10; ++step) {
    worked += take(size == 1 ? mean : mean * (rank == 0 ? 1.2 : 0.8));
    MPI_Barrier(MPI_COMM_WORLD);
  }
  return worked;
}

static double turns(void) {
  double worked = 0;
  for (int step = 0; step < 6; ++step) {
    char token = 0;
    if (rank == 1) MPI_Recv(&token, 1, MPI_CHAR, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    worked += take(size == 1 ? 30 : 15);
    if (rank == 1) MPI_Send(&token, 1, MPI_CHAR, 0, 2, MPI_COMM_WORLD);
    if (rank == 0 && size > 1) {
      MPI_Send(&token, 1, MPI_CHAR, 1, 1, MPI_COMM_WORLD);
      MPI_Recv(&token, 1, MPI_CHAR, 1, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
  }
  return worked;
}

int main(int argc, char** argv) {
  double worked[2], all[4];
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  if (size > 2) MPI_Abort(MPI_COMM_WORLD, 2);
  MPI_Barrier(MPI_COMM_WORLD);
  worked[0] = uneven(argc > 1 && strcmp(argv[1], "weak") == 0);
  worked[1] = turns();
  MPI_Gather(worked, 2, MPI_DOUBLE, all, 2, MPI_DOUBLE, 0, MPI_COMM_WORLD);
  for (int i = 0; rank == 0 && i < size; ++i)
    printf("%d uneven %.9f\n%d turns %.9f\n", i, all[2 * i], i, all[2 * i + 1]);
  MPI_Finalize();
  return 0;
}
