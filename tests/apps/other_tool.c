/* other_tool.c -- another PMPI tool: counts calls, and prints the sums at MPI_Finalize.
 *
 * Rank 0 prints "tool: N init, N send, N barrier, N size, N broadcast": of all ranks, as often as the program has called
 * them. Its own communication does not count. It passes calls on in the ways that tools do: MPI_Barrier by a jump,
 * MPI_Send through a helper, MPI_Comm_size with other calls in front, MPI_Bcast from the next MPI_Bcast that dlsym()
 * finds. With FORTRAN it is a tool of Fortran programs: MPI_SEND converts its arguments, MPI_INIT and the others go to
 * pmpi_x_. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <mpi.h>
#include <stdio.h>

static long counts[5];

static int send_noted(const void* data, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm) {
  ++counts[1];
  const double begin = PMPI_Wtime();
  const int outcome = PMPI_Send(data, count, type, to, tag, comm);
  return PMPI_Wtime() < begin ? MPI_ERR_OTHER : outcome;
}

static void print_sums(void) {
  int rank;
  long sums[5];
  PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
  PMPI_Barrier(MPI_COMM_WORLD);
  PMPI_Reduce(counts, sums, 5, MPI_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0)
    printf("tool: %ld init, %ld send, %ld barrier, %ld size, %ld broadcast\n", sums[0], sums[1], sums[2], sums[3],
           sums[4]);
  fflush(stdout);
}

#ifdef FORTRAN

void pmpi_init_(int* error);
void pmpi_barrier_(int* comm, int* error);
void pmpi_comm_size_(int* comm, int* size, int* error);
void pmpi_bcast_(void* data, int* count, int* type, int* root, int* comm, int* error);
void pmpi_finalize_(int* error);

void mpi_init_(int* error) {
  pmpi_init_(error);
  ++counts[0];
}

void mpi_send_(void* data, int* count, int* type, int* to, int* tag, int* comm, int* error) {
  *error = send_noted(data, *count, PMPI_Type_f2c(*type), *to, *tag, PMPI_Comm_f2c(*comm));
}

void mpi_barrier_(int* comm, int* error) {
  ++counts[2];
  pmpi_barrier_(comm, error);
}

void mpi_comm_size_(int* comm, int* size, int* error) {
  ++counts[3];
  pmpi_comm_size_(comm, size, error);
}

void mpi_bcast_(void* data, int* count, int* type, int* root, int* comm, int* error) {
  ++counts[4];
  pmpi_bcast_(data, count, type, root, comm, error);
}

void mpi_finalize_(int* error) {
  print_sums();
  pmpi_finalize_(error);
}

#else

int MPI_Init(int* argc, char*** argv) {
  const int outcome = PMPI_Init(argc, argv);
  PMPI_Barrier(MPI_COMM_WORLD);
  ++counts[0];
  return outcome;
}

int MPI_Send(const void* data, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm) {
  return send_noted(data, count, type, to, tag, comm);
}

int MPI_Barrier(MPI_Comm comm) {
  ++counts[2];
  return PMPI_Barrier(comm);
}

int MPI_Comm_size(MPI_Comm comm, int* size) {
  int rank;
  PMPI_Comm_rank(comm, &rank);
  ++counts[3];
  return PMPI_Comm_size(comm, size);
}

int MPI_Bcast(void* data, int count, MPI_Datatype type, int root, MPI_Comm comm) {
  int (*next)(void*, int, MPI_Datatype, int, MPI_Comm);
  *(void**)&next = dlsym(RTLD_NEXT, "MPI_Bcast");
  ++counts[4];
  return next(data, count, type, root, comm);
}

int MPI_Finalize(void) {
  print_sums();
  return PMPI_Finalize();
}

#endif
