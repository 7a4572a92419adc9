// late_sender_wrong_order.c -- receives that wait 50 ms while another message, sent earlier, is received after them.
// expect: metric=mpi_latesender callpath=*/MPI_Recv rank=1-2 seconds=4*0.05
// expect: metric=mpi_latesender_wo callpath=*/MPI_Recv rank=1-2 seconds=4*0.05
// expect: metric=mpi_lswo_same callpath=*/MPI_Recv rank=1 seconds=4*0.05
// expect: metric=mpi_lswo_different callpath=*/MPI_Recv rank=2 seconds=4*0.05
#include "scene.h"

int main(int argc, char** argv) {
  const int kFirst = 1, kSecond = 2;  // tags, in the order of sending
  const int rank = scene_begin(&argc, &argv);
  int data = rank;
  for (int scene = 0; scene < SCENES; ++scene) {
    scene_wait(scene, 0);
    if (rank == 0) {
      scene_wait(scene, 0.025);
      MPI_Send(&data, 1, MPI_INT, 1, kFirst, MPI_COMM_WORLD);
      scene_wait(scene, 0.05);
      MPI_Send(&data, 1, MPI_INT, 1, kSecond, MPI_COMM_WORLD);
      scene_wait(scene, 0.15);
      MPI_Send(&data, 1, MPI_INT, 2, kSecond, MPI_COMM_WORLD);
    } else if (rank == 3) {
      scene_wait(scene, 0.125);
      MPI_Send(&data, 1, MPI_INT, 2, kFirst, MPI_COMM_WORLD);
    } else {
      if (rank == 2) scene_wait(scene, 0.1);
      MPI_Recv(&data, 1, MPI_INT, 0, kSecond, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      MPI_Recv(&data, 1, MPI_INT, rank == 1 ? 0 : 3, kFirst, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
  }
  MPI_Finalize();
  return 0;
}
