/* shifting_load.c -- a marked loop in which one rank has more to do: always the same, each in turn, or a neighbour after
 * some iterations.
 *
 * shifting_load N static|dynamic|drifting: of N iterations, each has 4 units of work on a rank, and 8 more on rank
 *   static     1
 *   dynamic    3 i mod ranks
 *   drifting   i ranks / N
 * In iteration 5, the last rank has 60 units. A rank sends i mod 3 messages in iteration i, and all meet in a barrier.
 * So in iteration i a rank has these visits: one of the iteration, one of work, one of unit for each unit, one of
 * MPI_Sendrecv for each message, and one of MPI_Barrier. */
#include <mpi.h>
#include <stdlib.h>
#include <string.h>
#include <tarry/user.h>

static volatile double g_sum;

__attribute__((noinline)) void unit(void) {
  for (int i = 0; i < 20000; ++i) g_sum += i;
}

__attribute__((noinline)) void work(int units) {
  for (int i = 0; i < units; ++i) unit();
}

int main(int argc, char** argv) {
  const int iterations = argc > 1 ? atoi(argv[1]) : 20;
  const char* kind = argc > 2 ? argv[2] : "static";
  int rank, ranks;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  for (int i = 0; i < iterations; ++i) {
    int loaded = 1, received = 0;
    if (!strcmp(kind, "dynamic")) loaded = 3 * i % ranks;
    if (!strcmp(kind, "drifting")) loaded = i * ranks / iterations;
    TARRY_ITERATION_BEGIN("step", i);
    work(i == 5 && rank == ranks - 1 ? 60 : rank == loaded ? 12 : 4);
    for (int message = 0; message < i % 3; ++message)
      MPI_Sendrecv(&i, 1, MPI_INT, (rank + 1) % ranks, 0, &received, 1, MPI_INT, (rank + ranks - 1) % ranks, 0,
                   MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Barrier(MPI_COMM_WORLD);
    TARRY_ITERATION_END("step");
  }
  MPI_Finalize();
  return 0;
}
