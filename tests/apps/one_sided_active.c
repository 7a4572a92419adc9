/* one_sided_active.c -- windows whose processes synchronise all together or in groups, some of them 100 ms late.
 *
 * Scene 0: rank 3 is 100 ms late at the creation of a window. Scene 1: rank 2 is 100 ms late at a fence; rank 0 has put
 * something into rank 1's memory before. Scene 2: ranks 0 and 1 access ranks 2 and 3, who post 100 ms late. Scene 3: they
 * post in time; rank 0 accesses after 10 ms and completes after 100, rank 1 at once. Scene 4: rank 0 is 100 ms late at
 * the end of the window. */
// expect: metric=mpi_rma_wait_at_create callpath=*/MPI_Win_allocate rank=0-2 seconds=0.1
// expect: metric=mpi_rma_wait_at_create callpath=* rank=3 seconds=0
// expect: metric=mpi_rma_wait_at_fence callpath=*/MPI_Win_fence rank=0 seconds=0.1
// expect: metric=mpi_rma_wait_at_fence callpath=*/MPI_Win_fence rank=1 seconds=0.1
// expect: metric=mpi_rma_wait_at_fence callpath=*/MPI_Win_fence rank=2 seconds=0
// expect: metric=mpi_rma_sync_late_post callpath=* rank=0-1 seconds=0.1
// expect: metric=mpi_rma_sync_late_post callpath=* rank=2-3 seconds=0
// expect: metric=mpi_rma_early_wait callpath=*/MPI_Win_wait rank=2-3 seconds=0.1
// expect: metric=mpi_rma_late_complete callpath=*/MPI_Win_wait rank=2-3 seconds=0.09
// expect: metric=mpi_rma_early_wait callpath=* rank=0-1 seconds=0
// expect: metric=mpi_rma_wait_at_free callpath=*/MPI_Win_free rank=1-3 seconds=0.1
#include "scene.h"

static MPI_Win window;
static MPI_Group partners;

static void make_partners(int first) {
  const int members[2] = {first, first + 1};
  MPI_Group world;
  MPI_Comm_group(MPI_COMM_WORLD, &world);
  MPI_Group_incl(world, 2, members, &partners);
  MPI_Group_free(&world);
}

static void access_partners(double until, int scene) {
  const int value = scene_rank;
  MPI_Win_start(partners, 0, window);
  MPI_Put(&value, 1, MPI_INT, 2, scene_rank, 1, MPI_INT, window);
  MPI_Put(&value, 1, MPI_INT, 3, scene_rank, 1, MPI_INT, window);
  if (until > 0) scene_wait(scene, until);
  MPI_Win_complete(window);
}

static void expose(void) {
  MPI_Win_post(partners, 0, window);
  MPI_Win_wait(window);
}

int main(int argc, char** argv) {
  const int rank = scene_begin(&argc, &argv);
  int* memory;
  const int value = rank;
  make_partners(rank < 2 ? 2 : 0);

  scene_wait(0, rank == 3 ? 0.1 : 0);
  MPI_Win_allocate(4 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &window);
  MPI_Win_fence(0, window);

  scene_wait(1, rank == 2 ? 0.1 : 0);
  if (rank == 0) MPI_Put(&value, 1, MPI_INT, 1, 0, 1, MPI_INT, window);
  MPI_Win_fence(0, window);

  scene_wait(2, rank >= 2 ? 0.1 : 0);
  rank < 2 ? access_partners(0, 2) : expose();

  scene_wait(3, rank >= 2 ? 0 : 0.01);
  rank < 2 ? access_partners(rank == 0 ? 0.1 : 0, 3) : expose();

  scene_wait(4, rank == 0 ? 0.1 : 0);
  MPI_Win_free(&window);
  MPI_Group_free(&partners);
  MPI_Finalize();
  return 0;
}
