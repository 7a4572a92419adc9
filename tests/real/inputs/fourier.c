/* fourier.c -- FFTW with MPI: transforms there and back. */
#include <fftw3-mpi.h>
#include <math.h>
#include <stdio.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  fftw_mpi_init();
  const ptrdiff_t n = 256;
  ptrdiff_t rows, first;
  const ptrdiff_t size = fftw_mpi_local_size_2d(n, n, MPI_COMM_WORLD, &rows, &first);
  fftw_complex* data = fftw_alloc_complex(size);
  fftw_plan there = fftw_mpi_plan_dft_2d(n, n, data, data, MPI_COMM_WORLD, FFTW_FORWARD, FFTW_ESTIMATE);
  fftw_plan back = fftw_mpi_plan_dft_2d(n, n, data, data, MPI_COMM_WORLD, FFTW_BACKWARD, FFTW_ESTIMATE);
  for (ptrdiff_t i = 0; i < rows * n; ++i) {
    data[i][0] = sin((double)(first * n + i));
    data[i][1] = 0;
  }
  for (int step = 0; step < 20; ++step) {
    fftw_execute(there);
    fftw_execute(back);
    for (ptrdiff_t i = 0; i < rows * n; ++i) {
      data[i][0] /= n * n;
      data[i][1] /= n * n;
    }
  }
  double sum = 0, all;
  for (ptrdiff_t i = 0; i < rows * n; ++i) sum += data[i][0] * data[i][0];
  MPI_Reduce(&sum, &all, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0) printf("energy %.6f\n", all);
  MPI_Finalize();
  return 0;
}
