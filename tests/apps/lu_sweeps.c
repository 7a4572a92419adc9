/* lu_sweeps.c -- like NPB's LU: sweeps of a block solver over a plane of cells, passed on from rank to rank.
 *
 * usage: mpirun -np N lu_sweeps [STEPS]      (12)
 *
 * Each rank owns kWidth columns of kPlanes planes of kRows rows. For each plane the lower sweep receives the column of
 * the rank before, solves a block of 5 x 5 in each cell, and sends its last column on; the upper sweep goes back. The
 * function that fills a trace, solve_block(), is not tiny: it takes some tens of nanoseconds, and has two callers. It
 * makes far more than half of the events.
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { kWidth = 24, kRows = 48, kPlanes = 16, kUnknowns = 5 };
typedef double Cell[kUnknowns];
static Cell field[kPlanes][kRows][kWidth + 2];
static double jacobian[kUnknowns][kUnknowns];
static int rank, ranks;

__attribute__((noinline)) static void solve_block(double* cell, const double* before) {
  for (int row = 0; row < kUnknowns; ++row) {
    double sum = cell[row];
    for (int column = 0; column < kUnknowns; ++column) sum -= jacobian[row][column] * before[column];
    for (int column = 0; column < row; ++column) sum -= jacobian[row][column] * cell[column];
    cell[row] = sum / (1.5 + jacobian[row][row]);
  }
}

__attribute__((noinline)) static void exchange_column(int plane, int column, int from, int to, int is_receive) {
  double buffer[kRows * kUnknowns];
  const int peer = is_receive ? from : to;
  if (peer < 0 || peer >= ranks) return;
  if (is_receive) MPI_Recv(buffer, kRows * kUnknowns, MPI_DOUBLE, peer, plane, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  for (int row = 0; row < kRows; ++row)
    for (int i = 0; i < kUnknowns; ++i) {
      double* const value = &field[plane][row][column][i];
      if (is_receive) *value = buffer[row * kUnknowns + i];
      else buffer[row * kUnknowns + i] = *value;
    }
  if (!is_receive) MPI_Send(buffer, kRows * kUnknowns, MPI_DOUBLE, peer, plane, MPI_COMM_WORLD);
}

__attribute__((noinline)) static void lower_sweep(int plane) {
  exchange_column(plane, 0, rank - 1, rank + 1, 1);
  for (int row = 0; row < kRows; ++row)
    for (int column = 1; column <= kWidth; ++column)
      solve_block(field[plane][row][column], field[plane][row][column - 1]);
  exchange_column(plane, kWidth, rank - 1, rank + 1, 0);
}

__attribute__((noinline)) static void upper_sweep(int plane) {
  exchange_column(plane, kWidth + 1, rank + 1, rank - 1, 1);
  for (int row = kRows - 1; row >= 0; --row)
    for (int column = kWidth; column >= 1; --column)
      solve_block(field[plane][row][column], field[plane][row][column + 1]);
  exchange_column(plane, 1, rank + 1, rank - 1, 0);
}

__attribute__((noinline)) static double right_hand_side(void) {
  double norm = 0;
  for (int pass = 0; pass < 3; ++pass)
    for (int plane = 0; plane < kPlanes; ++plane)
      for (int row = 0; row < kRows; ++row)
        for (int column = 1; column <= kWidth; ++column)
          for (int i = 0; i < kUnknowns; ++i) {
            double* const value = &field[plane][row][column][i];
            *value = *value * 0.75 + 0.01 * (i + 1);
            norm += *value * *value;
          }
  return norm;
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  const int steps = argc > 1 ? atoi(argv[1]) : 12;
  for (int i = 0; i < kUnknowns; ++i)
    for (int j = 0; j < kUnknowns; ++j) jacobian[i][j] = i == j ? 0.5 : 0.01 * (i + j);
  double norm = 0, total = 0;
  for (int step = 0; step < steps; ++step) {
    norm = right_hand_side();
    for (int plane = 0; plane < kPlanes; ++plane) lower_sweep(plane);
    for (int plane = kPlanes - 1; plane >= 0; --plane) upper_sweep(plane);
    MPI_Allreduce(&norm, &total, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  }
  if (rank == 0) printf("%.10g\n", total);
  MPI_Finalize();
  return 0;
}
