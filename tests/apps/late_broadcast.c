// late_broadcast.c -- a broadcast whose root comes 50 ms after rank 1, 40 after rank 2, and before rank 3.
// expect: metric=mpi_latebroadcast callpath=*/MPI_Bcast rank=1 seconds=4*0.05
// expect: metric=mpi_latebroadcast callpath=*/MPI_Bcast rank=2 seconds=4*0.04
// expect: metric=mpi_latebroadcast callpath=*/MPI_Bcast rank=3 seconds=0
#include "scene.h"

int main(int argc, char** argv) {
  const double start_of_rank[4] = {0.05, 0, 0.01, 0.08};
  const int rank = scene_begin(&argc, &argv);
  int data = rank;
  for (int scene = 0; scene < SCENES; ++scene) {
    scene_wait(scene, start_of_rank[rank]);
    MPI_Bcast(&data, 1, MPI_INT, 0, MPI_COMM_WORLD);
  }
  MPI_Finalize();
  return 0;
}
