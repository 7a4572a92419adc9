/* worlds.c -- programs whose processes come from several worlds.
 *
 * usage: worlds CASE (2 processes), where CASE is
 *   late     two children wait 0.2 s for a message of their parents', after these have waited for them for 0.02 s
 *   each     each process starts a child of its own, at the same time as the other
 *   deep     a child starts a child, and all three generations stand in one communicator
 *   meet     parents and children connect at a port, and by MPI_Intercomm_create over the communicator that unites them
 *   strange  children of two spawns, who have not met, connect at a port and over a socket; each of them waits there
 *            0.2 s for a message, in MPI_Wait
 *   half     the same, and a wrapper starts the one that connects without LD_PRELOAD
 *   wrapped  children that a wrapper starts without LD_PRELOAD
 *   mixed    one child that a wrapper starts without LD_PRELOAD beside one without a wrapper
 * Each process says "CASE GENERATION: done" at its end. TARRY_TEST_STRETCH=N makes the times N times as long: on a busy
 * machine what comes late by chance weighs less then. */
#include <arpa/inet.h>
#include <mpi.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

static const char* kind;
static char* program;

static void rest(int microseconds) {
  const char* stretch = getenv("TARRY_TEST_STRETCH");
  usleep(microseconds * (stretch ? atoi(stretch) : 1));
}

static int rank_in(MPI_Comm comm) {
  int rank;
  MPI_Comm_rank(comm, &rank);
  return rank;
}

static MPI_Comm spawn(const char* what, int count, MPI_Comm comm) {
  char* arguments[] = {(char*)what, NULL};
  MPI_Comm children;
  MPI_Comm_spawn(program, arguments, count, MPI_INFO_NULL, 0, comm, &children, MPI_ERRCODES_IGNORE);
  return children;
}

/* One of count - 1 processes sends to the last one, then all add up. */
static void talk(MPI_Comm comm) {
  int size, i, value = 1, sum = 0;
  MPI_Comm_size(comm, &size);
  if (rank_in(comm) == size - 1) {
    for (i = 0; i < size - 1; ++i) MPI_Recv(&value, 1, MPI_INT, i, 1, comm, MPI_STATUS_IGNORE);
  } else {
    MPI_Send(&value, 1, MPI_INT, size - 1, 1, comm);
  }
  MPI_Allreduce(&value, &sum, 1, MPI_INT, MPI_SUM, comm);
  if (sum != size) MPI_Abort(comm, 3);
}

static void unite_and_talk(MPI_Comm others, int is_child) {
  MPI_Comm all;
  MPI_Intercomm_merge(others, is_child, &all);
  talk(all);
  MPI_Comm_free(&all);
}

static void be_late(MPI_Comm others, int is_child) {
  int value = 7;
  if (is_child) {
    rest(20000);
    MPI_Send(&value, 1, MPI_INT, rank_in(others), 3, others);
    MPI_Recv(&value, 1, MPI_INT, rank_in(others), 2, others, MPI_STATUS_IGNORE);
  } else {
    MPI_Recv(&value, 1, MPI_INT, rank_in(others), 3, others, MPI_STATUS_IGNORE);
    rest(200000);
    MPI_Send(&value, 1, MPI_INT, rank_in(others), 2, others);
  }
}

static void meet(MPI_Comm others, int is_child) {
  char port[MPI_MAX_PORT_NAME] = "";
  MPI_Comm met, all;
  MPI_Intercomm_merge(others, is_child, &all);
  if (rank_in(all) == 0) MPI_Open_port(MPI_INFO_NULL, port);
  MPI_Bcast(port, MPI_MAX_PORT_NAME, MPI_CHAR, 0, all);
  if (is_child)
    MPI_Comm_connect(port, MPI_INFO_NULL, 0, MPI_COMM_WORLD, &met);
  else
    MPI_Comm_accept(port, MPI_INFO_NULL, 0, MPI_COMM_WORLD, &met);
  unite_and_talk(met, is_child);
  MPI_Comm_disconnect(&met);
  if (rank_in(all) == 0) MPI_Close_port(port);
  MPI_Intercomm_create(MPI_COMM_WORLD, 0, all, is_child ? 0 : 2, 3, &met);
  unite_and_talk(met, is_child);
  MPI_Comm_free(&met);
  MPI_Comm_free(&all);
}

/* The first world starts a second one; united, they start a third one. */
static void go_deeper(MPI_Comm parent) {
  const int is_last = strcmp(kind, "deepest") == 0;
  MPI_Comm others = parent, both, all;
  if (parent == MPI_COMM_NULL) others = spawn("deeper", 1, MPI_COMM_WORLD);
  MPI_Intercomm_merge(others, parent != MPI_COMM_NULL, &both);
  talk(both);  /* for the last world that is everybody */
  if (!is_last) {
    MPI_Comm last = spawn("deepest", 1, both);
    MPI_Intercomm_merge(last, 0, &all);
    talk(all);
    MPI_Comm_free(&all);
    MPI_Comm_disconnect(&last);
  }
  MPI_Comm_free(&both);
  MPI_Comm_disconnect(&others);
}

/* Over a socket that the first one opens. */
static int connect_sockets(MPI_Comm met, int is_first) {
  struct sockaddr_in address;
  socklen_t length = sizeof address;
  int made = socket(AF_INET, SOCK_STREAM, 0), taken;
  memset(&address, 0, sizeof address);
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  if (is_first) {
    bind(made, (struct sockaddr*)&address, sizeof address);
    listen(made, 1);
    getsockname(made, (struct sockaddr*)&address, &length);
    MPI_Send(&address.sin_port, 2, MPI_BYTE, 0, 8, met);
    taken = accept(made, NULL, NULL);
    close(made);
    return taken;
  }
  MPI_Recv(&address.sin_port, 2, MPI_BYTE, 0, 8, met, MPI_STATUS_IGNORE);
  if (connect(made, (struct sockaddr*)&address, sizeof address) != 0) MPI_Abort(MPI_COMM_WORLD, 3);
  return made;
}

static void wait_for_each_other(MPI_Comm met, int is_first) {
  int value = 7, theirs;
  MPI_Request request;
  MPI_Sendrecv(&value, 1, MPI_INT, 0, 4, &theirs, 1, MPI_INT, 0, 4, met, MPI_STATUS_IGNORE);
  if (is_first) {
    rest(200000);
    MPI_Send(&value, 1, MPI_INT, 0, 5, met);
  } else {
    MPI_Irecv(&theirs, 1, MPI_INT, 0, 5, met, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
  }
}

/* The parents hand the port on. */
static void be_strange(MPI_Comm parent) {
  char port[MPI_MAX_PORT_NAME] = "";
  MPI_Comm met, joined;
  int is_first, socket_of_both;
  MPI_Recv(&is_first, 1, MPI_INT, 0, 6, parent, MPI_STATUS_IGNORE);
  if (is_first) {
    MPI_Open_port(MPI_INFO_NULL, port);
    MPI_Send(port, MPI_MAX_PORT_NAME, MPI_CHAR, 0, 6, parent);
    MPI_Comm_accept(port, MPI_INFO_NULL, 0, MPI_COMM_WORLD, &met);
  } else {
    MPI_Recv(port, MPI_MAX_PORT_NAME, MPI_CHAR, 0, 6, parent, MPI_STATUS_IGNORE);
    MPI_Comm_connect(port, MPI_INFO_NULL, 0, MPI_COMM_WORLD, &met);
  }
  wait_for_each_other(met, is_first);
  unite_and_talk(met, !is_first);
  socket_of_both = connect_sockets(met, is_first);
  MPI_Comm_join(socket_of_both, &joined);
  wait_for_each_other(joined, !is_first);
  unite_and_talk(joined, is_first);
  MPI_Comm_disconnect(&joined);
  close(socket_of_both);
  MPI_Comm_disconnect(&met);
  if (is_first) MPI_Close_port(port);
}

static void bring_together(MPI_Comm children[2]) {
  char port[MPI_MAX_PORT_NAME];
  int i;
  if (rank_in(children[0]) != 0) return;
  for (i = 0; i < 2; ++i) {
    int is_first = i == 0;
    MPI_Send(&is_first, 1, MPI_INT, 0, 6, children[i]);
  }
  MPI_Recv(port, MPI_MAX_PORT_NAME, MPI_CHAR, 0, 6, children[0], MPI_STATUS_IGNORE);
  MPI_Send(port, MPI_MAX_PORT_NAME, MPI_CHAR, 0, 6, children[1]);
}

static void start_strangers(int is_half) {
  char* wrapped[] = {"-u", "LD_PRELOAD", program, (char*)kind, NULL};
  MPI_Comm children[2];
  int i;
  children[0] = spawn(kind, 1, MPI_COMM_WORLD);
  if (is_half)
    MPI_Comm_spawn("env", wrapped, 1, MPI_INFO_NULL, 0, MPI_COMM_WORLD, &children[1], MPI_ERRCODES_IGNORE);
  else
    children[1] = spawn(kind, 1, MPI_COMM_WORLD);
  bring_together(children);
  for (i = 0; i < 2; ++i) MPI_Comm_disconnect(&children[i]);
}

static void wrap(int is_mixed) {
  char* commands[] = {"env", program};
  char* wrapped[] = {"-u", "LD_PRELOAD", program, (char*)kind, NULL};
  char* plain[] = {(char*)kind, NULL};
  char** arguments[] = {wrapped, plain};
  int counts[] = {is_mixed ? 1 : 2, 1};
  MPI_Info infos[] = {MPI_INFO_NULL, MPI_INFO_NULL};
  MPI_Comm children;
  MPI_Comm_spawn_multiple(is_mixed ? 2 : 1, commands, arguments, counts, infos, 0, MPI_COMM_WORLD, &children,
                          MPI_ERRCODES_IGNORE);
  unite_and_talk(children, 0);
  MPI_Comm_disconnect(&children);
}

static void run_parent(void) {
  MPI_Comm children;
  if (strcmp(kind, "deep") == 0) {
    go_deeper(MPI_COMM_NULL);
  } else if (strcmp(kind, "wrapped") == 0 || strcmp(kind, "mixed") == 0) {
    wrap(strcmp(kind, "mixed") == 0);
  } else if (strcmp(kind, "strange") == 0 || strcmp(kind, "half") == 0) {
    start_strangers(strcmp(kind, "half") == 0);
  } else {
    const int is_each = strcmp(kind, "each") == 0;
    children = spawn(kind, is_each ? 1 : 2, is_each ? MPI_COMM_SELF : MPI_COMM_WORLD);
    if (strcmp(kind, "late") == 0) be_late(children, 0);
    if (strcmp(kind, "meet") == 0) meet(children, 0);
    unite_and_talk(children, 0);
    MPI_Comm_disconnect(&children);
  }
}

static void run_child(MPI_Comm parent) {
  if (strncmp(kind, "deep", 4) == 0) {
    go_deeper(parent);
    return;
  }
  if (strcmp(kind, "strange") == 0 || strcmp(kind, "half") == 0) {
    be_strange(parent);
    MPI_Comm_disconnect(&parent);
    return;
  }
  if (strcmp(kind, "late") == 0) be_late(parent, 1);
  if (strcmp(kind, "meet") == 0) meet(parent, 1);
  unite_and_talk(parent, 1);
  MPI_Comm_disconnect(&parent);
}

int main(int argc, char** argv) {
  MPI_Comm parent;
  MPI_Init(&argc, &argv);
  kind = argc > 1 ? argv[1] : "";
  program = argv[0];
  MPI_Comm_get_parent(&parent);
  if (parent == MPI_COMM_NULL)
    run_parent();
  else
    run_child(parent);
  MPI_Finalize();
  printf("%s %s: done\n", kind, parent == MPI_COMM_NULL ? "parent" : "child");
  return 0;
}
