/* mesh_and_particles.c -- two programs in one world: started as `mesh` it needs 10 ms for a step, as `particles` 30 ms on
 * its last rank and 24 ms on the others. They meet in each of 10 steps.
 *
 * So with two ranks of each, both of `mesh` wait 200 ms for `particles`, which has call paths that they do not have:
 * 400 ms of inter-partition imbalance. The other rank of `particles` waits 60 ms for the last one: intra-partition. */
#include <mpi.h>
#include <string.h>
#include <time.h>

static void work(int milliseconds) {
  struct timespec time = {0, milliseconds * 1000000L};
  nanosleep(&time, NULL);
}

__attribute__((noinline)) static void compute_mesh(void) { work(10); }
__attribute__((noinline)) static void move_particles(int is_last) { work(is_last ? 30 : 24); }

int main(int argc, char** argv) {
  int rank, size;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  const int is_mesh = strstr(argv[0], "mesh") != NULL;
  for (int step = 0; step < 10; ++step) {
    int mine = rank, sum;
    if (is_mesh)
      compute_mesh();
    else
      move_particles(rank == size - 1);
    MPI_Allreduce(&mine, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  }
  MPI_Finalize();
  return 0;
}
