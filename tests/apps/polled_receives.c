/* polled_receives.c -- rank 1 receives in each of the ways in which a program can poll for a message. Run with 2 ranks.
 *
 * Rank 0 computes for 60 ms and sends the time at which it does. Rank 1 prints for each way how long it has polled until
 * then: that is its Late Sender time, and the delay is rank 0's main(). In the way "overlap" rank 1 computes itself and
 * tests now and then: it never waits. In "half" it polls after it has computed for 30 ms. In others it sleeps between
 * its calls: that is waiting, too. In "works_and_naps" it computes most of the time, and does not wait.
 *
 * The second number is the processor time that it has polled, and the time that it wanted to sleep. The waits are that
 * long even where the machine is busy. */
#include <stdio.h>
#include <string.h>

#include "polling.h"

static double message;

static void post(void) { MPI_Irecv(&message, 1, MPI_DOUBLE, 0, 0, MPI_COMM_WORLD, &request[0]); }

__attribute__((noinline)) static void blocking(void) {
  MPI_Recv(&message, 1, MPI_DOUBLE, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

__attribute__((noinline)) static void iprobe(void) {
  for (int flag = 0; !flag;) MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE);
  blocking();
}

/* As libraries receive a message of unknown length. */
__attribute__((noinline)) static void iprobe_count(void) {
  MPI_Status status;
  int count;
  for (int flag = 0; !flag;) MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &flag, &status);
  MPI_Get_count(&status, MPI_DOUBLE, &count);
  MPI_Recv(&message, count, MPI_DOUBLE, status.MPI_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

__attribute__((noinline)) static void improbe(void) {
  MPI_Message handle;
  for (int flag = 0; !flag;) MPI_Improbe(0, 0, MPI_COMM_WORLD, &flag, &handle, MPI_STATUS_IGNORE);
  MPI_Mrecv(&message, 1, MPI_DOUBLE, &handle, MPI_STATUS_IGNORE);
}

__attribute__((noinline)) static void persistent(void) {
  MPI_Recv_init(&message, 1, MPI_DOUBLE, 0, 0, MPI_COMM_WORLD, &request[0]);
  MPI_Start(&request[0]);
  poll_by_test();
  MPI_Request_free(&request[0]);
}

/* Call paths tell the ways apart. */
#define WAY(name, poll)                              \
  __attribute__((noinline)) static void name(void) { \
    post();                                          \
    poll();                                          \
  }
WAY(test, poll_by_test)
WAY(testany, poll_by_testany)
WAY(testsome, poll_by_testsome)
WAY(testall, poll_by_testall)
WAY(get_status, poll_by_get_status)
WAY(overlap, poll_while_computing)
WAY(half, compute_and_poll)
WAY(sleeping, poll_and_sleep)
WAY(napping, poll_and_nap)
WAY(works_and_naps, poll_while_working)

__attribute__((noinline)) static void iprobe_sleeping(void) {
  for (int flag = 0; !flag;) {
    MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE);
    if (!flag) nap(0.001);
  }
  MPI_Recv(&message, 1, MPI_DOUBLE, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

/* The other message is there already. */
__attribute__((noinline)) static void get_status_of_two(void) {
  double sent = 1, received;
  MPI_Irecv(&received, 1, MPI_DOUBLE, 0, 0, MPI_COMM_SELF, &request[1]);
  MPI_Send(&sent, 1, MPI_DOUBLE, 0, 0, MPI_COMM_SELF);
  post();
  for (int flag = 0; !flag;) MPI_Request_get_status(request[0], &flag, MPI_STATUS_IGNORE);
  MPI_Waitall(2, request, MPI_STATUSES_IGNORE);
}

static const struct {
  const char* name;
  void (*receive)(void);
} ways[] = {{"blocking", blocking}, {"iprobe", iprobe},   {"iprobe_count", iprobe_count},
            {"improbe", improbe},   {"test", test},
            {"testany", testany},   {"testsome", testsome}, {"testall", testall},     {"get_status", get_status},
            {"get_status_of_two", get_status_of_two},
            {"persistent", persistent}, {"overlap", overlap}, {"half", half},
            {"sleeping", sleeping}, {"napping", napping}, {"iprobe_sleeping", iprobe_sleeping},
            {"works_and_naps", works_and_naps}};

int main(int argc, char** argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  for (unsigned way = 0; way < sizeof ways / sizeof *ways; ++way) {
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0) {
      compute(0.06);
      const double sent = seconds(CLOCK_MONOTONIC);
      MPI_Send(&sent, 1, MPI_DOUBLE, 1, 0, MPI_COMM_WORLD);
    } else if (rank == 1) {
      start_to_poll();
      ways[way].receive();
      const double cpu = polled_time();
      const int waits = strcmp(ways[way].name, "overlap") != 0 && strcmp(ways[way].name, "works_and_naps") != 0;
      printf("%s %.6f %.6f\n", ways[way].name, waits ? message - polled_from : 0, waits ? cpu : 0);
    }
  }
  MPI_Finalize();
  return 0;
}
