/* mpi_error_longjmp.c -- MPI calls that fail and never return: the error handler jumps to where the program goes on.
 *
 * usage: mpi_error_longjmp COUNT
 *
 * Each rank makes COUNT rounds of four calls with a wrong argument, three of them directly behind setjmp and one in a
 * function, and a good call after each; prints how often the handler was called. */
#include <mpi.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>

static jmp_buf escape;
static volatile int errors;

static void jump_away(MPI_Comm* comm, int* code, ...) {
  int rank;
  (void)code;
  ++errors;
  MPI_Comm_rank(*comm, &rank); /* a call within the call that failed */
  longjmp(escape, 1);
}

__attribute__((noinline)) static void fail_inside(int value) {
  MPI_Bcast(&value, -1, MPI_INT, 0, MPI_COMM_WORLD);
  abort();
}

__attribute__((noinline)) static void make_rounds(int count) {
  int value = 0, sum = 0;
  volatile int i;
  for (i = 0; i < count; ++i) {
    if (setjmp(escape) == 0) {
      MPI_Recv(&value, -1, MPI_INT, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      abort();
    }
    MPI_Allreduce(&value, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    if (setjmp(escape) == 0) {
      MPI_Probe(99999, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      abort();
    }
    MPI_Allreduce(&value, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    if (setjmp(escape) == 0) {
      MPI_Reduce(&value, &sum, -1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
      abort();
    }
    MPI_Allreduce(&value, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    if (setjmp(escape) == 0) fail_inside(value);
    MPI_Allreduce(&value, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  }
}

int main(int argc, char** argv) {
  MPI_Errhandler handler;
  const int count = argc > 1 ? atoi(argv[1]) : 10;
  MPI_Init(&argc, &argv);
  MPI_Comm_create_errhandler(jump_away, &handler);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, handler);
  make_rounds(count);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
  MPI_Errhandler_free(&handler);
  printf("%d\n", errors);
  MPI_Finalize();
  return 0;
}
