/* mpi_mix.c -- a few calls of each group of MPI functions, of which a recording may leave some out.

   Prints the sums that it has received, so that nothing of it is left out. */
#include <mpi.h>
#include <stdio.h>

enum { ROUNDS = 8 };

int main(int argc, char** argv) {
  int rank, ranks, sum = 0, all = 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  MPI_Comm comm;
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  int shared = 0;
  MPI_Win window;
  MPI_Win_create(&shared, sizeof shared, sizeof shared, MPI_INFO_NULL, comm, &window);
  const int right = (rank + 1) % ranks, left = (rank + ranks - 1) % ranks;
  for (int i = 0; i < ROUNDS; ++i) {
    int sent = rank * ROUNDS + i, received = 0, reduced = 0;
    MPI_Request requests[2];
    MPI_Irecv(&received, 1, MPI_INT, left, i, comm, &requests[0]);
    MPI_Isend(&sent, 1, MPI_INT, right, i, comm, &requests[1]);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    sum += received;
    MPI_Sendrecv(&sent, 1, MPI_INT, right, 99, &received, 1, MPI_INT, left, 99, comm, MPI_STATUS_IGNORE);
    sum += received;
    MPI_Iallreduce(&sum, &reduced, 1, MPI_INT, MPI_SUM, comm, &requests[0]);
    MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
    MPI_Barrier(comm);
    MPI_Win_fence(0, window);
    MPI_Put(&reduced, 1, MPI_INT, right, 0, 1, MPI_INT, window);
    MPI_Win_fence(0, window);
    all += shared;
  }
  MPI_Win_free(&window);
  MPI_Comm_free(&comm);
  printf("%d %d %d\n", rank, sum, all);
  return MPI_Finalize();
}
