/* changed.c -- programs before and after a change, to set predictions against what then happens.
 *
 * usage: changed NAME before|after      on 2 ranks, one processor each
 *
 * What a change does to a program is known: functions take a given time, to some microseconds. They sleep for most of
 * it, so that other programs on the machine matter little, and look at the clock for the rest of it. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define APART __attribute__((noinline))

enum { kRounds = 120, kExchanges = 400 };

static int rank, is_after;
static char buffer[100];

__attribute__((no_instrument_function)) static long long now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec * 1000000000LL + time.tv_nsec;
}

__attribute__((no_instrument_function)) static void take(double milliseconds) {
  const long long end = now() + (long long)(milliseconds * 1e6), awake = end - 300000;
  const struct timespec time = {awake / 1000000000LL, awake % 1000000000LL};
  if (awake > now()) clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &time, NULL);
  while (now() < end) {
  }
}

APART static void produce(double milliseconds) { take(milliseconds); }
APART static void consume(double milliseconds) { take(milliseconds); }
APART static void solve(double milliseconds) { take(milliseconds); }
APART static void update(double milliseconds) { take(milliseconds); }
APART static void assemble(double milliseconds) { take(milliseconds); }

/* A pipeline: consuming becomes twice as fast, so that producing limits it. */
static void stages(void) {
  for (int round = 0; round < kRounds; ++round) {
    if (rank == 0) {
      produce(6);
      MPI_Send(buffer, sizeof buffer, MPI_BYTE, 1, 0, MPI_COMM_WORLD);
    } else {
      MPI_Recv(buffer, sizeof buffer, MPI_BYTE, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      consume(is_after ? 5 : 10);
    }
  }
}

/* Rank 1 gets a slower processor: all that it does takes 1.6 times as long. It was the faster one. */
static void slow_rank(void) {
  const double factor = rank == 1 && is_after ? 1.6 : 1;
  double in = 1, out;
  for (int round = 0; round < kRounds; ++round) {
    solve(factor * (rank == 1 ? 4 : 5));
    update(factor * 2);
    MPI_Allreduce(&in, &out, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  }
}

/* The load of one function is moved: rank 0 assembled nearly everything, then both do the same. */
static void moved_load(void) {
  for (int round = 0; round < kRounds; ++round) {
    assemble(is_after ? 5 : rank == 0 ? 9 : 1);
    solve(rank == 1 ? 4 : 3);
    MPI_Barrier(MPI_COMM_WORLD);
  }
}

/* Cancelling imbalance: what rank 0 does more in the one function, rank 1 does in the other. When only the first is
 * balanced, the program becomes slower. */
static void half_balanced(void) {
  double in = 1, out;
  for (int round = 0; round < kRounds; ++round) {
    assemble(is_after ? 4 : rank == 0 ? 6 : 2);
    solve(rank == 0 ? 3 : 6);
    MPI_Allreduce(&in, &out, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  }
}

/* Twice as many messages go to and fro between the same computation. */
APART static void exchange(int count) {
  for (int i = 0; i < count; ++i) {
    if (rank == 0) MPI_Send(buffer, sizeof buffer, MPI_BYTE, 1, 0, MPI_COMM_WORLD);
    MPI_Recv(buffer, sizeof buffer, MPI_BYTE, 1 - rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (rank == 1) MPI_Send(buffer, sizeof buffer, MPI_BYTE, 0, 0, MPI_COMM_WORLD);
  }
}

static void messages(void) {
  for (int round = 0; round < kRounds; ++round) {
    solve(5);
    exchange(is_after ? 2 * kExchanges : kExchanges);
  }
}

static const struct {
  const char* name;
  void (*run)(void);
} kPrograms[] = {{"stages", stages},     {"slow_rank", slow_rank},         {"moved_load", moved_load},
                 {"messages", messages}, {"half_balanced", half_balanced}};

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  is_after = argc > 2 && strcmp(argv[2], "after") == 0;
  for (size_t i = 0; argc > 1 && i < sizeof kPrograms / sizeof *kPrograms; ++i)
    if (strcmp(argv[1], kPrograms[i].name) == 0) kPrograms[i].run();
  MPI_Finalize();
  return 0;
}
