/* record_counts.c -- issues every kind of recorded MPI operation and prints how many records it expects of itself.
 *
 * Prints, per rank: EXPECT RANK KIND=COUNT ... Runs on an even number of at least 4 ranks.
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

static const char *const kinds[] = {
    "MPI_SEND", "MPI_ISEND", "MPI_ISEND_COMPLETE", "MPI_IRECV_REQUEST", "MPI_RECV", "MPI_IRECV", "MPI_REQUEST_TEST",
    "MPI_REQUEST_CANCELLED", "MPI_COLLECTIVE_BEGIN", "MPI_COLLECTIVE_END", "NON_BLOCKING_COLLECTIVE_REQUEST",
    "NON_BLOCKING_COLLECTIVE_COMPLETE", "COMM_CREATE", "COMM_DESTROY"};
enum { SEND, ISEND, ISEND_COMPLETE, IRECV_REQUEST, RECV, IRECV, TEST, CANCELLED, BEGIN, END, NBC_REQUEST, NBC_COMPLETE,
       CREATE, DESTROY, KINDS };
static long expected[KINDS];

enum { MANY = 16, LENGTH = 1024 };
static MPI_Comm world;
static int rank, size, next, previous;
static double out[LENGTH], in[LENGTH];
static MPI_Status status;
static MPI_Request requests[2 * MANY + 2];

static void collective(void) { ++expected[BEGIN], ++expected[END]; }
static void receives(int count) { expected[IRECV_REQUEST] += count, expected[IRECV] += count; }
static void sends(int count) { expected[ISEND] += count, expected[ISEND_COMPLETE] += count; }

static void blocking(void) {
  for (int i = 0; i < 10; ++i) {
    if (rank % 2 == 0) MPI_Send(out, 10, MPI_DOUBLE, next, 1, world);
    MPI_Recv(in, 20, MPI_DOUBLE, i % 2 ? previous : MPI_ANY_SOURCE, MPI_ANY_TAG, world, i % 2 ? &status : MPI_STATUS_IGNORE);
    if (rank % 2 == 1) MPI_Send(out, 10, MPI_DOUBLE, next, 1, world);
  }
  MPI_Sendrecv(out, 5, MPI_INT, next, 2, in, 5, MPI_INT, previous, 2, world, MPI_STATUS_IGNORE);
  MPI_Sendrecv_replace(out, 5, MPI_INT, next, 2, previous, 2, world, &status);
  MPI_Sendrecv(out, 5, MPI_INT, MPI_PROC_NULL, 2, in, 5, MPI_INT, MPI_PROC_NULL, 2, world, &status);
  expected[SEND] += 12, expected[RECV] += 12;
}

static void non_blocking(void) {
  for (int i = 0; i < MANY; ++i) {
    MPI_Irecv(in + i, 1, MPI_DOUBLE, previous, 10 + i, world, &requests[i]);
    MPI_Isend(out, 1, MPI_DOUBLE, next, 10 + i, world, &requests[MANY + i]);
  }
  MPI_Irecv(in, 1, MPI_DOUBLE, MPI_PROC_NULL, 0, world, &requests[2 * MANY]);
  MPI_Isend(out, 1, MPI_DOUBLE, MPI_PROC_NULL, 0, world, &requests[2 * MANY + 1]);
  MPI_Waitall(2 * MANY + 2, requests, MPI_STATUSES_IGNORE);
  receives(MANY), sends(MANY);

  /* Handles that moved since they were handed out. */
  for (int i = 0; i < 4; ++i) {
    MPI_Request fresh;
    MPI_Irecv(in + i, 1, MPI_DOUBLE, previous, 30 + i, world, &fresh);
    requests[i] = fresh;
    MPI_Issend(out, 1, MPI_DOUBLE, next, 30 + i, world, &fresh);
    requests[4 + i] = fresh;
  }
  int index, done, indices[8], left = 5;
  for (int i = 0; i < 3; ++i) MPI_Waitany(8, requests, &index, &status);
  for (; left > 0; left -= done) MPI_Waitsome(8, requests, &done, indices, MPI_STATUSES_IGNORE);
  receives(4), sends(4);
}

static void unsuccessful_test(void) {
  if (rank == 0) {
    int flag;
    MPI_Irecv(in, 1, MPI_DOUBLE, 1, 40, world, requests);
    MPI_Test(requests, &flag, &status);
    ++expected[TEST];
  }
  MPI_Barrier(world);
  collective();
  if (rank == 0) MPI_Wait(requests, &status), receives(1);
  if (rank == 1) MPI_Send(out, 1, MPI_DOUBLE, 0, 40, world), ++expected[SEND];
}

/* Whether the cancelled message is gone shows in what is there to receive. */
static void cancelled_send_that_is_freed(void) {
  int is_there;
  MPI_Issend(out, 1, MPI_INT, 0, 54, MPI_COMM_SELF, requests);
  MPI_Probe(0, 54, MPI_COMM_SELF, &status);
  MPI_Cancel(requests);
  MPI_Iprobe(0, 54, MPI_COMM_SELF, &is_there, &status);
  MPI_Request_free(requests);
  ++expected[ISEND], ++expected[is_there ? ISEND_COMPLETE : CANCELLED];
  if (!is_there) return;
  MPI_Recv(in, 1, MPI_INT, 0, 54, MPI_COMM_SELF, &status);
  ++expected[RECV];
}

static void requests_of_other_kinds(void) {
  MPI_Irecv(in, 1, MPI_DOUBLE, previous, 999, world, requests);
  MPI_Cancel(requests);
  MPI_Wait(requests, &status);
  ++expected[IRECV_REQUEST], ++expected[CANCELLED];

  MPI_Send_init(out, 3, MPI_FLOAT, next, 50, world, &requests[0]);
  MPI_Recv_init(in, 3, MPI_FLOAT, previous, 50, world, &requests[1]);
  for (int i = 0; i < 5; ++i) {
    MPI_Startall(2, requests);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
  }
  MPI_Request_free(&requests[0]);
  MPI_Request_free(&requests[1]);
  receives(5), sends(5);

  MPI_Irecv(in, 1, MPI_INT, previous, 51, world, &requests[1]);
  MPI_Isend(out, 1, MPI_INT, next, 51, world, &requests[0]);
  MPI_Request_free(&requests[0]);
  MPI_Wait(&requests[1], &status);
  receives(1), sends(1);

  MPI_Message message;
  int flag = 0;
  MPI_Isend(out, 7, MPI_INT, next, 52, world, &requests[0]);
  MPI_Mprobe(previous, 52, world, &message, &status);
  MPI_Mrecv(in, 7, MPI_INT, &message, &status);
  MPI_Wait(requests, &status);
  ++expected[RECV], sends(1);
  MPI_Isend(out, 7, MPI_INT, next, 53, world, &requests[0]);
  while (!flag) MPI_Improbe(previous, 53, world, &flag, &message, &status);
  MPI_Imrecv(in, 7, MPI_INT, &message, &requests[1]);
  MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
  receives(1), sends(1);
}

static void collectives(void) {
  int *counts = malloc(size * sizeof(int)), *places = malloc(size * sizeof(int)), *offsets = malloc(size * sizeof(int));
  MPI_Datatype *types = malloc(size * sizeof *types);
  for (int i = 0; i < size; ++i) counts[i] = 1, places[i] = i, offsets[i] = 8 * i, types[i] = MPI_DOUBLE;
  MPI_Bcast(out, 4, MPI_DOUBLE, 1, world);
  MPI_Scatter(out, 1, MPI_DOUBLE, in, 1, MPI_DOUBLE, 0, world);
  MPI_Scatterv(out, counts, places, MPI_DOUBLE, in, 1, MPI_DOUBLE, 0, world);
  MPI_Gather(out, 1, MPI_DOUBLE, in, 1, MPI_DOUBLE, 0, world);
  MPI_Gatherv(out, 1, MPI_DOUBLE, in, counts, places, MPI_DOUBLE, 0, world);
  MPI_Reduce(out, in, 2, MPI_DOUBLE, MPI_SUM, 0, world);
  MPI_Allgather(out, 1, MPI_DOUBLE, in, 1, MPI_DOUBLE, world);
  MPI_Allgatherv(out, 1, MPI_DOUBLE, in, counts, places, MPI_DOUBLE, world);
  MPI_Alltoall(out, 1, MPI_DOUBLE, in, 1, MPI_DOUBLE, world);
  MPI_Alltoallv(out, counts, places, MPI_DOUBLE, in, counts, places, MPI_DOUBLE, world);
  MPI_Alltoallw(out, counts, offsets, types, in, counts, offsets, types, world);
  MPI_Allreduce(out, in, 2, MPI_DOUBLE, MPI_SUM, world);
  MPI_Reduce_scatter(out, in, counts, MPI_DOUBLE, MPI_SUM, world);
  MPI_Reduce_scatter_block(out, in, 1, MPI_DOUBLE, MPI_SUM, world);
  MPI_Scan(out, in, 1, MPI_DOUBLE, MPI_SUM, world);
  MPI_Exscan(out, in, 1, MPI_DOUBLE, MPI_SUM, world);
  MPI_Gather(rank == 0 ? MPI_IN_PLACE : out, 1, MPI_DOUBLE, in, 1, MPI_DOUBLE, 0, world);
  MPI_Allgather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, in, 1, MPI_DOUBLE, world);
  MPI_Allreduce(MPI_IN_PLACE, in, 2, MPI_DOUBLE, MPI_SUM, world);
  for (int i = 0; i < 19; ++i) collective();
  MPI_Ibcast(out, 4, MPI_DOUBLE, 1, world, &requests[0]);
  MPI_Iallreduce(out, in, 2, MPI_DOUBLE, MPI_SUM, world, &requests[1]);
  MPI_Ibarrier(world, &requests[2]);
  MPI_Waitall(3, requests, MPI_STATUSES_IGNORE);
  expected[NBC_REQUEST] += 3, expected[NBC_COMPLETE] += 3;
  free(counts), free(places), free(offsets), free(types);
}

static void communicators(void) {
  MPI_Comm copy, half, ring, bridge, merged, later, single, lonely;
  MPI_Group all, first;
  int dims[1] = {size}, periods[1] = {1}, zero = 0;
  MPI_Comm_dup(world, &copy);
  MPI_Comm_split(copy, rank % 2, rank, &half);
  MPI_Cart_create(world, 1, dims, periods, 0, &ring);
  MPI_Intercomm_create(half, 0, world, rank % 2 ? 0 : 1, 7, &bridge);
  MPI_Intercomm_merge(bridge, rank % 2, &merged);
  for (int i = 0; i < 5; ++i) collective();
  MPI_Comm_idup(world, &later, &requests[0]);
  MPI_Wait(requests, &status);
  expected[CREATE] += 6;
  MPI_Comm_group(world, &all);
  MPI_Group_incl(all, 1, &zero, &first);
  MPI_Comm_create(world, first, &single);
  collective();
  if (rank == 0) {
    MPI_Comm_create_group(world, first, 3, &lonely);
    MPI_Comm_free(&lonely);
    MPI_Comm_free(&single);
    collective(), collective(), collective();
    expected[CREATE] += 2, expected[DESTROY] += 2;
  }
  MPI_Neighbor_allgather(out, 1, MPI_DOUBLE, in, 1, MPI_DOUBLE, ring);
  MPI_Ineighbor_alltoall(out, 1, MPI_DOUBLE, in, 1, MPI_DOUBLE, ring, requests);
  MPI_Wait(requests, &status);
  collective();
  expected[NBC_REQUEST] += 2, expected[NBC_COMPLETE] += 2;
  MPI_Bcast(out, 2, MPI_INT, rank % 2 ? 0 : rank == 0 ? MPI_ROOT : MPI_PROC_NULL, bridge);
  MPI_Allreduce(out, in, 1, MPI_INT, MPI_SUM, bridge);
  MPI_Barrier(later);
  MPI_Barrier(merged);
  MPI_Bcast(out, 1, MPI_INT, 0, MPI_COMM_SELF);
  for (int i = 0; i < 5; ++i) collective();
  MPI_Sendrecv(out, 1, MPI_INT, rank / 2, 3, in, 1, MPI_INT, rank / 2, 3, bridge, &status);
  ++expected[SEND], ++expected[RECV];
  MPI_Comm *made[] = {&bridge, &merged, &half, &copy, &ring, &later};
  for (int i = 0; i < 6; ++i) {
    MPI_Comm_free(made[i]);
    collective();
    ++expected[DESTROY];
  }
  MPI_Group_free(&first);
  MPI_Group_free(&all);
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  world = MPI_COMM_WORLD;
  MPI_Comm_rank(world, &rank);
  MPI_Comm_size(world, &size);
  next = (rank + 1) % size, previous = (rank + size - 1) % size;
  blocking();
  non_blocking();
  unsuccessful_test();
  cancelled_send_that_is_freed();
  requests_of_other_kinds();
  collectives();
  communicators();
  char line[LENGTH];
  int used = snprintf(line, sizeof line, "EXPECT %d", rank);
  for (int k = 0; k < KINDS; ++k) used += snprintf(line + used, sizeof line - used, " %s=%ld", kinds[k], expected[k]);
  puts(line);
  MPI_Finalize();
  return 0;
}
