/* uneven_team.c -- a hybrid program whose second thread has nothing to do most of the time.
 *
 * In each round a team of two threads computes for a moment. Then the first thread computes alone, rank 1 twice as long
 * as rank 0, and all meet in a barrier.
 *
 * Expected: no efficiency is more than 100 %, also where the runtime of OpenMP does not tell when the second thread is
 * idle, as GCC's does not.
 */
#include <mpi.h>

static volatile double sink;

static void compute(int amount) {
  double x = 1;
  for (int i = 0; i < amount; ++i) x = x * 1.0000001 + 1e-9;
  sink = x;
}

int main(int argc, char** argv) {
  int rank = 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  for (int round = 0; round < 20; ++round) {
#pragma omp parallel num_threads(2)
    compute(200000);
    compute(1000000 * (rank + 1));
    MPI_Barrier(MPI_COMM_WORLD);
  }
  MPI_Finalize();
  return 0;
}
