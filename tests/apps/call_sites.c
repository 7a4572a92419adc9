/* call_sites.c -- calls the same functions from several lines: call_sites [end].
 *
 * "first", "second" and so on mark the lines that tests look for. With `end`, rank 1 kills itself before MPI_Finalize. */
#include <mpi.h>
#include <signal.h>
#include <string.h>

static int sum(int value) {
  int all = 0;
  MPI_Allreduce(&value, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD); /* first */
  if (value % 2)
    MPI_Allreduce(&value, &all, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD); /* second */
  return all;
}

int (*volatile add)(int) = sum; /* not inlined */

int main(int argc, char** argv) {
  int total = 0;
  MPI_Init(&argc, &argv);
  for (int i = 0; i < 4; ++i) total += add(i); /* third */
  total += add(8);                             /* fourth */
  MPI_Barrier(MPI_COMM_WORLD);                 /* fifth */
  MPI_Barrier(MPI_COMM_WORLD);                 /* sixth */
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (argc > 1 && strcmp(argv[1], "end") == 0 && rank == 1) raise(SIGKILL);
  MPI_Finalize();
  return total == 0;
}
