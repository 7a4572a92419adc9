/* persistent_requests.c -- requests that are started again and again, of every kind, and in every state.
 *
 * usage: persistent_requests COUNT INTEGERS (2 processes)
 *
 * Rank 0 sends, rank 1 receives: COUNT messages of so many integers with each of MPI_Send_init, MPI_Ssend_init,
 * MPI_Rsend_init and MPI_Bsend_init, started and completed in turns by different functions. Inactive requests stand in
 * the lists beside them; some are freed while their send is still on its way, one receive is cancelled, two are freed
 * before their messages are sent, and a generalised request is among those waited for. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { kKinds = 4 };

static int rank, count, integers;
static int* data;

static int query(void* state, MPI_Status* status) {
  (void)state;
  MPI_Status_set_elements(status, MPI_INT, 1);
  MPI_Status_set_cancelled(status, 0);
  status->MPI_SOURCE = status->MPI_TAG = MPI_UNDEFINED;
  return MPI_SUCCESS;
}
static int forget(void* state) {
  (void)state;
  return MPI_SUCCESS;
}
static int cancel(void* state, int is_complete) {
  (void)state;
  (void)is_complete;
  return MPI_SUCCESS;
}

static void make(int kind, MPI_Request* request) {
  int* own = data + kind * integers;
  if (rank == 1)
    MPI_Recv_init(own, integers, MPI_INT, 0, kind, MPI_COMM_WORLD, request);
  else if (kind == 0)
    MPI_Send_init(own, integers, MPI_INT, 1, kind, MPI_COMM_WORLD, request);
  else if (kind == 1)
    MPI_Ssend_init(own, integers, MPI_INT, 1, kind, MPI_COMM_WORLD, request);
  else if (kind == 2)
    MPI_Rsend_init(own, integers, MPI_INT, 1, kind, MPI_COMM_WORLD, request);
  else
    MPI_Bsend_init(own, integers, MPI_INT, 1, kind, MPI_COMM_WORLD, request);
}

/* The receive of a ready send must be there. */
static void start(int kind, MPI_Request* request, int turn) {
  if (kind == 2 && rank == 0) MPI_Recv(NULL, 0, MPI_INT, 1, 99, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  if (turn % 2)
    MPI_Start(request);
  else
    MPI_Startall(1, request);
  if (kind == 2 && rank == 1) MPI_Send(NULL, 0, MPI_INT, 0, 99, MPI_COMM_WORLD);
}

/* `list` holds the request and an inactive one. */
static void complete(MPI_Request list[2], int turn) {
  int index = MPI_UNDEFINED, flag = 0, done = 0, indices[2];
  MPI_Status statuses[2];
  switch (turn % 6) {
    case 0: MPI_Wait(&list[0], MPI_STATUS_IGNORE); break;
    case 1: MPI_Waitall(2, list, statuses); break;
    case 2: MPI_Waitany(2, list, &index, &statuses[0]); break;
    case 3:
      while (!flag) MPI_Test(&list[0], &flag, &statuses[0]);
      break;
    case 4:
      while (!flag) MPI_Testany(2, list, &index, &flag, &statuses[0]);
      break;
    default:
      while (done != 1) MPI_Testsome(2, list, &done, indices, statuses);
  }
}

/* Rank 1 never learns what it has received here, but MPI does receive it; one of the requests is persistent. */
static void free_active_receives(void) {
  int i;
  for (i = 0; i < 2; ++i) {
    MPI_Request request;
    if (rank == 0) {
      MPI_Recv(NULL, 0, MPI_INT, 1, 98, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      MPI_Send(&count, 1, MPI_INT, 1, 200 + i, MPI_COMM_WORLD);
      continue;
    }
    if (i == 0)
      MPI_Irecv(data, 1, MPI_INT, MPI_ANY_SOURCE, 200 + i, MPI_COMM_WORLD, &request);
    else
      MPI_Recv_init(data, 1, MPI_INT, 0, 200 + i, MPI_COMM_WORLD, &request);
    if (i == 1) MPI_Start(&request);
    MPI_Request_free(&request);
    MPI_Send(NULL, 0, MPI_INT, 0, 98, MPI_COMM_WORLD);
  }
}

int main(int argc, char** argv) {
  MPI_Request list[2], general[2];
  int kind, turn, flag, size;
  void* buffer;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  count = argc > 1 ? atoi(argv[1]) : 12;
  integers = argc > 2 ? atoi(argv[2]) : 4096;
  size = (count + 2) * (integers * (int)sizeof *data + MPI_BSEND_OVERHEAD);
  buffer = malloc((size_t)size);
  data = calloc((size_t)(kKinds * integers), sizeof *data);
  MPI_Buffer_attach(buffer, size);
  MPI_Recv_init(&flag, 1, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD, &list[1]);
  for (kind = 0; kind < kKinds; ++kind) {
    make(kind, &list[0]);
    MPI_Test(&list[0], &flag, MPI_STATUS_IGNORE); /* it is not active: true at once */
    for (turn = 0; turn < count; ++turn) {
      start(kind, &list[0], turn);
      complete(list, turn);
    }
    if (rank == 0 && kind != 2) { /* one more, which is freed on its way */
      MPI_Start(&list[0]);
      MPI_Request_free(&list[0]);
    } else if (rank == 1 && kind != 2) {
      MPI_Start(&list[0]);
      MPI_Wait(&list[0], MPI_STATUS_IGNORE);
    }
    if (list[0] != MPI_REQUEST_NULL) MPI_Request_free(&list[0]);
  }
  /* A receive that is cancelled, and a request that is none of MPI's beside one that is. */
  if (rank == 1) {
    MPI_Recv_init(data, integers, MPI_INT, 0, 77, MPI_COMM_WORLD, &general[0]);
    MPI_Start(&general[0]);
    MPI_Cancel(&general[0]);
    MPI_Wait(&general[0], MPI_STATUS_IGNORE);
    MPI_Request_free(&general[0]);
    MPI_Irecv(data, integers, MPI_INT, 0, 0, MPI_COMM_WORLD, &general[0]);
  } else {
    MPI_Isend(data, integers, MPI_INT, 1, 0, MPI_COMM_WORLD, &general[0]);
  }
  MPI_Grequest_start(query, forget, cancel, NULL, &general[1]);
  MPI_Grequest_complete(general[1]);
  MPI_Waitall(2, general, MPI_STATUSES_IGNORE);
  MPI_Request_free(&list[1]);
  free_active_receives();
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Buffer_detach(&buffer, &size);
  free(buffer);
  free(data);
  MPI_Finalize();
  puts("done");
  return 0;
}
