/* direct.c -- MUMPS: a banded system, given by rank 0, solved by all. */
#include <dmumps_c.h>
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  DMUMPS_STRUC_C id = {.job = -1, .par = 1, .sym = 0, .comm_fortran = -987654};
  dmumps_c(&id);
  const int n = 3000;
  if (rank == 0) {
    id.n = n;
    id.irn = malloc(5 * n * sizeof(int));
    id.jcn = malloc(5 * n * sizeof(int));
    id.a = malloc(5 * n * sizeof(double));
    id.rhs = malloc(n * sizeof(double));
    for (int row = 1; row <= n; ++row) {
      id.rhs[row - 1] = 1;
      for (int k = -2; k <= 2; ++k) {
        const int column = row + k * (k % 2 ? 1 : 30);
        if (column < 1 || column > n) continue;
        id.irn[id.nnz] = row;
        id.jcn[id.nnz] = column;
        id.a[id.nnz++] = k == 0 ? 4.5 : -1;
      }
    }
  }
  for (int k = 0; k < 4; ++k) id.icntl[k] = k < 3 ? -1 : 0;
  for (id.job = 1; id.job <= 3; ++id.job) dmumps_c(&id);
  if (rank == 0) {
    double sum = 0;
    for (int i = 0; i < n; ++i) sum += id.rhs[i];
    printf("sum %.6f, error %d\n", sum, id.infog[0]);
  }
  id.job = -2;
  dmumps_c(&id);
  MPI_Finalize();
  return 0;
}
