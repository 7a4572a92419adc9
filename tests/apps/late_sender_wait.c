// late_sender_wait.c -- non-blocking receives whose completion waits: for the latest of two messages, not for their
// sum. expect: metric=mpi_latesender callpath=*/MPI_Waitall rank=1 seconds=4*0.05
// expect: metric=mpi_latesender callpath=*/MPI_Wait rank=3 seconds=4*0.04
#include "scene.h"

int main(int argc, char** argv) {
  const double start_of_rank[4] = {0.05, 0, 0.03, 0};
  const int rank = scene_begin(&argc, &argv);
  int data[2] = {rank, rank};
  MPI_Request requests[2];
  for (int scene = 0; scene < SCENES; ++scene) {
    scene_wait(scene, start_of_rank[rank]);
    if (rank == 0 || rank == 2) {
      MPI_Isend(data, 1, MPI_INT, 1, scene, MPI_COMM_WORLD, &requests[0]);
      MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
    } else if (rank == 1) {
      MPI_Irecv(&data[0], 1, MPI_INT, 0, scene, MPI_COMM_WORLD, &requests[0]);
      MPI_Irecv(&data[1], 1, MPI_INT, 2, scene, MPI_COMM_WORLD, &requests[1]);
      MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    }
    if (rank == 2) {
      scene_wait(scene, 0.1);
      MPI_Send(data, 1, MPI_INT, 3, scene, MPI_COMM_WORLD);
    } else if (rank == 3) {
      // Posted long before the message is sent; only the completion, 40 ms before it, waits.
      MPI_Irecv(data, 1, MPI_INT, 2, scene, MPI_COMM_WORLD, &requests[0]);
      scene_wait(scene, 0.06);
      MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
    }
  }
  MPI_Finalize();
  return 0;
}
