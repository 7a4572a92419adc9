/* who_ends.c -- ends the program in the way that is asked for; behind a barrier, rank 1 does so first.
 *
 * WAY: all: by MPI_Finalize, all; abort: rank 1 calls MPI_Abort; abort-both: rank 0 too, half a second later; error: a
 * send of rank 1 to a rank that is none, with MPI_ERRORS_ARE_FATAL; handler: the same with a handler that calls
 * MPI_Abort; leave: rank 1 is killed by a signal; sandbox: all enter a sandbox that allows everything. */
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <mpi.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

static void give_up(MPI_Comm* comm, int* error, ...) { MPI_Abort(*comm, *error != MPI_SUCCESS ? 7 : 8); }

static void enter_sandbox(void) {
  struct sock_filter allow = {BPF_RET | BPF_K, 0, 0, SECCOMP_RET_ALLOW};
  struct sock_fprog program = {1, &allow};
  prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
  prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program, 0, 0);
}

int main(int argc, char** argv) {
  int rank, size;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  const char* way = argc > 1 ? argv[1] : "all";
  if (strcmp(way, "handler") == 0) {
    MPI_Errhandler handler;
    MPI_Comm_create_errhandler(give_up, &handler);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, handler);
  }
  MPI_Barrier(MPI_COMM_WORLD);
  if (strcmp(way, "sandbox") == 0) enter_sandbox();
  if (rank == 1 && strncmp(way, "abort", 5) == 0) MPI_Abort(MPI_COMM_WORLD, 3);
  if (rank == 1 && strcmp(way, "leave") == 0) raise(SIGKILL);
  if (rank == 1 && (strcmp(way, "error") == 0 || strcmp(way, "handler") == 0))
    MPI_Send(&rank, 1, MPI_INT, size + 70, 0, MPI_COMM_WORLD);
  if (strcmp(way, "all") != 0 && strcmp(way, "sandbox") != 0) {
    usleep(500000);
    if (strcmp(way, "abort-both") == 0) MPI_Abort(MPI_COMM_WORLD, 4);
    for (;;) sleep(1);
  }
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Finalize();
  return 0;
}
