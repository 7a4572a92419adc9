/* omp_scene.h -- threads that sleep until known times, in a program with one MPI rank. */
#ifndef TARRY_TESTS_OMP_SCENE_H
#define TARRY_TESTS_OMP_SCENE_H

#include <mpi.h>
#include <stdio.h>
#include <time.h>

static struct timespec scene_origin;

/* The time 0 of what follows is now. */
static void scene_start(void) { clock_gettime(CLOCK_MONOTONIC, &scene_origin); }

/* Sleeps until `milliseconds` after scene_start(). */
static void sleep_until(int milliseconds) {
  const long long nanoseconds = scene_origin.tv_nsec + milliseconds * 1000000LL;
  const struct timespec moment = {scene_origin.tv_sec + nanoseconds / 1000000000LL, nanoseconds % 1000000000LL};
  while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &moment, NULL) != 0) {
  }
}

#endif
