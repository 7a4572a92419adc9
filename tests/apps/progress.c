// progress.c -- passes messages around a ring and keeps count of them where a kill does not reach.
//
// usage: progress BATCHES
//
// Each rank maps the file progress.RANK: numbers of sends, receives and reductions that have returned, and 1 when it is
// about to finalise. Whoever kills it can compare them with what was recorded. The file is truncated at the start: two
// jobs in one folder would kill each other (SIGBUS).
#include <fcntl.h>
#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

enum { kMessagesPerBatch = 20, kBatchesPerReduction = 10 };

struct Progress {
  volatile uint64_t sends, receives, reductions, is_at_end;
};

static struct Progress* map_progress(int rank) {
  char name[64];
  snprintf(name, sizeof name, "progress.%d", rank);
  const int file = open(name, O_RDWR | O_CREAT | O_TRUNC, 0666);
  if (file < 0 || ftruncate(file, sizeof(struct Progress)) != 0) MPI_Abort(MPI_COMM_WORLD, 1);
  void* data = mmap(NULL, sizeof(struct Progress), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  if (data == MAP_FAILED) MPI_Abort(MPI_COMM_WORLD, 1);
  close(file);
  return data;
}

int main(int argc, char** argv) {
  int rank, size;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  struct Progress* progress = map_progress(rank);
  const long batches = argc > 1 ? strtol(argv[1], NULL, 10) : 1000;
  const int next = (rank + 1) % size, before = (rank + size - 1) % size;
  long token = rank, sum = 0;
  for (long batch = 0; batch < batches; ++batch) {
    for (int i = 0; i < kMessagesPerBatch; ++i) {
      MPI_Send(&token, 1, MPI_LONG, next, i, MPI_COMM_WORLD);
      ++progress->sends;
    }
    for (int i = 0; i < kMessagesPerBatch; ++i) {
      MPI_Recv(&token, 1, MPI_LONG, before, i, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      ++progress->receives;
    }
    if (batch % kBatchesPerReduction != 0) continue;
    MPI_Allreduce(&token, &sum, 1, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
    ++progress->reductions;
  }
  progress->is_at_end = 1;
  MPI_Finalize();
  return 0;
}
