// late_receiver.c -- synchronous sends that block 50 ms until their receive is posted.
// expect: metric=mpi_latereceiver callpath=*/MPI_Ssend rank=0 seconds=4*0.05
// expect: metric=mpi_latereceiver callpath=*/MPI_Wait rank=2 seconds=4*0.04
#include "scene.h"

int main(int argc, char** argv) {
  const int rank = scene_begin(&argc, &argv);
  int data = rank;
  for (int scene = 0; scene < SCENES; ++scene) {
    scene_wait(scene, rank == 1 || rank == 3 ? 0.05 : 0);
    if (rank == 0) {
      MPI_Ssend(&data, 1, MPI_INT, 1, scene, MPI_COMM_WORLD);
    } else if (rank == 2) {
      MPI_Request request;
      MPI_Issend(&data, 1, MPI_INT, 3, scene, MPI_COMM_WORLD, &request);
      scene_wait(scene, 0.01);
      MPI_Wait(&request, MPI_STATUS_IGNORE);
    } else {
      MPI_Recv(&data, 1, MPI_INT, rank - 1, scene, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
  }
  MPI_Finalize();
  return 0;
}
