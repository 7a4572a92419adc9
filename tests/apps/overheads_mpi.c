/* overheads_mpi.c -- two ranks that make each class of overhead of MPI and of files on purpose (overheads_timing.h).
 *
 * Where only data is moved, the communicator has one member, so that there is nobody to wait for. Before each part all
 * sleep until a time that they have agreed on. With argument "child" it is what the parents start. */
#include <fcntl.h>
#include <mpi.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "overheads_timing.h"

enum { BYTES = 32 << 20, DIMENSIONS = 1000 };

static const double kLate = 0.1, kWork = 0.06, kPart = 0.2;
static int rank;
static double begin, part;
static char *left, *right;

/* The next part begins on all ranks at the same time; rank 0 is late in it if wanted. */
static void next_part(int rank_0_is_late) {
  part += 1;
  clock_wait_until(begin + kPart * part + (rank_0_is_late && rank == 0 ? kLate : 0));
}

#define REPEAT(class, ...)                             \
  do {                                                 \
    double repeat_sum = 0;                             \
    while (repeat_sum < kWork) TIMED(repeat_sum, __VA_ARGS__); \
    tell_own(class, repeat_sum);                       \
  } while (0)

static void wait_for_each_other(void) {
  char byte = 0;
  double own = 0;
  MPI_Win window;
  MPI_Comm copy;
  next_part(1);
  if (rank == 0) MEET("OSYN_MSG", "ODATA_SEND", "message", MPI_Send(&byte, 1, MPI_BYTE, 1, 0, MPI_COMM_WORLD));
  else MEET("OSYN_MSG", "ODATA_RECV", "message", MPI_Recv(&byte, 1, MPI_BYTE, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
  next_part(1);
  MEET("OSYN_COL", "ODATA_COL", "allreduce", MPI_Allreduce(MPI_IN_PLACE, &byte, 1, MPI_BYTE, MPI_BOR, MPI_COMM_WORLD));
  next_part(1);
  TIMED(own, MPI_Barrier(MPI_COMM_WORLD));
  tell_own("OSYN_BAR", own);
  next_part(1);
  MEET("OSYN_SETUP", "OCTRL_COMM", "dup", MPI_Comm_dup(MPI_COMM_WORLD, &copy));
  next_part(0);
  MEET("OSYN_SETUP", "OCTRL_WIN", "create", MPI_Win_create(left, 8, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &window));
  next_part(1);
  own = 0;
  TIMED(own, MPI_Win_fence(0, window));
  next_part(0);
  TIMED(own, MPI_Win_fence(0, window));
  tell_own("OSYN_ACTIVE", own);
  own = 0;
  next_part(0);
  if (rank == 1) clock_wait_until(begin + kPart * part + 0.02);
  TIMED(own, MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 1, 0, window));
  if (rank == 0) clock_wait_until(begin + kPart * part + 0.02 + kLate);
  TIMED(own, MPI_Win_unlock(1, window));
  tell_own("OSYN_LOCK", own);
  next_part(0);
  MEET("OSYN_SETUP", "OCTRL_WIN", "free", MPI_Win_free(&window));
}

static void move_data(void) {
  double send = 0, receive = 0, lock = 0;
  MPI_Win window;
  void *buffer, *base;
  int size = BYTES + MPI_BSEND_OVERHEAD;
  next_part(0);
  buffer = malloc((size_t)size);
  memset(buffer, 1, (size_t)size);
  MPI_Buffer_attach(buffer, size);
  while (send < kWork || receive < kWork) {
    TIMED(send, MPI_Bsend(left, BYTES, MPI_BYTE, 0, 1, MPI_COMM_SELF));
    TIMED(receive, MPI_Recv(right, BYTES, MPI_BYTE, 0, 1, MPI_COMM_SELF, MPI_STATUS_IGNORE));
  }
  MPI_Buffer_detach(&buffer, &size);
  free(buffer);
  tell_own("ODATA_SEND", send);
  tell_own("ODATA_RECV", receive);
  REPEAT("ODATA_COMPL", MPI_Sendrecv(left, BYTES, MPI_BYTE, 0, 2, right, BYTES, MPI_BYTE, 0, 2, MPI_COMM_SELF,
                                     MPI_STATUS_IGNORE));
  REPEAT("ODATA_COL", MPI_Allreduce(left, right, BYTES, MPI_BYTE, MPI_BOR, MPI_COMM_SELF));
  MPI_Win_allocate(BYTES, 1, MPI_INFO_NULL, MPI_COMM_SELF, &base, &window);
  memset(base, 1, BYTES);
  TIMED(lock, MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, window));
  REPEAT("ODATA_PUT", MPI_Put(left, BYTES, MPI_BYTE, 0, 0, BYTES, MPI_BYTE, window));
  REPEAT("ODATA_GET", MPI_Get(left, BYTES, MPI_BYTE, 0, 0, BYTES, MPI_BYTE, window));
  REPEAT("ODATA_ACC", MPI_Accumulate(left, BYTES, MPI_BYTE, 0, 0, BYTES, MPI_BYTE, MPI_BOR, window));
  TIMED(lock, MPI_Win_unlock(0, window));
  tell_own("OSYN_LOCK", lock);
  MPI_Win_free(&window);
}

/* What communicators call when they are copied or freed takes long. */
static int copy_late(MPI_Comm comm, int key, void* extra, void* value, void* copied, int* is_copied) {
  (void)comm, (void)key, (void)extra, (void)value, (void)copied;
  *is_copied = 0;
  clock_wait_until(clock_now() + kLate);
  return MPI_SUCCESS;
}

static int free_late(MPI_Comm comm, int key, void* value, void* extra) {
  (void)comm, (void)key, (void)value, (void)extra;
  clock_wait_until(clock_now() + 4 * kLate);
  return MPI_SUCCESS;
}

/* Finding a rank in a grid takes long if it has many dimensions. */
static void ask(void) {
  static int sizes[DIMENSIONS], is_periodic[DIMENSIONS], coordinates[DIMENSIONS];
  MPI_Comm grid;
  double own = 0;
  int found;
  for (int i = 0; i < DIMENSIONS; ++i) sizes[i] = 1;
  MPI_Cart_create(MPI_COMM_SELF, DIMENSIONS, sizes, is_periodic, 0, &grid);
  while (own < kWork) TIMED(own, MPI_Cart_rank(grid, coordinates, &found));
  tell_own("OADD_ID", own);
  MPI_Comm_free(&grid);
}

static void manage(void) {
  MPI_Comm copy;
  MPI_Win window;
  MPI_Datatype column;
  int position, key;
  void* base;
  double own = 0;
  MPI_Comm_create_keyval(copy_late, free_late, &key, NULL);
  MPI_Comm_set_attr(MPI_COMM_SELF, key, NULL); /* MPI_Finalize frees it */
  TIMED(own, MPI_Comm_dup(MPI_COMM_SELF, &copy); MPI_Comm_free(&copy));
  tell_own("OCTRL_COMM", own);
  own = 0;
  while (own < kWork)
    TIMED(own, MPI_Win_allocate(4096, 1, MPI_INFO_NULL, MPI_COMM_SELF, &base, &window); MPI_Win_free(&window));
  tell_own("OCTRL_WIN", own);
  MPI_Type_vector(BYTES / 64, 1, 64, MPI_BYTE, &column);
  MPI_Type_commit(&column);
  REPEAT("OADD_TYPE", position = 0; MPI_Pack(left, 1, column, right, BYTES, &position, MPI_COMM_SELF));
  MPI_Type_free(&column);
  REPEAT("OUNID", MPI_Reduce_local(left, right, BYTES, MPI_BYTE, MPI_BOR)); /* of no class */
}

/* Opening a pipe waits for the one at the other end, reading from it for what the other one writes. */
static void use_files(void) {
  double handling = 0, own = 0;
  int pipe_end, file;
  char name[64];
  MPI_File shared;
  if (rank == 0) mkfifo("overheads.pipe", 0600);
  next_part(1);
  TIMED(handling, pipe_end = open("overheads.pipe", rank == 0 ? O_WRONLY : O_RDONLY));
  next_part(1);
  if (rank == 0) TIMED(own, if (write(pipe_end, left, 1) != 1) abort());
  else TIMED(own, if (read(pipe_end, left, 1) != 1) abort());
  tell_own(rank == 0 ? "ODATA_WRITE" : "ODATA_READ", own);
  TIMED(handling, close(pipe_end));
  snprintf(name, sizeof name, "overheads.%d", rank);
  TIMED(handling, file = open(name, O_RDWR | O_CREAT | O_TRUNC, 0600));
  REPEAT("ODATA_WRITE", if (pwrite(file, left, BYTES, 0) != BYTES) abort());
  REPEAT("ODATA_READ", if (pread(file, left, BYTES, 0) != BYTES) abort());
  TIMED(handling, close(file));
  TIMED(handling, MPI_File_open(MPI_COMM_SELF, name, MPI_MODE_RDWR, MPI_INFO_NULL, &shared));
  REPEAT("ODATA_WRITE", MPI_File_write_at(shared, 0, left, BYTES, MPI_BYTE, MPI_STATUS_IGNORE));
  REPEAT("ODATA_READ", MPI_File_read_at(shared, 0, left, BYTES, MPI_BYTE, MPI_STATUS_IGNORE));
  TIMED(handling, MPI_File_close(&shared));
  tell_own("ODATA_FILE", handling);
}

int main(int argc, char** argv) {
  MPI_Comm others;
  double init = 0, spawn = 0, barrier = 0;
  char group[32] = "end";
  const int is_child = argc > 1 && strcmp(argv[1], "child") == 0, spawns = argc > 1 && !is_child;
  TIMED(init, MPI_Init(&argc, &argv));
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (is_child) {
    MPI_Comm_get_parent(&others);
    TIMED(spawn, MPI_Comm_disconnect(&others));
  } else {
    left = malloc(BYTES);
    right = malloc(BYTES);
    memset(left, 1, BYTES);
    memset(right, 1, BYTES);
    begin = clock_now() + 0.2;
    MEET("OSYN_COL", "ODATA_COL", "begin", MPI_Allreduce(MPI_IN_PLACE, &begin, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD));
    wait_for_each_other();
    move_data();
    manage();
    ask();
    part = (double)(long)((clock_now() - begin) / kPart) + 1;
    MEET("OSYN_COL", "ODATA_COL", "files", MPI_Allreduce(MPI_IN_PLACE, &part, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD));
    use_files();
  }
  if (spawns) {
    TIMED(spawn, MPI_Comm_spawn(argv[0], (char*[]){"child", NULL}, 1, MPI_INFO_NULL, 0, MPI_COMM_SELF, &others,
                                MPI_ERRCODES_IGNORE));
    TIMED(spawn, MPI_Comm_disconnect(&others));
  }
  if (spawns || is_child) tell_own("OCTRL_SPAWN", spawn);
  TIMED(barrier, MPI_Barrier(MPI_COMM_WORLD));
  tell_own("OSYN_BAR", barrier);
  tell_own("OCTRL_INIT", init);
  if (is_child) snprintf(group, sizeof group, "child-%d", (int)getpid());
  MEET("OSYN_SETUP", "OCTRL_INIT", group, MPI_Finalize());
  write_told();
  return 0;
}
