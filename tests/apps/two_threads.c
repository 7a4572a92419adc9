/* two_threads.c -- a thread beside the main one; both send to themselves, and compute for a while in a function of
 * their own. */
#include <mpi.h>
#include <pthread.h>
#include <time.h>

static double g_sums[2];

__attribute__((noinline)) static double compute(void) {
  double sum = 0;
  struct timespec begin, now;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &begin);
  do {
    for (int i = 1; i < 10000; ++i) sum += 1.0 / i;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  } while ((now.tv_sec - begin.tv_sec) * 1000000000LL + now.tv_nsec - begin.tv_nsec < 200000000LL);
  return sum;
}

__attribute__((noinline)) static double exchange(int tag) {
  double in = 0, out = 1;
  MPI_Sendrecv(&out, 1, MPI_DOUBLE, 0, tag, &in, 1, MPI_DOUBLE, 0, tag, MPI_COMM_SELF, MPI_STATUS_IGNORE);
  return in + compute();
}

static void* run_beside(void* sum) {
  *(double*)sum = exchange(1);
  return NULL;
}

int main(int argc, char** argv) {
  int provided;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
  pthread_t thread;
  pthread_create(&thread, NULL, run_beside, &g_sums[1]);
  g_sums[0] = exchange(0);
  pthread_join(thread, NULL);
  MPI_Finalize();
  return g_sums[0] < 0 || g_sums[1] < 0;
}
