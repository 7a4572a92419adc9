/* overheads_lost.c -- a problem of fixed size for any number of ranks, which loses time on purpose by sleeping.
 *
 * share() is divided among the ranks, repeat() is done by all of them, and extra() only by several ranks. With one rank
 * it is the reference run; with argument N it tells what N ranks lose against it. */
#include <mpi.h>
#include <stdlib.h>
#include <tarry/user.h>

#include "overheads_timing.h"

static const double kWork = 0.6, kExtra = 0.4;

static double sleeps(double seconds) {
  double own = 0;
  TIMED(own, clock_wait_until(clock_now() + seconds));
  return own;
}

int main(int argc, char** argv) {
  int size;
  double repeated, extra = 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  TARRY_REGION_BEGIN("share");
  sleeps(kWork / size);
  TARRY_REGION_END("share");
  TARRY_REGION_BEGIN("repeat");
  repeated = sleeps(kWork / 4);
  TARRY_REGION_END("repeat");
  if (size > 1) {
    TARRY_REGION_BEGIN("extra");
    extra = sleeps(kExtra);
    TARRY_REGION_END("extra");
  }
  MPI_Finalize();
  tell_own("OLOP_REPL", repeated * (size - 1) / size); /* one of them is the work itself */
  tell_own("OADD_ALG", extra);
  write_told();
  return 0;
}
