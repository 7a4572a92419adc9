// halo_exchange.c -- Jacobi iteration for the temperature of a plate, with rows that are not shared out evenly.
//
// usage: halo_exchange [iterations]
//
// Each rank owns a block of rows and exchanges its outermost ones with the ranks above and below. One rank owns half
// as many rows again as the others: its neighbours wait for its messages, theirs for them, and all wait in the global
// residual. The stencil is computed for real; beyond that each cell costs kSecondsPerCell of sleep, which stands for
// heavier physics and keeps the imbalance visible on a laptop that has fewer cores than the program has ranks.
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { kColumns = 256, kRowsPerRank = 16, kIterations = 500, kResidualEvery = 5 };

static const double kSecondsPerCell = 400e-9;

struct Block {
  int rank, size;
  int rows;          // owned; the field has one halo row above and one below
  double *now, *next;
};

static double* row_of(double* field, int row) { return field + (size_t)row * kColumns; }

static int is_slow(const struct Block* block) { return block->rank == block->size / 2; }

// The upper edge of the plate is hot, everything else starts cold.
static void set_up(struct Block* block) {
  MPI_Comm_rank(MPI_COMM_WORLD, &block->rank);
  MPI_Comm_size(MPI_COMM_WORLD, &block->size);
  block->rows = is_slow(block) ? kRowsPerRank * 3 / 2 : kRowsPerRank;
  const size_t cells = (size_t)(block->rows + 2) * kColumns;
  block->now = calloc(cells, sizeof(double));
  block->next = calloc(cells, sizeof(double));
  if (!block->now || !block->next) MPI_Abort(MPI_COMM_WORLD, 1);
  if (block->rank == 0)
    for (int column = 0; column < kColumns; ++column) block->now[column] = block->next[column] = 1.0;
}

static void exchange_halos(struct Block* block) {
  const int above = block->rank > 0 ? block->rank - 1 : MPI_PROC_NULL;
  const int below = block->rank < block->size - 1 ? block->rank + 1 : MPI_PROC_NULL;
  MPI_Request requests[4];
  MPI_Irecv(row_of(block->now, 0), kColumns, MPI_DOUBLE, above, 0, MPI_COMM_WORLD, &requests[0]);
  MPI_Irecv(row_of(block->now, block->rows + 1), kColumns, MPI_DOUBLE, below, 1, MPI_COMM_WORLD, &requests[1]);
  MPI_Isend(row_of(block->now, 1), kColumns, MPI_DOUBLE, above, 1, MPI_COMM_WORLD, &requests[2]);
  MPI_Isend(row_of(block->now, block->rows), kColumns, MPI_DOUBLE, below, 0, MPI_COMM_WORLD, &requests[3]);
  MPI_Waitall(4, requests, MPI_STATUSES_IGNORE);
}

// One step; returns the sum of the squared changes.
static double relax(struct Block* block) {
  double change = 0;
  for (int row = 1; row <= block->rows; ++row) {
    const double *here = row_of(block->now, row), *above = here - kColumns, *below = here + kColumns;
    double* next = row_of(block->next, row);
    for (int column = 1; column < kColumns - 1; ++column) {
      next[column] = 0.25 * (above[column] + below[column] + here[column - 1] + here[column + 1]);
      change += (next[column] - here[column]) * (next[column] - here[column]);
    }
  }
  double* swap = block->now;
  block->now = block->next;
  block->next = swap;
  return change;
}

static void simulate_physics(const struct Block* block) {
  const double seconds = kSecondsPerCell * block->rows * kColumns;
  const struct timespec duration = {0, (long)(seconds * 1e9)};
  nanosleep(&duration, NULL);
}

int main(int argc, char** argv) {
  struct Block block;
  MPI_Init(&argc, &argv);
  const long iterations = argc > 1 ? strtol(argv[1], NULL, 10) : kIterations;
  set_up(&block);
  double residual = 0;
  for (long iteration = 1; iteration <= iterations; ++iteration) {
    exchange_halos(&block);
    const double change = relax(&block);
    simulate_physics(&block);
    if (iteration % kResidualEvery == 0 || iteration == iterations) {
      MPI_Allreduce(&change, &residual, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    }
  }
  if (block.rank == 0)
    printf("%ld iterations on %d ranks, residual %.6e\n", iterations, block.size, sqrt(residual));
  free(block.now);
  free(block.next);
  MPI_Finalize();
  return 0;
}
