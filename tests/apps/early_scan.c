// early_scan.c -- a prefix reduction: each rank waits for the latest of those below it, rank 3 for nobody.
// expect: metric=mpi_earlyscan callpath=*/MPI_Scan rank=0 seconds=0
// expect: metric=mpi_earlyscan callpath=*/MPI_Scan rank=1 seconds=4*0.05
// expect: metric=mpi_earlyscan callpath=*/MPI_Scan rank=2 seconds=4*0.04
// expect: metric=mpi_earlyscan callpath=*/MPI_Scan rank=3 seconds=0
#include "scene.h"

int main(int argc, char** argv) {
  const double start_of_rank[4] = {0.05, 0, 0.01, 0.08};
  const int rank = scene_begin(&argc, &argv);
  int sum = 0;
  for (int scene = 0; scene < SCENES; ++scene) {
    scene_wait(scene, start_of_rank[rank]);
    MPI_Scan(&rank, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  }
  MPI_Finalize();
  return 0;
}
