// wait_at_nxn.c -- an exchange of all with all that waits for rank 3.
// expect: metric=mpi_wait_nxn callpath=*/MPI_Allreduce rank=0-1 seconds=4*0.05
// expect: metric=mpi_wait_nxn callpath=*/MPI_Allreduce rank=2 seconds=4*0.04
// expect: metric=mpi_wait_nxn callpath=*/MPI_Allreduce rank=3 seconds=0
#include "scene.h"

int main(int argc, char** argv) {
  const double start_of_rank[4] = {0, 0, 0.01, 0.05};
  const int rank = scene_begin(&argc, &argv);
  int sum = 0;
  for (int scene = 0; scene < SCENES; ++scene) {
    scene_wait(scene, start_of_rank[rank]);
    MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  }
  MPI_Finalize();
  return 0;
}
