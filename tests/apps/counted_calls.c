/* counted_calls.c -- calls MPI functions so often: each rank MPI_Init once, MPI_Comm_size twice, MPI_Comm_rank once,
 * MPI_Send and MPI_Recv 7 times, MPI_Barrier 5 times, MPI_Bcast 3 times, MPI_Reduce once, MPI_Finalize once.
 *
 * Rank 0 prints "sum N": 10 for each rank but the first, times its number. */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char** argv) {
  int rank, size, sum, share;
  MPI_Init(&argc, &argv);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Comm_size(MPI_COMM_SELF, &sum);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  for (int i = 0; i < 7; ++i) {
    int in;
    if (rank % 2 == 0) MPI_Send(&i, 1, MPI_INT, (rank + 1) % size, i, MPI_COMM_WORLD);
    MPI_Recv(&in, 1, MPI_INT, (rank + size - 1) % size, i, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (rank % 2 != 0) MPI_Send(&i, 1, MPI_INT, (rank + 1) % size, i, MPI_COMM_WORLD);
    if (i < 5) MPI_Barrier(MPI_COMM_WORLD);
  }
  share = 10;
  for (int i = 0; i < 3; ++i) MPI_Bcast(&share, 1, MPI_INT, 0, MPI_COMM_WORLD);
  share *= rank;
  MPI_Reduce(&share, &sum, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0) printf("sum %d\n", sum);
  fflush(stdout);
  MPI_Finalize();
  return 0;
}
