/* outside_known.c -- functions that take one rank longer for a known reason, to be run by 4 ranks.
 *
 *   touch     rank 1 touches 400 MB of fresh pages, the others 4 MB
 *   dump      rank 2 writes 64 MB, the others 1 MB: to outside.RANK
 *   doze      rank 3 sleeps for 500 ms, the others for 10
 *
 * Ranks that wait are asleep. With the argument "pin" there is one function instead:
 *
 *   spin      each rank computes for 100 ms of processor time: rank 0 on the first processor that it may use, with less
 *             priority than others have there, and the others on the rest
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <mpi.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

static int rank;

static void touch(int megabytes) {
  const size_t bytes = (size_t)4 << 20, page = 4096;
  for (int i = 0; i < megabytes / 4; ++i) {
    char* memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) MPI_Abort(MPI_COMM_WORLD, 1);
    madvise(memory, bytes, MADV_NOHUGEPAGE);
    for (size_t at = 0; at < bytes; at += page) memory[at] = 1;
    munmap(memory, bytes);
  }
}

static void dump(int megabytes) {
  static char block[1 << 20];
  char name[32];
  snprintf(name, sizeof name, "outside.%d", rank);
  const int file = open(name, O_WRONLY | O_CREAT | O_TRUNC, 0666);
  for (int i = 0; i < megabytes; ++i)
    if (write(file, block, sizeof block) != (ssize_t)sizeof block) MPI_Abort(MPI_COMM_WORLD, 1);
  close(file);
  unlink(name);
}

static void doze(int milliseconds) {
  const struct timespec time = {0, milliseconds * 1000000L};
  nanosleep(&time, NULL);
}

static void spin(int milliseconds) {
  struct timespec begin, now;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &begin);
  do {
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  } while ((now.tv_sec - begin.tv_sec) * 1000 + (now.tv_nsec - begin.tv_nsec) / 1000000 < milliseconds);
}

/* Rank 0 gets the first processor for itself. */
static void pin(void) {
  cpu_set_t allowed;
  sched_getaffinity(0, sizeof allowed, &allowed);
  int first = 0;
  while (!CPU_ISSET(first, &allowed)) ++first;
  if (rank == 0) {
    CPU_ZERO(&allowed);
    CPU_SET(first, &allowed);
    setpriority(PRIO_PROCESS, 0, getpriority(PRIO_PROCESS, 0) + 5);
  } else {
    CPU_CLR(first, &allowed);
  }
  sched_setaffinity(0, sizeof allowed, &allowed);
}

/* A barrier in which waiting ranks need no processor. */
__attribute__((no_instrument_function)) static void meet(void) {
  MPI_Request request;
  int is_done = 0;
  MPI_Ibarrier(MPI_COMM_WORLD, &request);
  for (MPI_Test(&request, &is_done, MPI_STATUS_IGNORE); !is_done; MPI_Test(&request, &is_done, MPI_STATUS_IGNORE)) {
    const struct timespec time = {0, 2000000L};
    nanosleep(&time, NULL);
  }
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (argc > 1 && strcmp(argv[1], "pin") == 0) {
    pin();
    meet();
    spin(100);
    if (argc > 2) MPI_Barrier(MPI_COMM_WORLD); /* here the others wait for rank 0 */
  } else {
    meet();
    touch(rank == 1 ? 400 : 4);
    meet();
    dump(rank == 2 ? 64 : 1);
    meet();
    doze(rank == 3 ? 500 : 10);
  }
  meet();
  MPI_Finalize();
  return 0;
}
