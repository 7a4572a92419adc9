/* opencl_ranks.c -- ranks of which the last one waits for kernels, and the others for its messages. OpenCL is there
   before MPI.

   usage: opencl_ranks            prints how many rounds a kernel of 60 ms has
          opencl_ranks ROUNDS     kernels of so many rounds */
#include <mpi.h>

enum { KERNELS = 15 };

#define main opencl_waits_main
#include "opencl_waits.c"
#undef main

static void wait_for_kernels(int rounds, int ranks) {
  int token = 0;
  for (int i = 0; i < KERNELS; ++i) {
    launch(queue, spin, rounds, NULL);
    compute(0.01);
    finish(queue);
    compute(0.005);
    for (int rank = 0; rank + 1 < ranks; ++rank) MPI_Send(&token, 1, MPI_INT, rank, 0, MPI_COMM_WORLD);
  }
}

static void wait_for_messages(int from) {
  int token = 0;
  for (int i = 0; i < KERNELS; ++i) {
    compute(0.02);
    MPI_Recv(&token, 1, MPI_INT, from, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
}

int main(int argc, char** argv) {
  int rank = 0, ranks = 1;
  if (argc < 2) {
    set_up(CL_QUEUE_PROFILING_ENABLE);
    return printf("%d\n", rounds_for(0.06)) < 0;
  }
  set_up(0);
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  if (rank == ranks - 1) wait_for_kernels(atoi(argv[1]), ranks);
  else wait_for_messages(ranks - 1);
  return MPI_Finalize();
}
