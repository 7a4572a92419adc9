// unreceived.c -- rank 0 sends three messages that rank 1 never receives, beside one that it does. With an argument
// rank 1 is killed then.
#include <mpi.h>
#include <signal.h>

int main(int argc, char** argv) {
  int rank = 0, value = 0;
  MPI_Request request;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0) {
    for (int i = 0; i < 3; ++i) {
      MPI_Isend(&value, 1, MPI_INT, 1, 7, MPI_COMM_WORLD, &request);
      MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
    MPI_Send(&value, 1, MPI_INT, 1, 8, MPI_COMM_WORLD);
  } else if (rank == 1) {
    MPI_Recv(&value, 1, MPI_INT, 0, 8, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (argc > 1) raise(SIGKILL);
  }
  MPI_Finalize();
  return 0;
}
