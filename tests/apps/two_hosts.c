/* two_hosts.c -- rank 0 waits 40 times for a message of rank 1, then 1 for 0, then 0 for 1 at barriers; 20 ms each. */
#include <mpi.h>
#include <time.h>

enum { kRounds = 40 };

static void pause_20_ms(void) {
  struct timespec length = {0, 20 * 1000 * 1000};
  nanosleep(&length, NULL);
}

int main(int argc, char** argv) {
  int rank, value = 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  for (int sender = 1; sender >= 0; --sender)
    for (int i = 0; i < kRounds; ++i) {
      MPI_Barrier(MPI_COMM_WORLD);
      if (rank == sender) {
        pause_20_ms();
        MPI_Send(&value, 1, MPI_INT, 1 - rank, i, MPI_COMM_WORLD);
      } else {
        MPI_Recv(&value, 1, MPI_INT, sender, i, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      }
    }
  for (int i = 0; i < kRounds; ++i) {
    if (rank == 1) pause_20_ms();
    MPI_Barrier(MPI_COMM_WORLD);
  }
  MPI_Finalize();
  return 0;
}
