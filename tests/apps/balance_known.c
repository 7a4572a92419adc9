/* balance_known.c -- functions in which work is distributed over the ranks in known ways, to be run by 8 ranks.
 *
 * The ranks sleep instead of working, so that more ranks than cores do not distort it. A barrier follows each function but
 * cancel_up() and add_once(): between cancel_up() and cancel_down() no rank waits.
 *
 *   slow_one     rank 3 takes 600 ms, the others 150
 *   fast_one     rank 5 takes 50 ms, the others 400
 *   two_groups   ranks 0-3 take 150 ms, 4-7 450
 *   linear       rank r takes 100 + 60 r ms
 *   even         all take 200 ms
 *   cancel_up, cancel_down      ranks 0, 2, 4, 6 take 300 ms in the one and 50 in the other, the others the reverse
 *   add_once, add_twice         rank 6 takes 300 ms in both, the others 50
 *   apart_up, apart_down        as cancel_up and cancel_down, with a barrier in between
 */
#include <mpi.h>
#include <time.h>

static int rank;

__attribute__((no_instrument_function)) static void take(int milliseconds) {
  struct timespec end;
  clock_gettime(CLOCK_MONOTONIC, &end);
  end.tv_nsec += milliseconds * 1000000L;
  end.tv_sec += end.tv_nsec / 1000000000;
  end.tv_nsec %= 1000000000;
  while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &end, NULL) != 0) {
  }
}

static void slow_one(void) { take(rank == 3 ? 600 : 150); }
static void fast_one(void) { take(rank == 5 ? 50 : 400); }
static void two_groups(void) { take(rank < 4 ? 150 : 450); }
static void linear(void) { take(100 + 60 * rank); }
static void even(void) { take(200); }
static void cancel_up(void) { take(rank % 2 ? 50 : 300); }
static void cancel_down(void) { take(rank % 2 ? 300 : 50); }
static void add_once(void) { take(rank == 6 ? 300 : 50); }
static void add_twice(void) { take(rank == 6 ? 300 : 50); }
static void apart_up(void) { take(rank % 2 ? 50 : 300); }
static void apart_down(void) { take(rank % 2 ? 300 : 50); }

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  void (*const steps[])(void) = {slow_one, fast_one, two_groups, linear, even, cancel_up, cancel_down,
                                 add_once, add_twice, apart_up, apart_down};
  MPI_Barrier(MPI_COMM_WORLD);
  for (unsigned i = 0; i < sizeof steps / sizeof *steps; ++i) {
    steps[i]();
    if (steps[i] != cancel_up && steps[i] != add_once) MPI_Barrier(MPI_COMM_WORLD);
  }
  MPI_Finalize();
  return 0;
}
