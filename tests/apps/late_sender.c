// late_sender.c -- a blocking receive that is posted 50 ms before its message is sent.
// expect: metric=mpi_latesender callpath=*/MPI_Recv rank=1 seconds=4*0.05
// expect: metric=mpi_latesender callpath=*/MPI_Recv rank=3 seconds=0
// expect: metric=mpi_latesender_wo callpath=*/MPI_Recv rank=1 seconds=0
#include "scene.h"

int main(int argc, char** argv) {
  const int rank = scene_begin(&argc, &argv);
  int data = rank;
  for (int scene = 0; scene < SCENES; ++scene) {
    // Rank 3 receives in time: its message was sent 50 ms before.
    scene_wait(scene, rank == 0 || rank == 3 ? 0.05 : 0);
    if (rank % 2 == 0) MPI_Send(&data, 1, MPI_INT, rank + 1, scene, MPI_COMM_WORLD);
    if (rank % 2 == 1) MPI_Recv(&data, 1, MPI_INT, rank - 1, scene, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
  MPI_Finalize();
  return 0;
}
