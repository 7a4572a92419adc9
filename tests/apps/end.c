/* end.c -- works for some rounds and ends in the way that is asked for: end WAY NUMBER.
 *
 * WAY: return, exit-before-finalize, finalize-at-exit, finalize-in-destructor, abort, signal, hang,
 * linger (rank 1 returns behind MPI_Finalize, the others are killed at work). Each rank has made ROUNDS calls of MPI_Sendrecv and MPI_Barrier before. */
#include <mpi.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#ifndef ROUNDS
#define ROUNDS 200
#endif
static int finalizes_late;

static void finalize(void) { MPI_Finalize(); }

__attribute__((destructor)) static void at_the_very_end(void) {
  if (finalizes_late) MPI_Finalize();
}

int main(int argc, char** argv) {
  int rank, size, in;
  if (argc == 3 && strcmp(argv[1], "finalize-at-exit") == 0) atexit(finalize);
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  if (argc != 3) MPI_Abort(MPI_COMM_WORLD, 2);
  const char* way = argv[1];
  const int number = (int)strtol(argv[2], NULL, 10);
  for (int i = 0; i < ROUNDS; ++i) {
    MPI_Sendrecv(&i, 1, MPI_INT, (rank + 1) % size, 0, &in, 1, MPI_INT, (rank + size - 1) % size, 0, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
    MPI_Barrier(MPI_COMM_WORLD);
  }
  if (rank == 1 && strcmp(way, "signal") == 0) raise(number);
  if (rank == 1 && strcmp(way, "abort") == 0) MPI_Abort(MPI_COMM_WORLD, number);
  if (strcmp(way, "exit-before-finalize") == 0) exit(number);
  if (strcmp(way, "hang") == 0 || strcmp(way, "abort") == 0 || strcmp(way, "signal") == 0)
    for (;;) sleep(1);
  if (strcmp(way, "finalize-in-destructor") == 0) finalizes_late = 1;
  if (!strncmp(way, "finalize", 8)) return number;
  MPI_Finalize();
  if (rank != 1 && strcmp(way, "linger") == 0)
    for (;;) sleep(1);
  return number;
}
