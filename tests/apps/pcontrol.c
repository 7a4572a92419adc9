/* pcontrol.c -- a program that switches its recording off and on by MPI_Pcontrol. Rank 1 is late for each barrier.

   Prints for how long the recording was off in rank 0, in seconds. With an argument it hands MPI_Pcontrol a text, as
   another tool in the program takes one. */
#include <mpi.h>
#include <stdarg.h>
#include <stdio.h>

enum { OFF = 0, ON = 1, WRITE = 2 };

static int rank;

static void meet(int times) {
  for (int i = 0; i < times; ++i) {
    for (double begin = MPI_Wtime(); rank == 1 && MPI_Wtime() < begin + 0.01;) {
    }
    MPI_Barrier(MPI_COMM_WORLD);
  }
}

static double unrecorded(int times) {
  const double begin = MPI_Wtime();
  MPI_Pcontrol(OFF);
  meet(times);
  MPI_Pcontrol(ON, "solve");
  return MPI_Wtime() - begin;
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  const double first = unrecorded(20);
  meet(5);
  MPI_Pcontrol(WRITE);
  MPI_Pcontrol(-7, "unknown", 1, 2, 3);
  const double second = unrecorded(10);
  if (rank == 0) printf("off %f\n", first + second);
  return MPI_Finalize();
}

#ifdef TOOL
/* A tool that is linked into the program. */
int MPI_Pcontrol(const int level, ...) {
  va_list arguments;
  va_start(arguments, level);
  if (rank == 0 && level == ON) fprintf(stderr, "tool: %s\n", va_arg(arguments, const char*));
  va_end(arguments);
  return PMPI_Pcontrol(level);
}
#endif
