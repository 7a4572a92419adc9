/* known_causes.c -- programs that wait for a known reason: `known_causes NAME [STRETCH]`, on 4 ranks.
 *
 * All times are STRETCH times as long: on a busy machine what comes late by chance weighs less then. Functions sleep instead of computing, so that more ranks than cores do not distort them. What a report must say of
 * each is in tests/pipeline/known_causes.py. "lock_holder" has threads and one rank. */
#include <fcntl.h>
#include <mpi.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define APART __attribute__((noinline))

static int rank, ranks;
static double stretch = 1;

static long long now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec * 1000000000LL + time.tv_nsec;
}

__attribute__((no_instrument_function)) static void pause_for(double milliseconds) {
  const long long end = now() + (long long)(milliseconds * stretch * 1e6);
  const struct timespec time = {end / 1000000000LL, end % 1000000000LL};
  while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &time, NULL) != 0) {
  }
}

APART static void work(double milliseconds) { pause_for(milliseconds); }
APART static void solve(double milliseconds) { pause_for(milliseconds); }
APART static void check(double milliseconds) { pause_for(milliseconds); }
APART static void stage(double milliseconds) { pause_for(milliseconds); }
APART static void prepare(double milliseconds) { pause_for(milliseconds); }
APART static void relay(double milliseconds) { pause_for(milliseconds); }
APART static void assemble(double milliseconds) { pause_for(milliseconds); }
APART static void update(double milliseconds) { pause_for(milliseconds); }

/* One rank works 60 ms in each round, the others 20. */
static void slow_rank(void) {
  for (int round = 0; round < 6; ++round) {
    work(rank == 2 ? 60 : 20);
    MPI_Barrier(MPI_COMM_WORLD);
  }
}

/* One rank takes 40 ms more in one function, and 10 ms more in another. */
static void slow_function(void) {
  double in = 1, out;
  for (int round = 0; round < 6; ++round) {
    solve(rank == 1 ? 50 : 10);
    check(rank == 1 ? 20 : 10);
    MPI_Allreduce(&in, &out, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  }
}

/* Items go from rank to rank; each works on each of them for the same time. */
static void pipeline(void) {
  int item = 0;
  for (int round = 0; round < 6; ++round) {
    if (rank > 0) MPI_Recv(&item, 1, MPI_INT, rank - 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    stage(40);
    if (rank + 1 < ranks) MPI_Send(&item, 1, MPI_INT, rank + 1, 0, MPI_COMM_WORLD);
  }
}

/* Rank 1 waits for rank 0, and therefore rank 2 for rank 1. */
static void chain(void) {
  int item = 0;
  for (int round = 0; round < 6; ++round) {
    if (rank == 0) prepare(50);
    if (rank == 1 || rank == 2) MPI_Recv(&item, 1, MPI_INT, rank - 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (rank == 1) relay(5);
    if (rank == 0 || rank == 1) MPI_Send(&item, 1, MPI_INT, rank + 1, 0, MPI_COMM_WORLD);
    /* The next item comes when rank 2 has got this one. */
    if (rank == 2) MPI_Send(&item, 1, MPI_INT, 0, 1, MPI_COMM_WORLD);
    if (rank == 0) MPI_Recv(&item, 1, MPI_INT, 2, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
  if (rank == 3) pause_for(6 * 55);
}

/* In each round another rank works 40 ms longer. */
static void shifting_load(void) {
  for (int round = 0; round < 8; ++round) {
    work(rank == round % ranks ? 60 : 20);
    MPI_Barrier(MPI_COMM_WORLD);
  }
}

/* One rank writes a file while the others wait. */
static void io_burst(void) {
  static char block[1 << 20];
  for (int round = 0; round < 3; ++round) {
    work(10);
    if (rank == 3) {
      const int file = open("burst.data", O_CREAT | O_WRONLY | O_TRUNC, 0600);
      for (int i = 0; i < 64 * stretch; ++i)
        if (write(file, block, sizeof block) < 0) abort();
      fdatasync(file);
      close(file);
    }
    MPI_Barrier(MPI_COMM_WORLD);
  }
}

/* The root of a broadcast comes 40 ms after the others. */
static void late_root(void) {
  double values[100] = {0};
  for (int round = 0; round < 6; ++round) {
    if (rank == 0) assemble(50);
    else work(10);
    MPI_Bcast(values, 100, MPI_DOUBLE, 0, MPI_COMM_WORLD);
  }
}

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

/* Both do the same but for what one does with the lock. */
APART static void* take_turns(void* holds) {
  for (int round = 0; round < 4; ++round) {
    pause_for(holds ? 10 : 30);
    pthread_mutex_lock(&mutex);
    if (holds) update(60);
    pthread_mutex_unlock(&mutex);
    pause_for(30);
  }
  return holds;
}

/* One thread holds a lock for 60 ms, the other one asks for it after 20 of them. */
static void lock_holder(void) {
  pthread_t threads[2];
  pthread_create(&threads[0], NULL, take_turns, threads);
  pthread_create(&threads[1], NULL, take_turns, NULL);
  for (int i = 0; i < 2; ++i) pthread_join(threads[i], NULL);
}

/* All work 30 ms, now one, now the other by up to 1 ms longer. */
static void noise(void) {
  srand48(17 + rank);
  for (int round = 0; round < 12; ++round) {
    work(30 + drand48());
    MPI_Barrier(MPI_COMM_WORLD);
  }
}

int main(int argc, char** argv) {
  static const struct {
    const char* name;
    void (*run)(void);
  } programs[] = {{"slow_rank", slow_rank},         {"slow_function", slow_function}, {"pipeline", pipeline},
                  {"chain", chain},                 {"shifting_load", shifting_load}, {"io_burst", io_burst},
                  {"late_root", late_root},         {"lock_holder", lock_holder},     {"noise", noise}};
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  MPI_Barrier(MPI_COMM_WORLD);
  if (argc > 2) stretch = atof(argv[2]);
  int known = 0;
  for (size_t i = 0; i < sizeof programs / sizeof *programs; ++i)
    if (argc > 1 && strcmp(argv[1], programs[i].name) == 0) {
      programs[i].run();
      known = 1;
    }
  MPI_Finalize();
  return known ? 0 : 2;
}
