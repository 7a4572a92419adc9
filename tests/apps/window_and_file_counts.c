/* window_and_file_counts.c -- uses windows and files in every way and prints how many records it expects of itself.
 *
 * Prints, per rank: EXPECT RANK KIND=COUNT ... KIND.FIELD=SUM ... Runs on at least 4 ranks.
 */
#include <mpi.h>
#include <stdio.h>
#include <string.h>

enum { CREATE, DESTROY, BEGIN, END, GROUP_SYNC, LOCK, RELEASE, SYNC, PUT, GET, ATOMIC, REMOTE, LOCAL, REQUEST,
       OPEN, CLOSE, SEEK, IO_BEGIN, ISSUED, COMPLETE, PUT_BYTES, GET_BYTES, ATOMIC_SENT, ATOMIC_RECEIVED, IO_BYTES, KINDS };
static const char *const kinds[KINDS] = {
    "RMA_WIN_CREATE", "RMA_WIN_DESTROY", "RMA_COLLECTIVE_BEGIN", "RMA_COLLECTIVE_END", "RMA_GROUP_SYNC",
    "RMA_REQUEST_LOCK", "RMA_RELEASE_LOCK", "RMA_SYNC", "RMA_PUT", "RMA_GET", "RMA_ATOMIC", "RMA_OP_COMPLETE_REMOTE",
    "RMA_OP_COMPLETE_BLOCKING", "RMA_OP_COMPLETE_NON_BLOCKING", "IO_CREATE_HANDLE", "IO_DESTROY_HANDLE", "IO_SEEK",
    "IO_OPERATION_BEGIN", "IO_OPERATION_ISSUED", "IO_OPERATION_COMPLETE", "RMA_PUT.bytes", "RMA_GET.bytes",
    "RMA_ATOMIC.sent", "RMA_ATOMIC.received", "IO_OPERATION_COMPLETE.bytes"};
static long expected[KINDS];

static MPI_Comm world;
static int rank, size, next, previous;
static double out[64], in[64];

static void together(void) { ++expected[BEGIN], ++expected[END]; }

static void put(MPI_Win window, int target, int count) {
  MPI_Put(out, count, MPI_DOUBLE, target, 0, count, MPI_DOUBLE, window);
  if (target == MPI_PROC_NULL) return;
  ++expected[PUT], expected[PUT_BYTES] += 8 * count;
}

static void get(MPI_Win window, int target, int count) {
  MPI_Get(in, count, MPI_DOUBLE, target, 8, count, MPI_DOUBLE, window);
  ++expected[GET], expected[GET_BYTES] += 8 * count;
}

static void atomics(MPI_Win window, int target) {
  MPI_Accumulate(out, 2, MPI_DOUBLE, target, 16, 2, MPI_DOUBLE, MPI_SUM, window);
  MPI_Get_accumulate(out, 2, MPI_DOUBLE, in, 2, MPI_DOUBLE, target, 16, 2, MPI_DOUBLE, MPI_SUM, window);
  MPI_Get_accumulate(out, 0, MPI_DOUBLE, in, 2, MPI_DOUBLE, target, 16, 2, MPI_DOUBLE, MPI_NO_OP, window);
  MPI_Fetch_and_op(out, in, MPI_DOUBLE, target, 18, MPI_REPLACE, window);
  expected[ATOMIC] += 4, expected[ATOMIC_SENT] += 40, expected[ATOMIC_RECEIVED] += 40;
}

/* Open MPI 4.1 crashes in MPI_Compare_and_swap on memory that is not shared. */
static void swap(MPI_Win window, int target) {
  long mine = 1, compare = 2, result;
  MPI_Compare_and_swap(&mine, &compare, &result, MPI_LONG, target, 20, window);
  ++expected[ATOMIC], expected[ATOMIC_SENT] += 8, expected[ATOMIC_RECEIVED] += 8;
}

static void requested(MPI_Win window, int target) {
  MPI_Request requests[4];
  MPI_Rput(out, 3, MPI_DOUBLE, target, 0, 3, MPI_DOUBLE, window, &requests[0]);
  MPI_Rget(in, 3, MPI_DOUBLE, target, 8, 3, MPI_DOUBLE, window, &requests[1]);
  MPI_Raccumulate(out, 1, MPI_DOUBLE, target, 16, 1, MPI_DOUBLE, MPI_SUM, window, &requests[2]);
  MPI_Rget_accumulate(out, 1, MPI_DOUBLE, in + 8, 1, MPI_DOUBLE, target, 16, 1, MPI_DOUBLE, MPI_SUM, window, &requests[3]);
  MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
  MPI_Waitall(3, requests + 1, MPI_STATUSES_IGNORE);
  ++expected[PUT], ++expected[GET], expected[ATOMIC] += 2, expected[REQUEST] += 4;
  expected[PUT_BYTES] += 24, expected[GET_BYTES] += 24, expected[ATOMIC_SENT] += 16, expected[ATOMIC_RECEIVED] += 8;
}

static void fences(MPI_Win window) {
  MPI_Win_fence(0, window), together();
  put(window, next, 4), put(window, next, 2), get(window, previous, 3), put(window, MPI_PROC_NULL, 1);
  MPI_Win_fence(0, window), together();
  expected[REMOTE] += next == previous ? 1 : 2;
}

static void groups(MPI_Win window) {
  MPI_Group everybody, targets, origins;
  MPI_Comm_group(world, &everybody);
  MPI_Group_incl(everybody, 1, &next, &targets);
  MPI_Group_incl(everybody, 1, &previous, &origins);
  for (int round = 0; round < 2; ++round) {
    MPI_Win_post(origins, 0, window);
    MPI_Win_start(targets, 0, window);
    put(window, next, 1);
    MPI_Win_complete(window), ++expected[REMOTE];
    if (round == 0) MPI_Win_wait(window);
    for (int flag = round == 0; !flag;) MPI_Win_test(window, &flag);
    expected[GROUP_SYNC] += 4;
  }
  MPI_Group_free(&origins);
  MPI_Group_free(&targets);
  MPI_Group_free(&everybody);
}

static void locks(MPI_Win window) {
  MPI_Win_lock(MPI_LOCK_EXCLUSIVE, next, 0, window);
  put(window, next, 1);
  MPI_Win_flush_local(next, window), ++expected[LOCAL];
  atomics(window, next);
  MPI_Win_flush(next, window), ++expected[REMOTE];
  get(window, next, 1);
  MPI_Win_unlock(next, window), ++expected[REMOTE];
  MPI_Win_lock_all(0, window);
  requested(window, next);
  put(window, previous, 1), put(window, next, 1);
  MPI_Win_flush_local_all(window), expected[LOCAL] += 2;
  MPI_Win_sync(window), ++expected[SYNC];
  put(window, rank, 1);
  MPI_Win_flush_all(window), ++expected[REMOTE];
  MPI_Win_unlock_all(window);
  expected[LOCK] += 2, expected[RELEASE] += 2;
}

static void windows(void) {
  static double memory[64];
  double *allocated;
  MPI_Win window, shared, dynamic;
  MPI_Win_create(memory, sizeof memory, sizeof(double), MPI_INFO_NULL, world, &window), together();
  fences(window), groups(window), locks(window);
  MPI_Win_free(&window), together();
  MPI_Win_allocate(sizeof memory, sizeof(double), MPI_INFO_NULL, world, &allocated, &window), together();
  fences(window), groups(window), locks(window);
  MPI_Win_allocate_shared(sizeof memory, sizeof(double), MPI_INFO_NULL, world, &allocated, &shared), together();
  fences(shared);
  MPI_Win_lock(MPI_LOCK_SHARED, next, 0, shared), ++expected[LOCK];
  swap(shared, next);
  MPI_Win_unlock(next, shared), ++expected[RELEASE], ++expected[REMOTE];
  MPI_Win_create_dynamic(MPI_INFO_NULL, world, &dynamic), together();
  MPI_Win_attach(dynamic, memory, sizeof memory);
  MPI_Win_fence(0, dynamic), together();
  MPI_Win_detach(dynamic, memory);
  MPI_Win_free(&window), MPI_Win_free(&dynamic), MPI_Win_free(&shared), together(), together(), together();
  expected[CREATE] += 4, expected[DESTROY] += 4;
}

static void complete(int operations, int count) {
  expected[IO_BEGIN] += operations, expected[COMPLETE] += operations, expected[IO_BYTES] += 8 * count * operations;
}

static void files(void) {
  MPI_File file;
  MPI_Status status;
  MPI_Request requests[2];
  MPI_Offset mine = 1024 * rank;
  char name[64];
  snprintf(name, sizeof name, "counts-%d.data", size);
  MPI_File_open(world, name, MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE, MPI_INFO_NULL, &file);
  ++expected[OPEN];
  MPI_File_write_at(file, mine, out, 4, MPI_DOUBLE, &status), complete(1, 4);
  MPI_File_write_at_all(file, mine, out, 4, MPI_DOUBLE, MPI_STATUS_IGNORE), complete(1, 4);
  MPI_File_sync(file), complete(1, 0);
  MPI_File_read_at(file, mine, in, 2, MPI_DOUBLE, MPI_STATUS_IGNORE), complete(1, 2);
  MPI_File_read_at_all(file, mine, in, 2, MPI_DOUBLE, &status), complete(1, 2);
  MPI_File_seek(file, mine, MPI_SEEK_SET), ++expected[SEEK];
  MPI_File_write(file, out, 3, MPI_DOUBLE, &status), MPI_File_write_all(file, out, 3, MPI_DOUBLE, &status), complete(2, 3);
  MPI_File_seek(file, -24, MPI_SEEK_CUR), ++expected[SEEK];
  /* How far this comes depends on where Open MPI is after writing together. */
  int bytes = 0;
  MPI_File_read(file, in, 3, MPI_DOUBLE, &status), complete(1, 0);
  MPI_Get_count(&status, MPI_BYTE, &bytes), expected[IO_BYTES] += bytes;
  MPI_File_seek(file, mine, MPI_SEEK_SET), ++expected[SEEK];
  MPI_File_read_all(file, in, 3, MPI_DOUBLE, &status), complete(1, 3);
  MPI_File_iwrite_at(file, mine, out, 2, MPI_DOUBLE, &requests[0]);
  MPI_File_iwrite(file, out, 2, MPI_DOUBLE, &requests[1]);
  MPI_Waitall(2, requests, MPI_STATUSES_IGNORE), complete(2, 2), expected[ISSUED] += 2;
  MPI_File_iread_at_all(file, mine, in, 2, MPI_DOUBLE, &requests[0]);
  MPI_Wait(&requests[0], &status), complete(1, 2), ++expected[ISSUED];
  MPI_File_write_at_all_begin(file, mine, out, 5, MPI_DOUBLE);
  MPI_File_write_at_all_end(file, out, &status), complete(1, 5), ++expected[ISSUED];
  MPI_File_seek_shared(file, 0, MPI_SEEK_SET), ++expected[SEEK];
  MPI_File_write_shared(file, out, 1, MPI_DOUBLE, &status), complete(1, 1);
  MPI_File_write_ordered(file, out, 1, MPI_DOUBLE, &status), complete(1, 1);
  MPI_File_close(&file), ++expected[CLOSE];
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  world = MPI_COMM_WORLD;
  MPI_Comm_rank(world, &rank);
  MPI_Comm_size(world, &size);
  next = (rank + 1) % size, previous = (rank + size - 1) % size;
  windows();
  files();
  char line[2048];
  int used = snprintf(line, sizeof line, "EXPECT %d", rank);
  for (int k = 0; k < KINDS; ++k) used += snprintf(line + used, sizeof line - used, " %s=%ld", kinds[k], expected[k]);
  puts(line);
  MPI_Finalize();
  return 0;
}
