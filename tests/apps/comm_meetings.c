/* comm_meetings.c -- two groups of one job meet in every way that MPI has, and talk to each other.
 *
 * usage: comm_meetings (4 processes)
 *
 * The groups are {0, 3} and {1, 2}, so that ranks and order differ. Each of the communicators below carries three
 * messages from every process to its partner, and as many operations of all:
 *   MPI_Intercomm_create, MPI_Comm_dup of it, two of MPI_Comm_idup one after the other (at once, they wait for each
 *   other in Open MPI 4.1), MPI_Comm_idup of a duplicate, MPI_Comm_idup of MPI_COMM_WORLD, MPI_Intercomm_merge,
 *   MPI_Comm_accept and MPI_Comm_connect, and MPI_Comm_join of 0 and 1. */
#include <arpa/inet.h>
#include <mpi.h>
#include <netinet/in.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum { kMessages = 3 };

static int rank;

/* With rank `partner` of the other group, or of the same. */
static void talk(MPI_Comm comm, int partner) {
  int value = rank, theirs = -1, is_inter = 0, i;
  MPI_Request request;
  MPI_Comm_test_inter(comm, &is_inter);
  for (i = 0; i < kMessages; ++i) {
    MPI_Isend(&value, 1, MPI_INT, partner, i, comm, &request);
    MPI_Recv(&theirs, 1, MPI_INT, partner, i, comm, MPI_STATUS_IGNORE);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
  }
  MPI_Barrier(comm);
  MPI_Allreduce(&value, &theirs, 1, MPI_INT, MPI_SUM, comm);
  MPI_Ibarrier(comm, &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
}

static void duplicate(MPI_Comm comm, MPI_Comm* made) {
  MPI_Request request;
  MPI_Comm_idup(comm, made, &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
}

static void meet_at_port(MPI_Comm own, int is_first, int partner) {
  char port[MPI_MAX_PORT_NAME] = "";
  MPI_Comm met;
  if (rank == 0) {
    MPI_Open_port(MPI_INFO_NULL, port);
    MPI_Send(port, MPI_MAX_PORT_NAME, MPI_CHAR, 1, 9, MPI_COMM_WORLD);
  }
  if (rank == 1) MPI_Recv(port, MPI_MAX_PORT_NAME, MPI_CHAR, 0, 9, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  if (is_first)
    MPI_Comm_accept(port, MPI_INFO_NULL, 0, own, &met);
  else
    MPI_Comm_connect(port, MPI_INFO_NULL, 0, own, &met);
  talk(met, partner);
  MPI_Comm_disconnect(&met);
  if (rank == 0) MPI_Close_port(port);
}

static int connect_sockets(void) {
  struct sockaddr_in address;
  socklen_t length = sizeof address;
  int made = socket(AF_INET, SOCK_STREAM, 0), taken;
  memset(&address, 0, sizeof address);
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  if (rank == 0) {
    bind(made, (struct sockaddr*)&address, sizeof address);
    listen(made, 1);
    getsockname(made, (struct sockaddr*)&address, &length);
    MPI_Send(&address.sin_port, 2, MPI_BYTE, 1, 8, MPI_COMM_WORLD);
    taken = accept(made, NULL, NULL);
    close(made);
    return taken;
  }
  MPI_Recv(&address.sin_port, 2, MPI_BYTE, 0, 8, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  if (connect(made, (struct sockaddr*)&address, sizeof address) != 0) MPI_Abort(MPI_COMM_WORLD, 3);
  return made;
}

int main(int argc, char** argv) {
  int is_first, own_rank, i;
  MPI_Comm own, inter, more[5], merged, joined;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  is_first = rank == 0 || rank == 3;
  MPI_Comm_split(MPI_COMM_WORLD, is_first, rank, &own);
  MPI_Comm_rank(own, &own_rank);
  MPI_Intercomm_create(own, 0, MPI_COMM_WORLD, is_first ? 1 : 0, 4, &inter);
  talk(inter, 1 - own_rank);
  MPI_Comm_dup(inter, &more[0]);
  duplicate(inter, &more[1]);
  duplicate(inter, &more[2]);
  duplicate(more[1], &more[3]);
  duplicate(MPI_COMM_WORLD, &more[4]);
  for (i = 0; i < 4; ++i) talk(more[i], own_rank);
  talk(more[4], 3 - rank);
  MPI_Intercomm_merge(inter, is_first, &merged);
  MPI_Comm_rank(merged, &i);
  talk(merged, 3 - i);
  meet_at_port(own, is_first, 1 - own_rank);
  if (rank < 2) {
    int descriptor = connect_sockets();
    MPI_Comm_join(descriptor, &joined);
    close(descriptor);
    if (joined != MPI_COMM_NULL) {
      talk(joined, 0);
      MPI_Comm_disconnect(&joined);
    }
  }
  for (i = 0; i < 5; ++i) MPI_Comm_free(&more[i]);
  MPI_Comm_free(&merged);
  MPI_Comm_free(&inter);
  MPI_Comm_free(&own);
  MPI_Finalize();
  puts("met");
  return 0;
}
