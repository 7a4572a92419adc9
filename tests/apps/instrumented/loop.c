/* loop.c -- a loop whose iterations are of two kinds: each tenth one writes a checkpoint.
 *
 * loop N [ranks differ]: iterations 0 to N-1; with a second argument, odd ranks write theirs one iteration later. */
#include <stdio.h>
#include <stdlib.h>
#include <tarry/user.h>

#ifndef WITHOUT_MPI
#include <mpi.h>
#endif

static volatile double g_sum;

__attribute__((noinline)) void compute(int steps) {
  for (int i = 0; i < steps; ++i) g_sum += i;
}

__attribute__((noinline)) void write_block(int block) { g_sum += block; }

__attribute__((noinline)) void checkpoint(void) {
  for (int block = 0; block < 20; ++block) write_block(block);
}

int main(int argc, char** argv) {
  const int iterations = argc > 1 ? atoi(argv[1]) : 100;
  int shift = 0;
#ifndef WITHOUT_MPI
  int rank = 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (argc > 2) shift = rank % 2;
#endif
  for (int i = 0; i < iterations; ++i) {
    TARRY_ITERATION_BEGIN("step", i);
    compute(200);
    if (i % 10 == 9 - shift) checkpoint();
#ifndef WITHOUT_MPI
    MPI_Allreduce(MPI_IN_PLACE, &shift, 1, MPI_INT, MPI_MAX, MPI_COMM_SELF);
#endif
    TARRY_ITERATION_END("step");
  }
#ifndef WITHOUT_MPI
  MPI_Finalize();
#endif
  return 0;
}
