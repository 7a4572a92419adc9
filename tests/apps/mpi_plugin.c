/* mpi_plugin.c -- a plug-in that uses MPI: ask() before MPI_Init, run() from MPI_Init to MPI_Finalize.
 *
 * load_mpi_plugin.c opens it; with -DALONE it is a program that makes the same calls. Each process sends ROUNDS
 * messages to the next one and takes part in ROUNDS + 1 reductions, one of them in a duplicate of MPI_COMM_WORLD. */
#include <mpi.h>
#include <stdio.h>

enum { ROUNDS = 50 };

/* 0 if MPI answers as it must before MPI_Init. */
int ask(void) {
  int initialised = 1, finalised = 1, major = 0, minor = 0, length = 0;
  char version[MPI_MAX_LIBRARY_VERSION_STRING] = "";
  MPI_Initialized(&initialised);
  MPI_Finalized(&finalised);
  MPI_Get_version(&major, &minor);
  MPI_Get_library_version(version, &length);
  return initialised || finalised || major < 3 || length == 0 || version[0] == 0;
}

int run(void) {
  int rank, size, sum = 0, in = 0, provided, finalised = 0;
  if (MPI_Init_thread(NULL, NULL, MPI_THREAD_SINGLE, &provided) != MPI_SUCCESS) return 1;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  for (int i = 0; i < ROUNDS; ++i) {
    MPI_Sendrecv(&i, 1, MPI_INT, (rank + 1) % size, 0, &in, 1, MPI_INT, (rank + size - 1) % size, 0, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
    MPI_Allreduce(&in, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    if (sum != i * size) return 2;
  }
  MPI_Comm twin;
  MPI_Comm_dup(MPI_COMM_WORLD, &twin);
  MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_MAX, twin);
  MPI_Comm_free(&twin);
  MPI_Finalize();
  MPI_Finalized(&finalised);
  if (sum != size - 1 || twin != MPI_COMM_NULL || !finalised) return 3;
  printf("process %d of %d is through\n", rank, size);
  return 0;
}

#ifdef ALONE
int main(void) { return ask() ? 4 : run(); }
#endif
