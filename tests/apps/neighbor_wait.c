// neighbor_wait.c -- neighbours in a row, and pairs in an exchange with counts: nobody waits for those it needs nothing
// from. expect: metric=mpi_neighbor_wait callpath=*/MPI_Neighbor_allgather rank=0 seconds=4*0.04
// expect: metric=mpi_neighbor_wait callpath=*/MPI_Neighbor_allgather rank=1 seconds=0
// expect: metric=mpi_neighbor_wait callpath=*/MPI_Neighbor_allgather rank=2 seconds=4*0.06
// expect: metric=mpi_neighbor_wait callpath=*/MPI_Neighbor_allgather rank=3 seconds=0
// expect: metric=mpi_wait_nxn callpath=*/MPI_Alltoallv rank=0 seconds=4*0.04
// expect: metric=mpi_wait_nxn callpath=*/MPI_Alltoallv rank=1 seconds=0
// expect: metric=mpi_wait_nxn callpath=*/MPI_Alltoallv rank=2 seconds=4*0.06
// expect: metric=mpi_wait_nxn callpath=*/MPI_Alltoallv rank=3 seconds=0
#include "scene.h"

int main(int argc, char** argv) {
  const double start_of_rank[4] = {0, 0.04, 0, 0.06};
  const int rank = scene_begin(&argc, &argv);
  const int sizes[1] = {4}, is_round[1] = {0}, places[4] = {0, 1, 2, 3};
  int in[4], out[4] = {rank, rank, rank, rank}, counts[4] = {0, 0, 0, 0};
  MPI_Comm row;
  MPI_Cart_create(MPI_COMM_WORLD, 1, sizes, is_round, 0, &row);
  counts[rank ^ 1] = 1;
  for (int scene = 0; scene < SCENES; ++scene) {
    scene_wait(scene, start_of_rank[rank]);
    MPI_Neighbor_allgather(&rank, 1, MPI_INT, in, 1, MPI_INT, row);
    scene_wait(scene, 0.1 + start_of_rank[rank]);
    MPI_Alltoallv(out, counts, places, MPI_INT, in, counts, places, MPI_INT, MPI_COMM_WORLD);
  }
  MPI_Finalize();
  return 0;
}
