// named_objects.c -- communicators, a grid and a window that the program gives names; run with two processes.
//
// "first name" is replaced by "halo" and "grid" has a topology. One communicator is freed, and the names of processes
// 0 and 1 for "mine" differ: that of process 0 counts. 20,000 names are more than a recording keeps.
#include <mpi.h>
#include <stdio.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm halo, freed, mine, grid, many;
  MPI_Comm_dup(MPI_COMM_WORLD, &halo);
  MPI_Comm_set_name(halo, "first name");
  MPI_Comm_set_name(halo, "halo");
  MPI_Comm_dup(MPI_COMM_WORLD, &freed);
  MPI_Comm_set_name(freed, "freed \"early\"");
  MPI_Barrier(freed);
  MPI_Comm_free(&freed);
  MPI_Comm_dup(MPI_COMM_WORLD, &mine);
  MPI_Comm_set_name(mine, rank == 0 ? "mine" : "yours");
  const int sizes[] = {2, 1}, is_round[] = {0, 1};
  MPI_Cart_create(MPI_COMM_WORLD, 2, sizes, is_round, 0, &grid);
  MPI_Comm_set_name(grid, "grid");
  int value = 0;
  MPI_Win window;
  MPI_Win_create(&value, sizeof value, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &window);
  MPI_Win_set_name(window, "window");
  MPI_Win_fence(0, window);
  MPI_Win_fence(0, window);
  MPI_Comm_dup(MPI_COMM_WORLD, &many);
  for (int i = 0; i < 20000; ++i) {
    char name[32];
    snprintf(name, sizeof name, "name %d", i);
    MPI_Comm_set_name(many, name);
  }
  MPI_Win_free(&window);
  MPI_Finalize();
  return 0;
}
