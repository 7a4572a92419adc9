/* polling.h -- the ways in which a program can ask for a request, and how long it does. */
#ifndef TARRY_TESTS_POLLING_H
#define TARRY_TESTS_POLLING_H

#include <mpi.h>
#include <time.h>

/* In the call path of who calls it. */
#define IN_CALLER __attribute__((always_inline)) static inline

static MPI_Request request[2]; /* the second one is there for calls that take several */
static double polled_from, polled_from_cpu;

static double seconds(clockid_t clock) {
  struct timespec time;
  clock_gettime(clock, &time);
  return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

__attribute__((noinline)) static void compute(double duration) {
  const double end = seconds(CLOCK_MONOTONIC) + duration;
  while (seconds(CLOCK_MONOTONIC) < end) {
  }
}

static void start_to_poll(void) {
  polled_from = seconds(CLOCK_MONOTONIC);
  polled_from_cpu = seconds(CLOCK_THREAD_CPUTIME_ID);
}

IN_CALLER void poll_by_test(void) {
  for (int flag = 0; !flag;) MPI_Test(&request[0], &flag, MPI_STATUS_IGNORE);
}

IN_CALLER void poll_by_testany(void) {
  int index;
  request[1] = MPI_REQUEST_NULL;
  for (int flag = 0; !flag;) MPI_Testany(2, request, &index, &flag, MPI_STATUS_IGNORE);
}

IN_CALLER void poll_by_testsome(void) {
  int indices[2];
  request[1] = MPI_REQUEST_NULL;
  for (int count = 0; !count;) MPI_Testsome(2, request, &count, indices, MPI_STATUSES_IGNORE);
}

IN_CALLER void poll_by_testall(void) {
  request[1] = MPI_REQUEST_NULL;
  for (int flag = 0; !flag;) MPI_Testall(2, request, &flag, MPI_STATUSES_IGNORE);
}

IN_CALLER void poll_by_get_status(void) {
  for (int flag = 0; !flag;) MPI_Request_get_status(request[0], &flag, MPI_STATUS_IGNORE);
  MPI_Wait(&request[0], MPI_STATUS_IGNORE);
}

/* Computes, and tests now and then. */
IN_CALLER void poll_while_computing(void) {
  for (int flag = 0; !flag;) {
    compute(0.002);
    MPI_Test(&request[0], &flag, MPI_STATUS_IGNORE);
  }
}

/* Polls after it has computed for 30 ms. */
IN_CALLER void compute_and_poll(void) {
  compute(0.03);
  start_to_poll();
  poll_by_test();
}

#endif
