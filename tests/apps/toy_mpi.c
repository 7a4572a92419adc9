/* toy_mpi.c -- a library with some functions of MPI for one process; -DNAME="..." tells several of them apart. */
#include <stdio.h>

static int is_initialised, is_finalised;

#define MPI(name, ...)                                        \
  int P##name(__VA_ARGS__);                                   \
  int name(__VA_ARGS__) __attribute__((weak, alias("P" #name))); \
  int P##name(__VA_ARGS__)

MPI(MPI_Init_thread, int* argc, char*** argv, int required, int* provided) {
  (void)argc, (void)argv;
  *provided = required;
  is_initialised = 1;
  return puts(NAME " begins") < 0;
}

MPI(MPI_Init, int* argc, char*** argv) { return PMPI_Init_thread(argc, argv, 0, &(int){0}); }

MPI(MPI_Finalize, void) {
  is_finalised = 1;
  return puts(NAME " ends") < 0;
}

MPI(MPI_Initialized, int* flag) { return *flag = is_initialised, 0; }

MPI(MPI_Finalized, int* flag) { return *flag = is_finalised, 0; }

MPI(MPI_Get_library_version, char* version, int* length) { return *length = sprintf(version, "%s", NAME), 0; }

MPI(MPI_Comm_size, void* comm, int* size) { return *size = 1, comm != NULL; }
