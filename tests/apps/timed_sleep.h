/* timed_sleep.h -- work of which the program knows how long it has taken: it sleeps. */
#ifndef TARRY_TESTS_TIMED_SLEEP_H
#define TARRY_TESTS_TIMED_SLEEP_H

#include <time.h>

__attribute__((no_instrument_function)) static double seconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

__attribute__((no_instrument_function)) static double take(double milliseconds) {
  const double begin = seconds();
  const struct timespec time = {0, (long)(1e6 * milliseconds)};
  nanosleep(&time, NULL);
  return seconds() - begin;
}

#endif
