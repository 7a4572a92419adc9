/* polling.h -- the ways in which a program can ask for a request, and how long it does. */
#ifndef TARRY_TESTS_POLLING_H
#define TARRY_TESTS_POLLING_H

#include <mpi.h>
#include <sys/prctl.h>
#include <time.h>

/* In the call path of who calls it. */
#define IN_CALLER __attribute__((always_inline)) static inline

static MPI_Request request[2]; /* the second one is there for calls that take several */
static double polled_from, polled_from_cpu, slept; /* `slept`: in naps since then */

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

__attribute__((constructor)) static void end_naps_on_time(void) { prctl(PR_SET_TIMERSLACK, 1); }

/* One that ends late has waited for a processor: what is asleep in the millisecond around it may be work. */
static void nap(double duration) {
  const struct timespec time = {.tv_nsec = (long)(1e9 * duration)};
  const double begin = seconds(CLOCK_MONOTONIC);
  nanosleep(&time, NULL);
  slept += seconds(CLOCK_MONOTONIC) - begin < 1.5 * duration ? duration : -0.001;
}

/* The processor time that has been polled since start_to_poll(), and that of the naps. */
static double polled_time(void) { return seconds(CLOCK_THREAD_CPUTIME_ID) - polled_from_cpu + slept; }

static void start_to_poll(void) {
  slept = 0;
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

IN_CALLER void poll_with_naps(double duration) {
  for (int flag = 0; !flag;) {
    MPI_Test(&request[0], &flag, MPI_STATUS_IGNORE);
    if (!flag) nap(duration);
  }
}

IN_CALLER void poll_and_sleep(void) { poll_with_naps(0.001); }
IN_CALLER void poll_and_nap(void) { poll_with_naps(0.0002); }

/* Computes, and tests now and then. */
IN_CALLER void poll_while_computing(void) {
  for (int flag = 0; !flag;) {
    compute(0.002);
    MPI_Test(&request[0], &flag, MPI_STATUS_IGNORE);
  }
}

/* Computes most of the time, and sleeps a little. */
IN_CALLER void poll_while_working(void) {
  for (int flag = 0; !flag;) {
    MPI_Test(&request[0], &flag, MPI_STATUS_IGNORE);
    compute(0.003);
    nap(0.0005);
  }
}

/* Polls after it has computed for 30 ms. */
IN_CALLER void compute_and_poll(void) {
  compute(0.03);
  start_to_poll();
  poll_by_test();
}

#endif
