/* toy_mpi_plugin.c -- a plug-in for load_mpi_plugin.c that needs no more of MPI than toy_mpi.c has. */
#include <stdio.h>

int MPI_Init(int*, char***);
int MPI_Finalize(void);
int MPI_Initialized(int*);
int MPI_Finalized(int*);
int MPI_Get_library_version(char*, int*);
int MPI_Comm_size(void*, int*);

int ask(void) {
  int initialised = 1, finalised = 1;
  MPI_Initialized(&initialised);
  MPI_Finalized(&finalised);
  return initialised || finalised;
}

int run(void) {
  char version[256];
  int size = 0, length = 0;
  if (MPI_Init(NULL, NULL) != 0 || MPI_Comm_size(NULL, &size) != 0) return 1;
  MPI_Get_library_version(version, &length);
  printf("%d process with %s\n", size, version);
  return MPI_Finalize() || size != 1;
}
