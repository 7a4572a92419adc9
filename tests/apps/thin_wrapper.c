/* thin_wrapper.c -- functions of a program's own that pass on to MPI, called from many places: two of them cause waiting.
 *
 * Two ranks. In each of three rounds rank 1 comes 40 ms late to sums in scalar_solve(), and rank 0 comes 20 ms late to
 * sums in smooth(). Both pass between calls of reduce(), which a walk of the stack takes to be open meanwhile. reduce()
 * is called by start(), too, where nobody is late. Rank 1 is 30 ms late to messages in exchange(), which step() and
 * start() call: this wrapper has one cause only.
 *
 * Expected: the waiting is 3 * (40 + 20 + 30) = 270 ms. scalar_solve() causes 44.4 % of it, step() 33.3 %, smooth()
 * 22.2 %. The wrappers are not named as causes, but said to be below.
 */
#include <mpi.h>
#include <unistd.h>

#define APART __attribute__((noinline))
#define MILLISECONDS 1000

static int rank;
static double sum, sent;

APART static void reduce(void) {
  double all = 0;
  MPI_Allreduce(&sum, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  __asm__ volatile("" ::: "memory");
}

APART static void global_sum(void) {
  reduce();
  __asm__ volatile("");
}

APART static void exchange(void) {
  double other = 0;
  if (rank == 1) MPI_Send(&sent, 1, MPI_DOUBLE, 0, 0, MPI_COMM_WORLD);
  if (rank == 0) MPI_Recv(&other, 1, MPI_DOUBLE, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  __asm__ volatile("" ::: "memory");
}

APART static void scalar_solve(void) {
  int i;
  for (i = 0; i < 5; ++i) {
    if (i > 0 && rank == 1) usleep(10 * MILLISECONDS);
    global_sum();
  }
}

APART static void smooth(void) {
  int i;
  for (i = 0; i < 5; ++i) {
    if (i > 0 && rank == 0) usleep(5 * MILLISECONDS);
    global_sum();
  }
}

APART static void step(void) {
  int i;
  for (i = 0; i < 4; ++i) {
    if (i > 0 && rank == 1) usleep(10 * MILLISECONDS);
    exchange();
  }
}

APART static void start(void) {
  global_sum();
  exchange();
  __asm__ volatile("");
}

APART static void run(void) {
  int round;
  for (round = 0; round < 3; ++round) {
    scalar_solve();
    smooth();
    step();
    MPI_Barrier(MPI_COMM_WORLD);
  }
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  start();
  run();
  MPI_Finalize();
  return 0;
}
