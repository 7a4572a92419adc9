/* begun_apart.c -- functions before MPI_Init, in processes that see no launcher: begun_apart RANK...
 *
 * These processes hide the launcher's variables until MPI_Init; the others show them. Prints one line each. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char* const names[] = {"OMPI_COMM_WORLD_RANK", "PMIX_RANK", "PMI_RANK", "PMI_ID", "MPIRUN_RANK",
                                    "SLURM_PROCID"};
enum { NAMES = sizeof names / sizeof names[0] };

static int work(int n) { return n * n; }

__attribute__((no_instrument_function)) int main(int argc, char** argv) {
  const char* rank = getenv(getenv("PMI_RANK") ? "PMI_RANK" : "OMPI_COMM_WORLD_RANK");
  char* values[NAMES] = {0};
  for (int i = 1; rank && i < argc; ++i)
    for (int n = 0; strcmp(rank, argv[i]) == 0 && n < NAMES; ++n) {
      if (getenv(names[n])) values[n] = strdup(getenv(names[n]));
      unsetenv(names[n]);
    }
  int sum = 0;
  const int mine = work(argc);
  for (int n = 0; n < NAMES; ++n)
    if (values[n]) setenv(names[n], values[n], 1);
  MPI_Init(&argc, &argv);
  MPI_Allreduce(&mine, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  MPI_Finalize();
  printf("%d\n", sum);
  return 0;
}
