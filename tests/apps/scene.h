/* scene.h -- scenes that start on all ranks at the same time: each rank sleeps until its own moment.
 *
 * All ranks run on one machine and share its monotonic clock. They sleep instead of computing, so that more ranks than
 * cores do not distort the delays. Only MPI_Scatter is used to agree on the time; no program here tests it.
 *
 * TARRY_TEST_STRETCH=N makes all times N times as long: on a busy machine what comes late by chance weighs less then. */
#ifndef TARRY_TESTS_SCENE_H
#define TARRY_TESTS_SCENE_H

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define SCENES 4 /* each program plays its scene so often */

static const double kScenePeriod = 0.2; /* seconds from the start of one scene to the next */
static const double kLeadTime = 0.3;    /* seconds that all ranks have to get ready */

static int scene_rank;
static double scene_stretch = 1;
static struct timespec scene_first;

/* Adds seconds to a time. */
static struct timespec scene_later(struct timespec time, double seconds) {
  const long long total = (long long)time.tv_sec * 1000000000LL + time.tv_nsec + (long long)(seconds * 1e9);
  time.tv_sec = (time_t)(total / 1000000000LL);
  time.tv_nsec = (long)(total % 1000000000LL);
  return time;
}

/* Agrees with the 4 ranks of a communicator on the time of the first scene. Returns the own rank. */
static int scene_agree(MPI_Comm comm) {
  int size, i;
  struct timespec times[4] = {{0, 0}};
  if (getenv("TARRY_TEST_STRETCH")) scene_stretch = atof(getenv("TARRY_TEST_STRETCH"));
  MPI_Comm_rank(comm, &scene_rank);
  MPI_Comm_size(comm, &size);
  if (size != 4) {
    fprintf(stderr, "this program needs 4 ranks, not %d\n", size);
    MPI_Abort(comm, 2);
  }
  clock_gettime(CLOCK_MONOTONIC, &times[0]);
  times[0] = scene_later(times[0], kLeadTime);
  for (i = 1; i < 4; ++i) times[i] = times[0];
  MPI_Scatter(times, sizeof *times, MPI_BYTE, &scene_first, sizeof *times, MPI_BYTE, 0, comm);
  return scene_rank;
}

/* Starts MPI with 4 ranks, which agree so. */
static inline int scene_begin(int* argc, char*** argv) {
  MPI_Init(argc, argv);
  return scene_agree(MPI_COMM_WORLD);
}

/* Sleeps until `seconds`, stretched, after the start of scene number `scene`. */
static void scene_wait(int scene, double seconds) {
  const struct timespec moment = scene_later(scene_first, scene_stretch * (scene * kScenePeriod + seconds));
  while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &moment, NULL) != 0) {
  }
}

#endif
