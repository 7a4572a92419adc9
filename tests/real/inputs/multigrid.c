/* multigrid.c -- hypre: BoomerAMG on a five-point stencil. */
#include <HYPRE.h>
#include <HYPRE_parcsr_ls.h>
#include <mpi.h>
#include <stdio.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  HYPRE_Init();
  int rank, size;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  const int n = 60, all = n * n, first = all / size * rank, last = rank == size - 1 ? all - 1 : all / size * (rank + 1) - 1;
  HYPRE_IJMatrix matrix;
  HYPRE_IJMatrixCreate(MPI_COMM_WORLD, first, last, first, last, &matrix);
  HYPRE_IJMatrixSetObjectType(matrix, HYPRE_PARCSR);
  HYPRE_IJMatrixInitialize(matrix);
  HYPRE_IJVector right, solution;
  HYPRE_IJVectorCreate(MPI_COMM_WORLD, first, last, &right);
  HYPRE_IJVectorCreate(MPI_COMM_WORLD, first, last, &solution);
  HYPRE_IJVectorSetObjectType(right, HYPRE_PARCSR);
  HYPRE_IJVectorSetObjectType(solution, HYPRE_PARCSR);
  HYPRE_IJVectorInitialize(right);
  HYPRE_IJVectorInitialize(solution);
  for (HYPRE_Int row = first; row <= last; ++row) {
    HYPRE_Int columns[5], count = 0;
    double values[5], one = 1, zero = 0;
    const int x = row % n, y = row / n;
    if (y > 0) columns[count] = row - n, values[count++] = -1;
    if (x > 0) columns[count] = row - 1, values[count++] = -1;
    columns[count] = row, values[count++] = 4;
    if (x < n - 1) columns[count] = row + 1, values[count++] = -1;
    if (y < n - 1) columns[count] = row + n, values[count++] = -1;
    HYPRE_IJMatrixSetValues(matrix, 1, &count, &row, columns, values);
    HYPRE_IJVectorSetValues(right, 1, &row, &one);
    HYPRE_IJVectorSetValues(solution, 1, &row, &zero);
  }
  HYPRE_IJMatrixAssemble(matrix);
  HYPRE_IJVectorAssemble(right);
  HYPRE_IJVectorAssemble(solution);
  HYPRE_ParCSRMatrix a;
  HYPRE_ParVector b, x;
  HYPRE_IJMatrixGetObject(matrix, (void**)&a);
  HYPRE_IJVectorGetObject(right, (void**)&b);
  HYPRE_IJVectorGetObject(solution, (void**)&x);
  HYPRE_Solver solver;
  HYPRE_BoomerAMGCreate(&solver);
  HYPRE_BoomerAMGSetTol(solver, 1e-8);
  HYPRE_BoomerAMGSetup(solver, a, b, x);
  HYPRE_BoomerAMGSolve(solver, a, b, x);
  HYPRE_Int steps;
  double left;
  HYPRE_BoomerAMGGetNumIterations(solver, &steps);
  HYPRE_BoomerAMGGetFinalRelativeResidualNorm(solver, &left);
  if (rank == 0) printf("%d steps, residual below 1e-8: %d\n", (int)steps, left < 1e-8);
  HYPRE_BoomerAMGDestroy(solver);
  HYPRE_Finalize();
  MPI_Finalize();
  return 0;
}
