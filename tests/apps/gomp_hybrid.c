/* gomp_hybrid.c -- processes of MPI with teams of a runtime of OpenMP that tells nothing of them. */
#include <mpi.h>

int main(int argc, char** argv) {
  int sum = 0;
  MPI_Init(&argc, &argv);
#pragma omp parallel num_threads(2) reduction(+ : sum)
  sum += 1;
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Finalize();
  return sum != 2;
}
