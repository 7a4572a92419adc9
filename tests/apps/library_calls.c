/* library_calls.c -- calls functions of BLAS, LAPACK, FFTW, HDF5 and netCDF, as built with -DWITH_BLAS, ..., and prints
 * "NAME VISITS SECONDS" for each, as it has measured them itself.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static void tell(const char* name, int visits, double seconds) { printf("%s %d %.9f\n", name, visits, seconds); }

/* Times all of `count` calls. */
#define MEASURE(name, count, call)            \
  do {                                        \
    double spent = 0;                         \
    for (int i = 0; i < (count); ++i) {       \
      const double begin = now();             \
      call;                                   \
      spent += now() - begin;                 \
    }                                         \
    tell(name, count, spent);                 \
  } while (0)

#if defined(WITH_BLAS) || defined(WITH_LAPACK)
static double* matrix(int n) {
  double* a = malloc(sizeof *a * (size_t)n * (size_t)n);
  for (int i = 0; i < n * n; ++i) a[i] = (double)(i * 7919 % 1009) / 1009 + (i % (n + 1) == 0 ? n : 0);
  return a;
}
#endif

#ifdef WITH_BLAS
#include <cblas.h>
extern void dgemm_(const char*, const char*, const int*, const int*, const int*, const double*, const double*,
                   const int*, const double*, const int*, const double*, double*, const int*, size_t, size_t);
extern double ddot_(const int*, const double*, const int*, const double*, const int*);
static void blas(void) {
  const int n = 300, one = 1, m = 200;
  const double unit = 1, zero = 0;
  double *a = matrix(n), *b = matrix(n), *c = matrix(n), dot = 0;
  MEASURE("dgemm_", 10, dgemm_("N", "T", i % 2 ? &n : &m, &n, &n, &unit, a, &n, b, &n, &zero, c, &n, 1, 1));
  MEASURE("cblas_dgemm", 10,
          cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, n, n, n, 1, a, n, b, n, 0.5, c, n));
  MEASURE("ddot_", 3, dot += ddot_(&n, a, &one, b, &one));
  fprintf(stderr, "%.6f %.6f %.6f\n", c[0], c[n + 1], dot);
}
#endif

#ifdef WITH_LAPACK
extern void dgetrf_(const int*, const int*, double*, const int*, int*, int*);
extern void dsyev_(const char*, const char*, const int*, double*, const int*, double*, double*, const int*, int*,
                   size_t, size_t);
static void lapack(void) {
  const int n = 250;
  int info = 0, sum = 0;
  int* pivots = malloc(sizeof *pivots * (size_t)n);
  double *a = matrix(n), *values = malloc(sizeof *values * (size_t)n), *work = malloc(sizeof *work * 64 * (size_t)n);
  const int work_size = 64 * n;
  MEASURE("dgetrf_", 10, (dgetrf_(&n, &n, a, &n, pivots, &info), sum += info));
  a = matrix(n);
  MEASURE("dsyev_", 4, (dsyev_("V", "U", &n, a, &n, values, work, &work_size, &info, 1, 1), sum += info));
  fprintf(stderr, "%d\n", sum);
}
#endif

#ifdef WITH_FFTW
#include <fftw3.h>
static void fftw(void) {
  const int sizes[] = {64, 32, 16};
  fftw_complex* data = fftw_malloc(sizeof *data * 64 * 32 * 16);
  memset(data, 0, sizeof *data * 64 * 32 * 16);
  data[1][0] = 1;
  fftw_plan plan = 0, line = 0;
  MEASURE("fftw_plan_dft", 1, plan = fftw_plan_dft(3, sizes, data, data, FFTW_FORWARD, FFTW_ESTIMATE));
  MEASURE("fftw_plan_dft_1d", 1, line = fftw_plan_dft_1d(4096, data, data, FFTW_FORWARD, FFTW_ESTIMATE));
  double spent = 0;
  for (int i = 0; i < 40; ++i) {
    const double begin = now();
    fftw_execute(i % 2 ? plan : line);
    spent += now() - begin;
  }
  tell("fftw_execute", 40, spent);
  fftw_destroy_plan(plan);
  fftw_destroy_plan(line);
  fprintf(stderr, "%.6f\n", data[5][0]);
}
#endif

#ifdef WITH_HDF5
#include <hdf5.h>
static herr_t visit(hid_t group, const char* name, const H5L_info_t* info, void* closure) {
  (void)group, (void)info;
  *(int*)closure += (int)strlen(name);
  return 0;
}
static void hdf5(void) {
  enum { kNumbers = 1 << 18 };
  const hsize_t dims[] = {512, 512};
  static int numbers[kNumbers];
  int letters = 0;
  for (int i = 0; i < kNumbers; ++i) numbers[i] = i;
  hid_t file = H5Fcreate("numbers.h5", H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT), space = 0, set = 0;
  MEASURE("H5Screate_simple", 1, space = H5Screate_simple(2, dims, NULL));
  MEASURE("H5Dcreate2", 1,
          set = H5Dcreate2(file, "set", H5T_NATIVE_INT, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
  MEASURE("H5Dwrite", 20, H5Dwrite(set, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, numbers));
  MEASURE("H5Dread", 20, H5Dread(set, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, numbers));
  MEASURE("H5Literate", 1, H5Literate(file, H5_INDEX_NAME, H5_ITER_INC, NULL, visit, &letters));
  H5Dclose(set);
  H5Sclose(space);
  H5Fclose(file);
  fprintf(stderr, "%d %d\n", letters, numbers[1000]);
}
#endif

#ifdef WITH_NETCDF
#include <netcdf.h>
static void netcdf(void) {
  enum { kNumbers = 1 << 18 };
  static double numbers[kNumbers];
  int file = 0, dim = 0, variable = 0, sum = 0;
  for (int i = 0; i < kNumbers; ++i) numbers[i] = i;
  sum += nc_create("numbers.nc", NC_NETCDF4 | NC_CLOBBER, &file);
  MEASURE("nc_def_dim", 1, sum += nc_def_dim(file, "x", kNumbers, &dim));
  MEASURE("nc_def_var", 1, sum += nc_def_var(file, "v", NC_DOUBLE, 1, &dim, &variable));
  sum += nc_enddef(file);
  MEASURE("nc_put_var_double", 10, sum += nc_put_var_double(file, variable, numbers));
  MEASURE("nc_get_var_double", 10, sum += nc_get_var_double(file, variable, numbers));
  MEASURE("nc_close", 1, sum += nc_close(file));
  fprintf(stderr, "%d %g\n", sum, numbers[77]);
}
#endif

int main(void) {
#ifdef WITH_BLAS
  blas();
#endif
#ifdef WITH_LAPACK
  lapack();
#endif
#ifdef WITH_FFTW
  fftw();
#endif
#ifdef WITH_HDF5
  hdf5();
#endif
#ifdef WITH_NETCDF
  netcdf();
#endif
  return 4;
}
