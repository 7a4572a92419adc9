/* many_names.c -- rank 1 makes, renames and removes files and lists their folder, while rank 0 waits in MPI_Barrier. */
#include <dirent.h>
#include <fcntl.h>
#include <mpi.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

static void work_on_names(void) {
  struct stat facts;
  mkdir("many", 0755);
  for (int i = 0; i < 1000; ++i) {
    close(open("many/a", O_CREAT | O_WRONLY, 0644));
    stat("many/a", &facts);
    rename("many/a", "many/b");
    DIR* const names = opendir("many");
    while (readdir(names)) {}
    closedir(names);
    unlink("many/b");
  }
  rmdir("many");
}

int main(int argc, char** argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 1) work_on_names();
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Finalize();
  return 0;
}
