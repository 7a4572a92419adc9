/* overheads_timing.h -- programs that make overheads on purpose tell how long each of them took by their own clock.
 *
 * "own CLASS SECONDS": a call that is nothing else. "late CLASS REST GROUP ENTER LEAVE": a call in which whoever comes
 * early waits for the last one of the group, which is of CLASS; the rest of it is of another one.
 * tests/pipeline/check_overheads.py reads the lines. They are written at the end, because writing is an overhead, too. The
 * processes of a job append theirs to one file, each at once: mpirun mixes what they print. */
#ifndef TARRY_TESTS_OVERHEADS_TIMING_H
#define TARRY_TESTS_OVERHEADS_TIMING_H

#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

static inline double clock_now(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static inline void clock_wait_until(double seconds) {
  const struct timespec moment = {(time_t)seconds, (long)((seconds - (double)(time_t)seconds) * 1e9)};
  while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &moment, NULL) != 0) {
  }
}

static char told[1 << 15];
static size_t told_length;

__attribute__((format(printf, 1, 2))) static inline void tell(const char* format, ...) {
  va_list values;
  va_start(values, format);
  const int length = vsnprintf(told + told_length, sizeof told - told_length, format, values);
  va_end(values);
  if (length > 0 && told_length + (size_t)length < sizeof told) told_length += (size_t)length;
}

static inline void tell_own(const char* class, double seconds) { tell("own %s %.9f\n", class, seconds); }

static inline void write_told(void) {
  const int file = open("overheads.told", O_WRONLY | O_CREAT | O_APPEND, 0644);
  if (file < 0 || write(file, told, told_length) != (ssize_t)told_length) abort();
  close(file);
}

/* Runs a statement and adds its time to `sum`. */
#define TIMED(sum, ...)                      \
  do {                                       \
    const double timed_begin = clock_now();  \
    __VA_ARGS__;                             \
    (sum) += clock_now() - timed_begin;      \
  } while (0)

/* Runs a statement in which the early ones wait for the last one. */
#define MEET(class, rest, group, ...)                                                           \
  do {                                                                                          \
    const double meet_begin = clock_now();                                                      \
    __VA_ARGS__;                                                                                \
    tell("late %s %s %s %.9f %.9f\n", class, rest, group, meet_begin, clock_now());             \
  } while (0)

#endif
