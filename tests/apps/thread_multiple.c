/* thread_multiple.c -- four threads a process call MPI at the same time, and each knows how many records it makes.
 *
 * Prints, per rank and thread: EXPECT RANK THREAD KIND=COUNT ... with the thread's number in the archive, which is the
 * order in which threads make their first call: the others come one after the other. Runs on an even number of ranks. */
#include <mpi.h>
#include <pthread.h>
#include <stdio.h>

enum { THREADS = 4, ROUNDS = 200, WINDOW = 8 };
static MPI_Comm comms[THREADS];
static int rank, size, partner;
static pthread_barrier_t all_known;
static pthread_mutex_t turn = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t turned = PTHREAD_COND_INITIALIZER;
static int known;

/* Threads get their numbers in order. */
static void make_known(int thread) {
  int flag;
  pthread_mutex_lock(&turn);
  while (known != thread) pthread_cond_wait(&turned, &turn);
  MPI_Initialized(&flag);
  ++known;
  pthread_cond_broadcast(&turned);
  pthread_mutex_unlock(&turn);
  pthread_barrier_wait(&all_known);
}

static void* work(void* argument) {
  const int thread = *(int*)argument;
  int out[WINDOW] = {0}, in[WINDOW], sum;
  MPI_Request requests[2 * WINDOW];
  MPI_Comm copy;
  make_known(thread);
  for (int round = 0; round < ROUNDS; ++round) {
    for (int i = 0; i < WINDOW; ++i) {
      MPI_Irecv(&in[i], 1, MPI_INT, partner, i, comms[thread], &requests[i]);
      MPI_Isend(&out[i], 1, MPI_INT, partner, i, comms[thread], &requests[WINDOW + i]);
    }
    MPI_Waitall(2 * WINDOW, requests, MPI_STATUSES_IGNORE);
    MPI_Sendrecv(&round, 1, MPI_INT, partner, 99, in, 1, MPI_INT, partner, 99, comms[thread], MPI_STATUS_IGNORE);
    if (round % 100 == 0) MPI_Allreduce(&round, &sum, 1, MPI_INT, MPI_SUM, comms[thread]);
  }
  MPI_Comm_dup(comms[thread], &copy);
  MPI_Comm_free(&copy);
  pthread_mutex_lock(&turn);
  printf("EXPECT %d %d MPI_ISEND=%d MPI_ISEND_COMPLETE=%d MPI_IRECV_REQUEST=%d MPI_IRECV=%d MPI_SEND=%d MPI_RECV=%d "
         "MPI_COLLECTIVE_END=%d COMM_CREATE=%d COMM_DESTROY=%d\n",
         rank, thread, ROUNDS * WINDOW, ROUNDS * WINDOW, ROUNDS * WINDOW, ROUNDS * WINDOW, ROUNDS, ROUNDS,
         ROUNDS / 100 + 2 + (thread ? 0 : THREADS), 1 + (thread ? 0 : THREADS), 1);
  pthread_mutex_unlock(&turn);
  return NULL;
}

int main(int argc, char** argv) {
  int provided, numbers[THREADS];
  pthread_t threads[THREADS];
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
  if (provided != MPI_THREAD_MULTIPLE) MPI_Abort(MPI_COMM_WORLD, 2);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  partner = rank ^ 1;
  pthread_barrier_init(&all_known, NULL, THREADS);
  for (int i = 0; i < THREADS; ++i) MPI_Comm_dup(MPI_COMM_WORLD, &comms[i]), numbers[i] = i;
  for (int i = 1; i < THREADS; ++i) pthread_create(&threads[i], NULL, work, &numbers[i]);
  work(&numbers[0]);
  for (int i = 1; i < THREADS; ++i) pthread_join(threads[i], NULL);
  MPI_Finalize();
  return 0;
}
