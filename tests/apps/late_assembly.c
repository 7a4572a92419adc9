/* late_assembly.c -- in each step the last rank assembles a matrix for 20 ms, in a function that calls no MPI, and all
 * others wait for it in MPI_Barrier. Everything else takes 0.1 ms. */
#include <mpi.h>
#include <time.h>

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

__attribute__((noinline)) static double assemble(double seconds) {
  const double end = now() + seconds;
  double sum = 0;
  while (now() < end)
    for (int i = 0; i < 1000; ++i) sum = sum * 0.5 + i;
  return sum;
}

__attribute__((noinline)) static double solve(double seconds) {
  const double end = now() + seconds;
  double sum = 1;
  while (now() < end)
    for (int i = 0; i < 1000; ++i) sum = sum * 0.25 + i;
  return sum;
}

int main(int argc, char** argv) {
  int rank = 0, size = 1;
  double sum = 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  for (int step = 0; step < 40; ++step) {
    if (rank == size - 1) sum += assemble(0.02);
    sum += solve(0.0001);
    MPI_Barrier(MPI_COMM_WORLD);
  }
  MPI_Finalize();
  return sum < 0;
}
