/* mpi_errors.c -- calls with wrong arguments, and what MPI-3.1 allows although it looks wrong; the program goes on.
 *
 * usage: mpi_errors (2 processes, or more)
 *
 * Error handlers of the program's own count how often they are called. Rank 0 prints one line for each call: its name,
 * how often a handler was called, and the class of the error. Right messages and collective operations in between must
 * be matched by an analysis as if the wrong calls had never been made. */
#include <mpi.h>
#include <stdio.h>
#include <string.h>

static int rank, size, handled;

static void count_comm(MPI_Comm* comm, int* code, ...) {
  char text[MPI_MAX_ERROR_STRING];
  int length;
  (void)comm;
  MPI_Error_string(*code, text, &length); /* a call within the call that failed */
  ++handled;
}
static void count_window(MPI_Win* window, int* code, ...) {
  (void)window;
  (void)code;
  ++handled;
}
static void count_file(MPI_File* file, int* code, ...) {
  (void)file;
  (void)code;
  ++handled;
}

static void say(const char* name, int outcome) {
  int class = -1;
  if (outcome >= 0) MPI_Error_class(outcome, &class);
  if (rank == 0) printf("%s: handled %d, class %d\n", name, handled, class);
  fflush(stdout);
  handled = 0;
}

#define TRY(call) say(#call, call)

/* A message to the next process and an operation of all. */
static void go_on(MPI_Comm comm) {
  int value = 0, sum = 0, right = (rank + 1) % size, left = (rank + size - 1) % size;
  MPI_Sendrecv(&rank, 1, MPI_INT, right, 7, &value, 1, MPI_INT, left, 7, comm, MPI_STATUS_IGNORE);
  MPI_Allreduce(&value, &sum, 1, MPI_INT, MPI_SUM, comm);
  if (sum != size * (size - 1) / 2) printf("rank %d: wrong sum %d\n", rank, sum);
}

static void try_messages(MPI_Comm comm) {
  static int x[100000], y[4]; /* too many for Open MPI to send without a buffer */
  char text[8] = "", same[8] = "";
  MPI_Request request = MPI_REQUEST_NULL;
  MPI_Status status;
  MPI_Datatype raw;
  MPI_Type_contiguous(2, MPI_INT, &raw); /* not committed */
  TRY(MPI_Send(x, 1, MPI_DATATYPE_NULL, 0, 0, comm));
  TRY(MPI_Send(x, 1, MPI_INT, 99, 0, comm));
  TRY(MPI_Send(x, 1, MPI_INT, -7, 0, comm));
  TRY(MPI_Send(x, -1, MPI_INT, 0, 0, comm));
  TRY(MPI_Send(x, 1, MPI_INT, 0, -5, comm));
  TRY(MPI_Send(x, 1, raw, 0, 0, comm));
  TRY(MPI_Send(NULL, 1, MPI_INT, 0, 0, comm));
  TRY(MPI_Ssend(x, 1, MPI_INT, 99, 0, comm));
  TRY(MPI_Bsend(x, 1, MPI_INT, 99, 0, comm));
  TRY(MPI_Rsend(x, 1, MPI_DATATYPE_NULL, 0, 0, comm));
  TRY(MPI_Bsend(x, 100000, MPI_INT, 0, 0, MPI_COMM_SELF)); /* no buffer is attached */
  TRY(MPI_Ibsend(x, 100000, MPI_INT, 0, 0, MPI_COMM_SELF, &request));
  TRY(MPI_Isend(x, 1, MPI_DATATYPE_NULL, 0, 0, comm, &request));
  TRY(MPI_Isend(x, 1, MPI_INT, 99, 0, comm, &request));
  TRY(MPI_Isend(x, 1, raw, 0, 0, comm, &request));
  TRY(MPI_Isend(x, 1, MPI_INT, 0, 0, comm, NULL));
  TRY(MPI_Irecv(x, 1, MPI_DATATYPE_NULL, 0, 0, comm, &request));
  TRY(MPI_Irecv(x, 1, MPI_INT, 99, 0, comm, &request));
  TRY(MPI_Irecv(x, 1, MPI_INT, 0, 0, comm, NULL));
  TRY(MPI_Recv(x, 1, MPI_INT, 99, 0, comm, MPI_STATUS_IGNORE));
  TRY(MPI_Recv(x, 1, MPI_DATATYPE_NULL, 0, 0, comm, &status));
  TRY(MPI_Sendrecv(x, 1, MPI_INT, 99, 0, y, 1, MPI_INT, 0, 0, comm, &status));
  TRY(MPI_Sendrecv(x, 1, MPI_DATATYPE_NULL, MPI_PROC_NULL, 0, y, 1, MPI_INT, MPI_PROC_NULL, 0, comm, &status));
  TRY(MPI_Sendrecv_replace(x, 1, MPI_DATATYPE_NULL, 0, 0, 0, 0, comm, &status));
  TRY(MPI_Send_init(x, 1, MPI_DATATYPE_NULL, 0, 0, comm, &request));
  TRY(MPI_Send_init(x, 1, MPI_INT, 99, 0, comm, &request));
  TRY(MPI_Bsend_init(x, 1, MPI_INT, 0, 0, comm, NULL));
  TRY(MPI_Recv_init(x, 1, MPI_DATATYPE_NULL, 0, 0, comm, &request));
  TRY(MPI_Probe(99, 0, comm, MPI_STATUS_IGNORE));
  TRY(MPI_Mprobe(99, 0, comm, NULL, &status));
  MPI_Type_free(&raw);
  /* No MPI function wrote these. */
  memset(&status, 7, sizeof status);
  memcpy(text, &status, sizeof text);
  TRY(MPI_Test(NULL, x, &status));
  TRY(MPI_Wait(NULL, &status));
  memcpy(same, &status, sizeof same);
  if (memcmp(text, same, sizeof text) != 0) printf("rank %d: a status was written\n", rank);
}

static void try_requests(void) {
  int flag = 0, done = 0, index = 0, indices[2];
  MPI_Request none = MPI_REQUEST_NULL;
  TRY(MPI_Wait(NULL, MPI_STATUS_IGNORE));
  TRY(MPI_Waitall(2, NULL, MPI_STATUSES_IGNORE));
  TRY(MPI_Waitall(-1, NULL, MPI_STATUSES_IGNORE));
  TRY(MPI_Waitall(0, NULL, MPI_STATUSES_IGNORE));
  TRY(MPI_Waitany(2, NULL, &index, MPI_STATUS_IGNORE));
  TRY(MPI_Waitany(-1, NULL, &index, MPI_STATUS_IGNORE));
  TRY(MPI_Waitany(1, &none, NULL, MPI_STATUS_IGNORE));
  TRY(MPI_Waitsome(2, NULL, &done, indices, MPI_STATUSES_IGNORE));
  TRY(MPI_Waitsome(1, &none, NULL, NULL, MPI_STATUSES_IGNORE));
  TRY(MPI_Test(NULL, &flag, MPI_STATUS_IGNORE));
  TRY(MPI_Test(&none, NULL, MPI_STATUS_IGNORE));
  TRY(MPI_Testall(2, NULL, &flag, MPI_STATUSES_IGNORE));
  TRY(MPI_Testall(1, &none, NULL, MPI_STATUSES_IGNORE));
  TRY(MPI_Testany(2, NULL, &index, &flag, MPI_STATUS_IGNORE));
  TRY(MPI_Testany(1, &none, NULL, NULL, MPI_STATUS_IGNORE));
  TRY(MPI_Testsome(2, NULL, &done, indices, MPI_STATUSES_IGNORE));
  TRY(MPI_Testsome(1, &none, NULL, NULL, MPI_STATUSES_IGNORE));
  TRY(MPI_Request_get_status(none, NULL, MPI_STATUS_IGNORE));
  TRY(MPI_Startall(2, NULL));
  TRY(MPI_Startall(-1, NULL));
  TRY(MPI_Start(NULL));
  TRY(MPI_Start(&none));
  TRY(MPI_Cancel(NULL));
  TRY(MPI_Request_free(NULL));
  TRY(MPI_Request_free(&none));
}

static void try_collectives(MPI_Comm comm) {
  int x[64] = {0}, y[64] = {0};
  MPI_Request request = MPI_REQUEST_NULL;
  TRY(MPI_Barrier(MPI_COMM_NULL));
  TRY(MPI_Bcast(x, 1, MPI_DATATYPE_NULL, 0, comm));
  TRY(MPI_Bcast(x, 1, MPI_INT, 99, comm));
  TRY(MPI_Bcast(x, 1, MPI_INT, 0, MPI_COMM_NULL));
  TRY(MPI_Reduce(x, y, 1, MPI_INT, MPI_OP_NULL, 0, comm));
  TRY(MPI_Allreduce(x, y, -1, MPI_INT, MPI_SUM, comm));
  TRY(MPI_Gather(x, 1, MPI_DATATYPE_NULL, y, 1, MPI_DATATYPE_NULL, 0, comm));
  TRY(MPI_Scatter(x, 1, MPI_DATATYPE_NULL, y, 1, MPI_DATATYPE_NULL, 99, comm));
  TRY(MPI_Alltoall(x, 1, MPI_DATATYPE_NULL, y, 1, MPI_DATATYPE_NULL, comm));
  TRY(MPI_Gatherv(x, 1, MPI_INT, y, NULL, NULL, MPI_INT, rank, comm));
  TRY(MPI_Scatterv(x, NULL, NULL, MPI_INT, y, 1, MPI_INT, rank, comm));
  TRY(MPI_Allgatherv(x, 1, MPI_INT, y, NULL, NULL, MPI_INT, comm));
  TRY(MPI_Alltoallv(x, NULL, NULL, MPI_INT, y, NULL, NULL, MPI_INT, comm));
  TRY(MPI_Alltoallw(x, NULL, NULL, NULL, y, NULL, NULL, NULL, comm));
  TRY(MPI_Reduce_scatter(x, y, NULL, MPI_INT, MPI_SUM, comm));
  TRY(MPI_Reduce_scatter_block(x, y, 1, MPI_DATATYPE_NULL, MPI_SUM, comm));
  TRY(MPI_Scan(x, y, 1, MPI_DATATYPE_NULL, MPI_SUM, comm));
  TRY(MPI_Exscan(x, y, 1, MPI_INT, MPI_OP_NULL, comm));
  TRY(MPI_Neighbor_allgather(x, 1, MPI_INT, y, 1, MPI_INT, comm)); /* it has no topology */
  TRY(MPI_Neighbor_alltoallv(x, NULL, NULL, MPI_INT, y, NULL, NULL, MPI_INT, comm));
  TRY(MPI_Neighbor_alltoallw(x, NULL, NULL, NULL, y, NULL, NULL, NULL, comm));
  TRY(MPI_Ibarrier(MPI_COMM_NULL, &request));
  TRY(MPI_Ibcast(x, 1, MPI_DATATYPE_NULL, 0, comm, &request));
  TRY(MPI_Iallreduce(x, y, 1, MPI_INT, MPI_OP_NULL, comm, &request));
  TRY(MPI_Igatherv(x, 1, MPI_INT, y, NULL, NULL, MPI_INT, rank, comm, &request));
  TRY(MPI_Iscatterv(x, NULL, NULL, MPI_INT, y, 1, MPI_INT, rank, comm, &request));
  TRY(MPI_Iallgatherv(x, 1, MPI_INT, y, NULL, NULL, MPI_INT, comm, &request));
  TRY(MPI_Ialltoallv(x, NULL, NULL, MPI_INT, y, NULL, NULL, MPI_INT, comm, &request));
  TRY(MPI_Ialltoallw(x, NULL, NULL, NULL, y, NULL, NULL, NULL, comm, &request));
  TRY(MPI_Ireduce_scatter(x, y, NULL, MPI_INT, MPI_SUM, comm, &request));
  TRY(MPI_Ineighbor_alltoallv(x, NULL, NULL, MPI_INT, y, NULL, NULL, MPI_INT, comm, &request));
}

static void try_communicators(MPI_Comm comm) {
  int dimension = 99, period = 0;
  MPI_Comm made = MPI_COMM_NULL, none = MPI_COMM_NULL, world = MPI_COMM_WORLD;
  MPI_Request request = MPI_REQUEST_NULL;
  TRY(MPI_Comm_dup(MPI_COMM_NULL, &made));
  TRY(MPI_Comm_dup(comm, NULL));
  TRY(MPI_Comm_split(MPI_COMM_NULL, 0, 0, &made));
  TRY(MPI_Comm_split(comm, -9, 0, &made));
  TRY(MPI_Comm_split(comm, 0, 0, NULL));
  TRY(MPI_Comm_create(comm, MPI_GROUP_NULL, &made));
  TRY(MPI_Comm_create_group(comm, MPI_GROUP_NULL, 0, &made));
  TRY(MPI_Comm_idup(MPI_COMM_NULL, &made, &request));
  TRY(MPI_Comm_idup(comm, NULL, NULL));
  TRY(MPI_Cart_create(comm, 1, &dimension, &period, 0, &made));
  TRY(MPI_Cart_sub(comm, &period, &made));
  TRY(MPI_Intercomm_merge(comm, 0, &made));
  TRY(MPI_Intercomm_create(MPI_COMM_NULL, 0, comm, 1, 0, &made));
  TRY(MPI_Comm_free(&none));
  TRY(MPI_Comm_free(&world));
  TRY(MPI_Comm_disconnect(&none));
}

static void try_windows(MPI_Win window, MPI_Comm comm) {
  int x[4] = {0}, y[4] = {0}, flag = 0;
  MPI_Request request = MPI_REQUEST_NULL;
  MPI_Win none = MPI_WIN_NULL;
  TRY(MPI_Win_create(x, 4, 1, MPI_INFO_NULL, comm, NULL));
  TRY(MPI_Win_create(x, -4, 1, MPI_INFO_NULL, comm, &none));
  TRY(MPI_Win_allocate(-4, 1, MPI_INFO_NULL, comm, x, &none));
  TRY(MPI_Win_free(&none));
  TRY(MPI_Win_fence(0, MPI_WIN_NULL));
  TRY(MPI_Win_post(MPI_GROUP_NULL, 0, window));
  TRY(MPI_Win_start(MPI_GROUP_NULL, 0, window));
  TRY(MPI_Win_post(MPI_GROUP_NULL, 0, MPI_WIN_NULL));
  TRY(MPI_Win_test(MPI_WIN_NULL, &flag));
  TRY(MPI_Win_lock(99, 0, 0, window));
  TRY(MPI_Win_lock(MPI_LOCK_SHARED, 99, 0, window));
  TRY(MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, MPI_WIN_NULL));
  TRY(MPI_Win_unlock(99, window));
  TRY(MPI_Win_flush(99, window));
  MPI_Win_lock_all(0, window);
  TRY(MPI_Put(x, 1, MPI_DATATYPE_NULL, 0, 0, 1, MPI_INT, window));
  TRY(MPI_Put(x, 1, MPI_INT, 99, 0, 1, MPI_INT, window));
  TRY(MPI_Put(x, 1, MPI_INT, 0, 0, 1, MPI_INT, MPI_WIN_NULL));
  TRY(MPI_Get(x, 1, MPI_DATATYPE_NULL, 0, 0, 1, MPI_INT, window));
  TRY(MPI_Accumulate(x, 1, MPI_DATATYPE_NULL, 0, 0, 1, MPI_INT, MPI_SUM, window));
  TRY(MPI_Rput(x, 1, MPI_DATATYPE_NULL, 0, 0, 1, MPI_INT, window, &request));
  TRY(MPI_Rget(x, 1, MPI_INT, 99, 0, 1, MPI_INT, window, &request));
  TRY(MPI_Compare_and_swap(x, x, y, MPI_DATATYPE_NULL, 0, 0, window));
  TRY(MPI_Fetch_and_op(NULL, y, MPI_INT, rank, 0, MPI_NO_OP, window));
  /* MPI ignores the arguments of the origin (MPI-3.1, 11.3.4). */
  TRY(MPI_Get_accumulate(NULL, 1, MPI_DATATYPE_NULL, y, 1, MPI_INT, rank, 0, 1, MPI_INT, MPI_NO_OP, window));
  MPI_Win_flush(rank, window);
  if (y[0] != 7) printf("rank %d: got %d\n", rank, y[0]);
  y[0] = 0;
  TRY(MPI_Rget_accumulate(NULL, 1, MPI_DATATYPE_NULL, y, 1, MPI_INT, rank, 0, 1, MPI_INT, MPI_NO_OP, window, &request));
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  MPI_Win_flush(rank, window);
  if (y[0] != 7) printf("rank %d: got %d\n", rank, y[0]);
  MPI_Win_unlock_all(window);
}

static void try_files(MPI_Comm comm) {
  int x[4] = {0};
  MPI_Request request = MPI_REQUEST_NULL;
  MPI_Status status;
  MPI_File none = MPI_FILE_NULL;
  TRY(MPI_File_open(comm, "not-there", MPI_MODE_RDONLY, MPI_INFO_NULL, &none));
  TRY(MPI_File_open(MPI_COMM_NULL, "not-there", MPI_MODE_RDONLY, MPI_INFO_NULL, &none));
  none = MPI_FILE_NULL;
  TRY(MPI_File_close(NULL));
  TRY(MPI_File_close(&none));
  TRY(MPI_File_read(none, x, 1, MPI_DATATYPE_NULL, &status));
  TRY(MPI_File_write_at(none, 0, x, 1, MPI_INT, MPI_STATUS_IGNORE));
  TRY(MPI_File_iread(none, x, 1, MPI_INT, &request));
  TRY(MPI_File_write_all_begin(none, x, 1, MPI_INT));
  TRY(MPI_File_write_all_end(none, x, &status));
  TRY(MPI_File_seek(none, 0, MPI_SEEK_SET));
  TRY(MPI_File_sync(none));
}

/* Messages that are longer than their receives arrive nevertheless, and the next one belongs to the next receive. */
static void truncate_messages(MPI_Comm comm) {
  int x[8] = {0}, flag = 0, i;
  MPI_Request requests[2];
  MPI_Status statuses[2];
  if (rank == 1)
    for (i = 0; i < 10; ++i) MPI_Send(x, i % 2 ? 1 : 8, MPI_INT, 0, 3, comm);
  if (rank == 0) {
    TRY(MPI_Recv(x, 1, MPI_INT, 1, 3, comm, MPI_STATUS_IGNORE));
    TRY(MPI_Recv(x, 1, MPI_INT, 1, 3, comm, &statuses[0]));
    MPI_Irecv(x, 1, MPI_INT, 1, 3, comm, &requests[0]);
    TRY(MPI_Wait(&requests[0], MPI_STATUS_IGNORE));
    TRY(MPI_Recv(x, 1, MPI_INT, 1, 3, comm, MPI_STATUS_IGNORE));
    for (i = 0; i < 2; ++i) MPI_Irecv(x + i, 1, MPI_INT, 1, 3, comm, &requests[i]);
    TRY(MPI_Waitall(2, requests, statuses));
    for (i = 0; i < 2; ++i) MPI_Irecv(x + i, 1, MPI_INT, 1, 3, comm, &requests[i]);
    TRY(MPI_Waitall(2, requests, MPI_STATUSES_IGNORE));
    MPI_Irecv(x, 1, MPI_INT, 1, 3, comm, &requests[0]);
    while (!flag) {
      if (MPI_Test(&requests[0], &flag, &statuses[0]) != MPI_SUCCESS) break;
    }
    say("test", MPI_SUCCESS);
    TRY(MPI_Recv(x, 1, MPI_INT, 1, 3, comm, MPI_STATUS_IGNORE));
  }
}

int main(int argc, char** argv) {
  MPI_Comm own;
  MPI_Errhandler on_comm, on_window, on_file;
  MPI_Win window;
  int* memory;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Comm_dup(MPI_COMM_WORLD, &own);
  MPI_Win_allocate(sizeof *memory, sizeof *memory, MPI_INFO_NULL, own, &memory, &window);
  *memory = 7;
  MPI_Comm_create_errhandler(count_comm, &on_comm);
  MPI_Win_create_errhandler(count_window, &on_window);
  MPI_File_create_errhandler(count_file, &on_file);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, on_comm);
  MPI_Comm_set_errhandler(MPI_COMM_SELF, on_comm);
  MPI_Comm_set_errhandler(own, on_comm);
  MPI_Win_set_errhandler(window, on_window);
  MPI_File_set_errhandler(MPI_FILE_NULL, on_file);
  MPI_Barrier(own);
  try_messages(own);
  go_on(own);
  try_requests();
  go_on(MPI_COMM_WORLD);
  if (rank == 0) try_collectives(own); /* the others know nothing of it */
  go_on(own);
  if (rank == 0) try_collectives(MPI_COMM_WORLD);
  go_on(MPI_COMM_WORLD);
  try_communicators(own);
  go_on(own);
  MPI_Barrier(own);
  try_windows(window, own);
  try_files(own);
  truncate_messages(own);
  go_on(own);
  MPI_Win_free(&window);
  MPI_Comm_free(&own);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
  MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_ARE_FATAL);
  MPI_Errhandler_free(&on_comm);
  MPI_Errhandler_free(&on_window);
  MPI_Errhandler_free(&on_file);
  MPI_Finalize();
  return 0;
}
