/* spawn.c -- starts two more processes of itself and talks to them: by operations and messages of every kind, and by a
 * window over the communicator that unites them. */
#include <mpi.h>

/* `is_root`: of the group that a broadcast comes from. */
static void talk(MPI_Comm others, int is_root, int rank) {
  int value = 1, theirs = 0;
  MPI_Comm all;
  MPI_Request request;
  MPI_Win window;
  MPI_Bcast(&value, 1, MPI_INT, !is_root ? 0 : rank == 0 ? MPI_ROOT : MPI_PROC_NULL, others);
  MPI_Isend(&value, 1, MPI_INT, rank, 1, others, &request);
  MPI_Recv(&theirs, 1, MPI_INT, rank, 1, others, MPI_STATUS_IGNORE);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  MPI_Sendrecv(&value, 1, MPI_INT, rank, 2, &theirs, 1, MPI_INT, rank, 2, others, MPI_STATUS_IGNORE);
  MPI_Intercomm_merge(others, !is_root, &all);
  MPI_Ibarrier(all, &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  MPI_Win_create(&value, sizeof value, sizeof value, MPI_INFO_NULL, all, &window);
  MPI_Win_fence(0, window);
  MPI_Get(&theirs, 1, MPI_INT, 0, 0, 1, MPI_INT, window);
  MPI_Win_fence(0, window);
  MPI_Win_free(&window);
  MPI_Comm_free(&all);
}

int main(int argc, char** argv) {
  MPI_Comm parent, children;
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_get_parent(&parent);
  if (parent == MPI_COMM_NULL) {
    MPI_Comm_spawn(argv[0], MPI_ARGV_NULL, 2, MPI_INFO_NULL, 0, MPI_COMM_WORLD, &children, MPI_ERRCODES_IGNORE);
    talk(children, 1, rank);
    MPI_Comm_disconnect(&children);
  } else {
    talk(parent, 0, rank);
    MPI_Comm_disconnect(&parent);
  }
  MPI_Finalize();
  return 0;
}
