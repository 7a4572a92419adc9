// wait_at_finalize.c -- the end of the program waits 200 ms for rank 2; it ends only once.
// expect: metric=mpi_finalize_wait callpath=*/MPI_Finalize rank=0-1 seconds=0.2
// expect: metric=mpi_finalize_wait callpath=*/MPI_Finalize rank=2 seconds=0
// expect: metric=mpi_finalize_wait callpath=*/MPI_Finalize rank=3 seconds=0.15
#include "scene.h"

int main(int argc, char** argv) {
  const double start_of_rank[4] = {0, 0, 0.2, 0.05};
  const int rank = scene_begin(&argc, &argv);
  scene_wait(0, start_of_rank[rank]);
  MPI_Finalize();
  return 0;
}
