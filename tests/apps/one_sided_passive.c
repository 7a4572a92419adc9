/* one_sided_passive.c -- locks of a window that are held for 50 ms while others ask for them.
 *
 * Each of the scenes: rank 1 locks rank 0's memory for 50 ms; rank 2 asks for the lock after 10 ms, exclusively, and
 * rank 3 for another process's. Then rank 2 and rank 3 share a lock: nobody waits. */
// expect: metric=mpi_rma_sync_lock_competition callpath=* rank=2 seconds=4*0.04
// expect: metric=mpi_rma_sync_lock_competition callpath=* rank=1 seconds=0
// expect: metric=mpi_rma_sync_lock_competition callpath=* rank=3 seconds=0
#include "scene.h"

int main(int argc, char** argv) {
  const int rank = scene_begin(&argc, &argv);
  int* memory;
  MPI_Win window;
  MPI_Win_allocate(4 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &window);
  for (int scene = 0; scene < SCENES; ++scene) {
    scene_wait(scene, rank == 1 ? 0 : 0.01);
    if (rank > 0) {
      const int target = rank == 3 ? 1 : 0;
      MPI_Win_lock(MPI_LOCK_EXCLUSIVE, target, 0, window);
      MPI_Put(&rank, 1, MPI_INT, target, rank, 1, MPI_INT, window);
      if (rank == 1) scene_wait(scene, 0.05);
      MPI_Win_unlock(target, window);
    }
    scene_wait(scene, 0.1);
    if (rank >= 2) {
      int value;
      MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, window);
      MPI_Get(&value, 1, MPI_INT, 0, rank, 1, MPI_INT, window);
      MPI_Win_flush(0, window);
      scene_wait(scene, 0.15);
      MPI_Win_unlock(0, window);
    }
  }
  MPI_Win_free(&window);
  MPI_Finalize();
  return 0;
}
