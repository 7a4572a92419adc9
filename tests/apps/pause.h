/* pause.h -- work that ends at a known time: the process sleeps, so that more ranks than cores do not distort it. */
#ifndef TARRY_TESTS_PAUSE_H
#define TARRY_TESTS_PAUSE_H

#include <mpi.h>
#include <time.h>

static long long pause_origin; /* milliseconds of the clock that all ranks share */

/* All ranks agree on the time 0, which is 100 ms from now. */
static void pause_begin(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  pause_origin = now.tv_sec * 1000LL + now.tv_nsec / 1000000 + 100;
  MPI_Bcast(&pause_origin, 1, MPI_LONG_LONG, 0, MPI_COMM_WORLD);
}

static void pause_until(int milliseconds) {
  const long long moment = pause_origin + milliseconds;
  const struct timespec time = {moment / 1000, moment % 1000 * 1000000L};
  while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &time, NULL) != 0) {
  }
}

#endif
