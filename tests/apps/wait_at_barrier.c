// wait_at_barrier.c -- a barrier that waits for rank 1.
// expect: metric=mpi_barrier_wait callpath=*/MPI_Barrier rank=0 seconds=4*0.05
// expect: metric=mpi_barrier_wait callpath=*/MPI_Barrier rank=1 seconds=0
// expect: metric=mpi_barrier_wait callpath=*/MPI_Barrier rank=2 seconds=4*0.05
// expect: metric=mpi_barrier_wait callpath=*/MPI_Barrier rank=3 seconds=4*0.04
#include "scene.h"

int main(int argc, char** argv) {
  const double start_of_rank[4] = {0, 0.05, 0, 0.01};
  const int rank = scene_begin(&argc, &argv);
  for (int scene = 0; scene < SCENES; ++scene) {
    scene_wait(scene, start_of_rank[rank]);
    MPI_Barrier(MPI_COMM_WORLD);
  }
  MPI_Finalize();
  return 0;
}
