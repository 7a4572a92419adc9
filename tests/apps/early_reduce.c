// early_reduce.c -- a reduction whose root comes 50 ms before the last of the others.
// expect: metric=mpi_earlyreduce callpath=*/MPI_Reduce rank=0 seconds=4*0.05
// expect: metric=mpi_earlyreduce callpath=*/MPI_Reduce rank=1-3 seconds=0
#include "scene.h"

int main(int argc, char** argv) {
  const double start_of_rank[4] = {0, 0.02, 0.03, 0.05};
  const int rank = scene_begin(&argc, &argv);
  int sum = 0;
  for (int scene = 0; scene < SCENES; ++scene) {
    scene_wait(scene, start_of_rank[rank]);
    MPI_Reduce(&rank, &sum, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
  }
  MPI_Finalize();
  return 0;
}
