/* transpose.c -- a distributed transpose: rows are handed out, exchanged by all, and checked on rank 0.
 *
 * Rank 0 starts each round 60 ms late: the others wait for its rows (late broadcast). Rank 2 takes 90 ms longer before
 * the exchange: everybody else waits for it (N x N). Rank 3 takes 90 ms longer at the end: rank 0 alone, the root of
 * the reduction, waits (early reduce), and the others at the barrier. */
#include <mpi.h>

#include "pause.h"

enum { ROUNDS = 4, LENGTH = 16, MOST_RANKS = 64 };

int main(int argc, char** argv) {
  int rank, size;
  double in[LENGTH * MOST_RANKS] = {0}, out[LENGTH * MOST_RANKS] = {0}, check[2] = {0, 0};
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  pause_begin();
  for (int i = 0; i < ROUNDS; ++i) {
    pause_until(360 * i + (rank == 0 ? 75 : 15));
    MPI_Bcast(in, LENGTH, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    pause_until(360 * i + (rank == 2 ? 195 : 105));
    MPI_Alltoall(in, LENGTH, MPI_DOUBLE, out, LENGTH, MPI_DOUBLE, MPI_COMM_WORLD);
    pause_until(360 * i + (rank == 3 ? 330 : 240));
    MPI_Reduce(out, check, 2, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    MPI_Barrier(MPI_COMM_WORLD);
  }
  MPI_Finalize();
  return 0;
}
