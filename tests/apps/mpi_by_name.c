/* mpi_by_name.c -- opens the MPI library and asks it for its functions: mpi_by_name LIBRARY; as ctypes and Julia do.
 *
 * With -DFIRST and -DSECOND two libraries that it links: what dlsym finds must still go by its caller. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

typedef int (*function)();
#define CALL(library, name) ((function)(intptr_t)dlsym(library, name))

#if defined(FIRST)
/* The next definition is the one of the second library. */
int which(void) { return CALL(RTLD_NEXT, "which")() == 2 ? 1 : 0; }
#elif defined(SECOND)
int which(void) { return dlsym(RTLD_NEXT, "which") == NULL ? 2 : 0; }
#else
int which(void);
int main(int argc, char** argv) {
  void* mpi = argc == 2 ? dlopen(argv[1], RTLD_NOW | RTLD_LOCAL) : NULL;
  if (!mpi) return 1;
  int rank = -1;
  void* world = dlsym(mpi, "ompi_mpi_comm_world");
  if (!world) world = (void*)(intptr_t)0x44000000; /* MPICH's */
  if (CALL(mpi, "MPI_Init")(NULL, NULL) != 0) return 2;
  CALL(mpi, "MPI_Comm_rank")(world, &rank);
  CALL(mpi, "MPI_Barrier")(world);
  CALL(mpi, "MPI_Finalize")();
  if (dlsym(mpi, "MPI_No_such_function") || !strstr(dlerror(), "MPI_No_such_function") || dlerror()) return 3;
  if (which() != 1) return 4;
  printf("process %d\n", rank);
  return 0;
}
#endif
