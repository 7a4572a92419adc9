/* wavefront.c -- sweeps through a line of ranks, one every 180 ms; each rank works 30 ms on it.
 *
 * From the second sweep on each rank but the first waits 150 ms for its neighbour (late sender). */
#include <mpi.h>

#include "pause.h"

enum { SWEEPS = 4 };

int main(int argc, char** argv) {
  int rank, size;
  double edge[64] = {1};
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  pause_begin();
  for (int sweep = 0; sweep < SWEEPS; ++sweep) {
    MPI_Status status;
    if (rank > 0) MPI_Recv(edge, 64, MPI_DOUBLE, rank - 1, sweep, MPI_COMM_WORLD, &status);
    pause_until(180 * sweep + 120 + 30 * rank);
    if (rank < size - 1) MPI_Send(edge, 64, MPI_DOUBLE, rank + 1, sweep, MPI_COMM_WORLD);
  }
  MPI_Finalize();
  return 0;
}
