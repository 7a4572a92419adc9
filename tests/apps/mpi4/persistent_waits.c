// persistent_waits.c -- persistent collectives that are started and completed by different functions: who waits in the
// completion waits for those who have not started the operation. The last two are started in different
// orders, which is allowed, and tested. (MPI_Testall, and MPI_Waitany beside inactive ones, fail in MPICH 4.0.)
// expect: metric=mpi_icoll_wait callpath=*/MPI_Wait rank=0-1 seconds=4*0.12
// expect: metric=mpi_icoll_wait callpath=*/MPI_Wait rank=2 seconds=4*0.08
// expect: metric=mpi_icoll_wait callpath=*/MPI_Wait rank=3 seconds=0
// expect: metric=mpi_icoll_wait callpath=*/MPI_Waitall rank=0-1 seconds=4*0.12
// expect: metric=mpi_icoll_wait callpath=*/MPI_Waitall rank=2 seconds=4*0.08
// expect: metric=mpi_icoll_wait callpath=*/MPI_Waitall rank=3 seconds=0
// expect: metric=mpi_icoll_wait callpath=*/MPI_Waitsome rank=0-1 seconds=0
// expect: metric=mpi_icoll_wait callpath=*/MPI_Waitsome rank=2 seconds=4*0.08
// expect: metric=mpi_icoll_wait callpath=*/MPI_Waitsome rank=3 seconds=0
// expect: metric=mpi_icoll_wait callpath=*/MPI_Waitany rank=0 seconds=0
// expect: metric=mpi_icoll_wait callpath=*/MPI_Waitany rank=1-2 seconds=4*0.08
// expect: metric=mpi_icoll_wait callpath=*/MPI_Waitany rank=3 seconds=0
#include "scene.h"

enum { ALLREDUCE, BCAST, ALLTOALLV, NEIGHBORS, BARRIER, OPERATIONS };
static const double kTurn = 0.3; /* seconds from one of the five operations of a scene to the next */

static double start_of_rank[4] = {0, 0, 0.04, 0.12};
static int rank;

static void wait_for_turn(int scene, int operation) {
  const double start = operation == NEIGHBORS ? rank % 3 == 0 ? 0.08 : 0 : start_of_rank[rank];
  scene_wait(0, (scene * OPERATIONS + operation) * kTurn + start);
}

int main(int argc, char** argv) {
  MPI_Request list[OPERATIONS], pair[2];
  MPI_Status statuses[2];
  MPI_Comm row;
  const int sizes[1] = {4}, is_round[1] = {0}, places[4] = {0, 1, 2, 3};
  int in[4], out[4], counts[4] = {0, 0, 0, 0}, sum = 0, data = 7, index, done, indices[2];
  rank = scene_begin(&argc, &argv);
  for (int i = 0; i < 4; ++i) out[i] = rank;
  counts[rank ^ 1] = 1;
  MPI_Cart_create(MPI_COMM_WORLD, 1, sizes, is_round, 0, &row);
  MPI_Allreduce_init(&rank, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, MPI_INFO_NULL, &list[ALLREDUCE]);
  MPI_Bcast_init(&data, 1, MPI_INT, 3, MPI_COMM_WORLD, MPI_INFO_NULL, &list[BCAST]);
  MPI_Alltoallv_init(out, counts, places, MPI_INT, in, counts, places, MPI_INT, MPI_COMM_WORLD, MPI_INFO_NULL,
                     &list[ALLTOALLV]);
  MPI_Neighbor_allgather_init(&rank, 1, MPI_INT, in, 1, MPI_INT, row, MPI_INFO_NULL, &list[NEIGHBORS]);
  MPI_Barrier_init(MPI_COMM_WORLD, MPI_INFO_NULL, &list[BARRIER]);
  for (int scene = 0; scene < SCENES; ++scene) {
    wait_for_turn(scene, ALLREDUCE);
    MPI_Start(&list[ALLREDUCE]);
    MPI_Wait(&list[ALLREDUCE], MPI_STATUS_IGNORE);
    wait_for_turn(scene, BCAST);
    MPI_Startall(1, &list[BCAST]);
    MPI_Waitall(2, list, statuses);
    wait_for_turn(scene, ALLTOALLV);
    MPI_Start(&list[ALLTOALLV]);
    MPI_Waitsome(1, &list[ALLTOALLV], &done, indices, statuses);
    wait_for_turn(scene, NEIGHBORS);
    MPI_Start(&list[NEIGHBORS]);
    MPI_Waitany(1, &list[NEIGHBORS], &index, MPI_STATUS_IGNORE);
    // Both at once, by some ranks the other way round; tested, so that nobody waits.
    wait_for_turn(scene, BARRIER);
    pair[0] = list[rank % 2 ? BARRIER : BCAST];
    pair[1] = list[rank % 2 ? BCAST : BARRIER];
    MPI_Start(&pair[0]);
    MPI_Start(&pair[1]);
    for (int i = 0; i < 2; ++i)
      for (done = 0; !done;) MPI_Test(&pair[i], &done, MPI_STATUS_IGNORE);
  }
  if (sum != 6 || data != 7) printf("wrong result\n");
  for (int i = 0; i < OPERATIONS; ++i) MPI_Request_free(&list[i]);
  MPI_Finalize();
  return 0;
}
