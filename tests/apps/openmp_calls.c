/* openmp_calls.c -- MPI calls and locks from all kinds of OpenMP constructs, nested teams included.
 *
 * usage: openmp_calls [ROUNDS]. Threads of a process call MPI at the same time. Prints nothing. */
#include <mpi.h>
#include <omp.h>
#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t g_mutex = PTHREAD_MUTEX_INITIALIZER;
static MPI_Comm g_comms[4];
static long g_sum = 0;

static __attribute__((noinline)) void add(long value) {
  pthread_mutex_lock(&g_mutex);
  g_sum += value;
  pthread_mutex_unlock(&g_mutex);
}

static __attribute__((noinline)) void ask(MPI_Comm comm) {
  int flag;
  MPI_Iprobe(MPI_ANY_SOURCE, 99, comm, &flag, MPI_STATUS_IGNORE);
  MPI_Comm_rank(comm, &flag);
  add(flag);
}

static __attribute__((noinline)) void pass_on(int thread, int depth) {
  long mine = depth, all;
  if (depth > 0) pass_on(thread, depth - 1);
  MPI_Allreduce(&mine, &all, 1, MPI_LONG, MPI_SUM, g_comms[thread]);
  add(all);
}

static __attribute__((noinline)) void one_team(void) {
#pragma omp parallel num_threads(4)
  pass_on(omp_get_thread_num(), 3);
#pragma omp parallel for num_threads(4) schedule(dynamic)
  for (int i = 0; i < 16; ++i) ask(MPI_COMM_WORLD);
}

static __attribute__((noinline)) void nested_teams(void) {
#pragma omp parallel num_threads(2)
  {
#pragma omp parallel num_threads(2)
    ask(MPI_COMM_SELF);
    ask(MPI_COMM_WORLD);
  }
}

static __attribute__((noinline)) void tasks(void) {
#pragma omp parallel num_threads(4)
#pragma omp single
  for (int i = 0; i < 8; ++i)
#pragma omp task
    ask(MPI_COMM_SELF);
}

int main(int argc, char** argv) {
  int provided;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
  omp_set_max_active_levels(2);
  for (int i = 0; i < 4; ++i) MPI_Comm_dup(MPI_COMM_WORLD, &g_comms[i]);
  for (int round = argc > 1 ? atoi(argv[1]) : 10; round > 0; --round) {
    one_team();
    nested_teams();
    tasks();
  }
  for (int i = 0; i < 4; ++i) MPI_Comm_free(&g_comms[i]);
  MPI_Finalize();
}
