/* shmem_waits.c -- waits of OpenSHMEM: one process comes late, or holds a lock. Each process notes when it calls what
   makes it wait, and when it ends the wait of another one; process 0 prints what follows from that: KIND SECONDS, of all
   processes. With -DUSE_MPI those kinds that MPI has. */
#include <stdio.h>
#include <time.h>

#ifdef USE_MPI
#include <mpi.h>
#else
#include <shmem.h>
#endif

enum { kBarrier, kReduction, kBroadcast, kNotice, kLock, kSet, kAllocation, kKinds, kMost = 64 };
static const char* const kNames[] = {"barrier", "reduction", "broadcast", "notice", "lock", "set", "allocation"};

static int rank, size;
static double called[kKinds], ended[kKinds]; /* when; 0: takes no part */

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec + 1e-9 * time.tv_nsec;
}

static void delay(double seconds) {
  const struct timespec time = {(time_t)seconds, (long)((seconds - (long)seconds) * 1e9)};
  nanosleep(&time, NULL);
}

/* No two kinds are equally long. */
static double late(int kind) { return 0.2 + 0.02 * kind; }

#ifdef USE_MPI
static void barrier(void) { MPI_Barrier(MPI_COMM_WORLD); }
#else
static long flag = 0, lock = 0, other_flag = 0;
static long from[1], to[1], work[SHMEM_REDUCE_MIN_WRKDATA_SIZE + 8], sync_words[4][SHMEM_REDUCE_SYNC_SIZE + 8];
static double all_called[kMost][kKinds], all_ended[kMost][kKinds];
static void barrier(void) { shmem_barrier_all(); }
#endif

/* Each kind in a function of its own, so that the report tells them apart. */
__attribute__((noinline)) void begin_together(void) { barrier(); }

__attribute__((noinline)) void at_barrier(void) {
  begin_together();
  if (rank == 0) delay(late(kBarrier));
  called[kBarrier] = now();
  barrier();
}

__attribute__((noinline)) void at_reduction(void) {
  begin_together();
  if (rank == 0) delay(late(kReduction));
  called[kReduction] = now();
#ifdef USE_MPI
  long from = rank, to;
  MPI_Allreduce(&from, &to, 1, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
#else
  from[0] = rank;
  shmem_long_sum_to_all(to, from, 1, 0, 0, size, work, sync_words[0]);
#endif
}

__attribute__((noinline)) void at_broadcast(void) {
  begin_together();
  if (rank == 0) delay(late(kBroadcast));
  called[kBroadcast] = now();
#ifdef USE_MPI
  long value = rank;
  MPI_Bcast(&value, 1, MPI_LONG, 0, MPI_COMM_WORLD);
#else
  shmem_broadcast64(to, from, 1, 0, 0, 0, size, sync_words[1]);
#endif
}

/* Each process but the last notifies the next one. Meanwhile another place of its memory is written. */
__attribute__((noinline)) void for_notice(void) {
  begin_together();
  if (rank == 0) delay(late(kNotice) / 2);
#ifndef USE_MPI
  shmem_long_p(&other_flag, 1, (rank + 1) % size);
#endif
  if (rank == 0) delay(late(kNotice) / 2);
  called[kNotice] = now();
#ifdef USE_MPI
  long value = 1;
  if (rank > 0) MPI_Recv(&value, 1, MPI_LONG, rank - 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  ended[kNotice] = now();
  if (rank + 1 < size) MPI_Send(&value, 1, MPI_LONG, rank + 1, 0, MPI_COMM_WORLD);
#else
  if (rank > 0) shmem_long_wait_until(&flag, SHMEM_CMP_EQ, 1);
  ended[kNotice] = now();
  if (rank + 1 < size) shmem_long_p(&flag, 1, rank + 1);
  shmem_quiet();
#endif
}

#ifndef USE_MPI
/* Process 0 holds the lock when all others ask for it, and each keeps it for as long. */
__attribute__((noinline)) void for_lock(void) {
  begin_together();
  if (rank != 0) delay(late(kLock) / 4);
  called[kLock] = now();
  shmem_set_lock(&lock);
  delay(late(kLock));
  ended[kLock] = now();
  shmem_clear_lock(&lock);
}

/* Every second process: the first comes late. */
__attribute__((noinline)) void in_set(void) {
  begin_together();
  if (rank % 2 != 0) return;
  if (rank == 0) delay(late(kSet));
  called[kSet] = now();
  shmem_barrier(0, 1, (size + 1) / 2, sync_words[2]);
}

__attribute__((noinline)) void at_allocation(void) {
  begin_together();
  if (rank == 0) delay(late(kAllocation));
  called[kAllocation] = now();
  shmem_free(shmem_malloc(4096));
}
#endif

/* All wait for the last one. */
static double waits_for_last(int kind, double called[][kKinds]) {
  double last = 0, sum = 0;
  for (int i = 0; i < size; ++i)
    if (called[i][kind] > last) last = called[i][kind];
  for (int i = 0; i < size; ++i)
    if (called[i][kind] > 0) sum += last - called[i][kind];
  return sum;
}

/* Each waits for the one before it. */
static double waits_in_row(int kind, double called[][kKinds], double ended[][kKinds]) {
  double sum = 0;
  for (int i = 1; i < size; ++i)
    if (ended[i - 1][kind] > called[i][kind]) sum += ended[i - 1][kind] - called[i][kind];
  return sum;
}

/* Each waits for the one that ended last before itself. */
static double waits_in_turn(int kind, double called[][kKinds], double ended[][kKinds]) {
  double sum = 0;
  for (int i = 0; i < size; ++i) {
    double before = 0;
    for (int j = 0; j < size; ++j)
      if (ended[j][kind] < ended[i][kind] && ended[j][kind] > before) before = ended[j][kind];
    if (before > called[i][kind]) sum += before - called[i][kind];
  }
  return sum;
}

static void print_waits(double called[][kKinds], double ended[][kKinds]) {
  for (int kind = 0; kind < kKinds; ++kind)
    if (called[0][kind] > 0)
      printf("%s %.6f\n", kNames[kind],
             kind == kNotice ? waits_in_row(kind, called, ended)
             : kind == kLock ? waits_in_turn(kind, called, ended)
                             : waits_for_last(kind, called));
}

int main(int count, char** arguments) {
#ifdef USE_MPI
  static double all_called[kMost][kKinds], all_ended[kMost][kKinds];
  MPI_Init(&count, &arguments);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
#else
  (void)count, (void)arguments;
  shmem_init();
  rank = shmem_my_pe();
  size = shmem_n_pes();
  for (int i = 0; i < 4; ++i)
    for (int word = 0; word < SHMEM_REDUCE_SYNC_SIZE + 8; ++word) sync_words[i][word] = SHMEM_SYNC_VALUE;
#endif
  at_barrier();
  at_reduction();
  at_broadcast();
  for_notice();
#ifdef USE_MPI
  MPI_Gather(called, kKinds, MPI_DOUBLE, all_called, kKinds, MPI_DOUBLE, 0, MPI_COMM_WORLD);
  MPI_Gather(ended, kKinds, MPI_DOUBLE, all_ended, kKinds, MPI_DOUBLE, 0, MPI_COMM_WORLD);
#else
  for_lock();
  in_set();
  at_allocation();
  shmem_double_put(all_called[rank], called, kKinds, 0);
  shmem_double_put(all_ended[rank], ended, kKinds, 0);
#endif
  barrier();
  if (rank == 0) {
    print_waits(all_called, all_ended);
    puts("done");
  }
#ifdef USE_MPI
  MPI_Finalize();
#else
  shmem_finalize();
#endif
  return 0;
}
