/* many_callers.c -- waiting that has its causes on many call paths, none of which is large.
 *
 * Two ranks. In each of three rounds rank 1 comes late by 2 ms to a message of swap(), for each of thirty callers of
 * swap(). It comes late by 40 ms to a barrier of level(). shift() ends with a barrier, too: left() calls it with a delay
 * of 30 ms on rank 1, right() with one of 20 ms on rank 0.
 *
 * Expected: the waiting is 3 * (60 + 40 + 30 + 20) = 450 ms. swap() causes 40 % of it, together with the operations of
 * MPI in it, level() 26.7 %, and shift() 20 % below left(), 13.3 % below right().
 */
#include <mpi.h>
#include <unistd.h>

#define APART __attribute__((noinline))
#define MILLISECONDS 1000

static int rank;

APART static void swap(void) {
  int mine = rank, other = 0;
  if (rank == 1) usleep(2 * MILLISECONDS);
  if (rank == 1) MPI_Send(&mine, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
  if (rank == 0) MPI_Recv(&other, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  __asm__ volatile("" ::: "memory");
}

#define STEP(n)                     \
  APART static void step##n(void) { \
    swap();                         \
    __asm__ volatile("");           \
  }
#define TEN(d) STEP(d##0) STEP(d##1) STEP(d##2) STEP(d##3) STEP(d##4) STEP(d##5) STEP(d##6) STEP(d##7) STEP(d##8) STEP(d##9)
#define CALL_TEN(d) \
  step##d##0(), step##d##1(), step##d##2(), step##d##3(), step##d##4(), step##d##5(), step##d##6(), step##d##7(), \
      step##d##8(), step##d##9()
TEN(1) TEN(2) TEN(3)

APART static void level(void) {
  if (rank == 1) usleep(40 * MILLISECONDS);
  MPI_Barrier(MPI_COMM_WORLD);
  __asm__ volatile("");
}

APART static void shift(int late, int milliseconds) {
  if (rank == late) usleep(milliseconds * MILLISECONDS);
  MPI_Barrier(MPI_COMM_WORLD);
  __asm__ volatile("");
}

APART static void left(void) {
  shift(1, 30);
  __asm__ volatile("");
}

APART static void right(void) {
  shift(0, 20);
  __asm__ volatile("");
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Barrier(MPI_COMM_WORLD);
  for (int round = 0; round < 3; ++round) {
    CALL_TEN(1), CALL_TEN(2), CALL_TEN(3);
    level();
    left();
    right();
  }
  MPI_Finalize();
  return 0;
}
