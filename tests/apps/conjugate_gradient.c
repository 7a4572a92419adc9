/* conjugate_gradient.c -- the communication of a conjugate gradient solver on a ring: a halo exchange and two sums.
 *
 * Rank 1 takes 90 ms longer before each exchange: its neighbours wait for its halo, the others in the first sum. Rank 2
 * takes 60 ms longer between the sums: everybody else waits in the second one. */
#include <mpi.h>

#include "pause.h"

enum { ITERATIONS = 4, LENGTH = 100 };

int main(int argc, char** argv) {
  int rank, size;
  double halo[2][LENGTH] = {{0}}, own[LENGTH] = {1}, sums[2] = {1, 1};
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  const int next = (rank + 1) % size, previous = (rank + size - 1) % size;
  pause_begin();
  for (int i = 0; i < ITERATIONS; ++i) {
    MPI_Request requests[4];
    double part = 1;
    pause_until(240 * i + (rank == 1 ? 120 : 30));
    MPI_Irecv(halo[0], LENGTH, MPI_DOUBLE, previous, 1, MPI_COMM_WORLD, &requests[0]);
    MPI_Irecv(halo[1], LENGTH, MPI_DOUBLE, next, 2, MPI_COMM_WORLD, &requests[1]);
    MPI_Isend(own, LENGTH, MPI_DOUBLE, next, 1, MPI_COMM_WORLD, &requests[2]);
    MPI_Isend(own, LENGTH, MPI_DOUBLE, previous, 2, MPI_COMM_WORLD, &requests[3]);
    MPI_Waitall(4, requests, MPI_STATUSES_IGNORE);
    MPI_Allreduce(&part, &sums[0], 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    pause_until(240 * i + (rank == 2 ? 210 : 150));
    MPI_Allreduce(MPI_IN_PLACE, &sums[1], 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  }
  MPI_Finalize();
  return 0;
}
