/* lock_sites_plugin.c -- a library that lock_sites.c opens and closes: its functions are new each time, and one of them is
 * the caller of a recorded function. */
#include <mpi.h>

static volatile int sum;
static __attribute__((noinline)) void in_plugin(void) {
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  sum += rank + 1;
}
void call_plugin(void) { in_plugin(); }
