/* init_alone.c -- an MPI program that knows how long MPI_Init takes. It runs without a launcher, too.
 *
 * Expected: MPI_Init takes as long as the program prints, in seconds. work() takes 0.2 s, main() itself next to nothing.
 */
#include <mpi.h>
#include <stdio.h>
#include <time.h>

static volatile double sum;

static double seconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

__attribute__((noinline)) static void work(void) {
  const double end = seconds() + 0.2;
  while (seconds() < end)
    for (int i = 0; i < 10000; ++i) sum += i;
}

int main(int argc, char** argv) {
  const double begin = seconds();
  MPI_Init(&argc, &argv);
  const double end = seconds();
  work();
  MPI_Finalize();
  printf("%.6f\n", end - begin);
  return 0;
}
