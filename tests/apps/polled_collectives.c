/* polled_collectives.c -- rank 1 completes a non-blocking collective in each of the ways in which a program can poll for
 * it. Run with 2 ranks.
 *
 * Rank 0 computes for 60 ms and starts its part. Rank 1 prints for each way how long it has polled until then: that is
 * its Wait for Collective, and the delay is rank 0's main(). In the way "overlap" rank 1 computes itself and tests now
 * and then: it never waits. In "half" it polls after it has computed for 30 ms. In "barrier_sleeping" it sleeps between
 * its tests: that is waiting, too.
 *
 * The second number is the processor time that it has polled, and the time that it wanted to sleep. The waits are that
 * long even where the machine is busy. */
#include <stdio.h>
#include <string.h>

#include "polling.h"

static int own = 1, others;

static void start_barrier(void) { MPI_Ibarrier(MPI_COMM_WORLD, &request[0]); }
static void start_allreduce(void) {
  MPI_Iallreduce(&own, &others, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &request[0]);
}
static void start_broadcast(void) { MPI_Ibcast(&others, 1, MPI_INT, 0, MPI_COMM_WORLD, &request[0]); }

IN_CALLER void waits(void) { MPI_Wait(&request[0], MPI_STATUS_IGNORE); }

/* Call paths tell the ways apart. */
#define WAY(name, start, complete)                   \
  __attribute__((noinline)) static void name(void) { \
    start();                                         \
    complete();                                      \
    __asm__ volatile("");                            \
  }
WAY(waiting, start_barrier, waits)
WAY(barrier_test, start_barrier, poll_by_test)
WAY(allreduce_test, start_allreduce, poll_by_test)
WAY(broadcast_test, start_broadcast, poll_by_test)
WAY(allreduce_testany, start_allreduce, poll_by_testany)
WAY(barrier_testsome, start_barrier, poll_by_testsome)
WAY(allreduce_testall, start_allreduce, poll_by_testall)
WAY(barrier_status, start_barrier, poll_by_get_status)
WAY(overlapping, start_allreduce, poll_while_computing)
WAY(half_barrier, start_barrier, compute_and_poll)
WAY(barrier_sleeping, start_barrier, poll_and_sleep)

static const struct {
  const char* name;
  void (*start)(void);
  void (*run)(void);
} ways[] = {{"waiting", start_barrier, waiting},
            {"barrier_test", start_barrier, barrier_test},
            {"allreduce_test", start_allreduce, allreduce_test},
            {"broadcast_test", start_broadcast, broadcast_test},
            {"allreduce_testany", start_allreduce, allreduce_testany},
            {"barrier_testsome", start_barrier, barrier_testsome},
            {"allreduce_testall", start_allreduce, allreduce_testall},
            {"barrier_status", start_barrier, barrier_status},
            {"overlapping", start_allreduce, overlapping},
            {"half_barrier", start_barrier, half_barrier},
            {"barrier_sleeping", start_barrier, barrier_sleeping}};

int main(int argc, char** argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  for (unsigned way = 0; way < sizeof ways / sizeof *ways; ++way) {
    double started = 0;
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0) {
      compute(0.06);
      started = seconds(CLOCK_MONOTONIC);
      ways[way].start();
      MPI_Wait(&request[0], MPI_STATUS_IGNORE);
      MPI_Send(&started, 1, MPI_DOUBLE, 1, 0, MPI_COMM_WORLD);
    } else if (rank == 1) {
      start_to_poll();
      ways[way].run();
      const double cpu = polled_time();
      MPI_Recv(&started, 1, MPI_DOUBLE, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      const int does_wait = strcmp(ways[way].name, "overlapping") != 0;
      printf("%s %.6f %.6f\n", ways[way].name, does_wait ? started - polled_from : 0, does_wait ? cpu : 0);
    }
  }
  MPI_Finalize();
  return 0;
}
