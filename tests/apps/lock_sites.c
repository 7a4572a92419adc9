/* lock_sites.c -- reaches the locks of the recorder in a program of MPI and threads: lock_sites [multiple].
 *
 * Runs as one process, so that a call that a signal handler has left by a jump leaves nobody waiting. Links
 * lock_site_signals.c. Prints "done" and ends with 0. */
#include <dlfcn.h>
#include <fcntl.h>
#include <mpi.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <tarry/user.h>

extern void (*lock_sites_call_mpi)(unsigned number);
extern __thread sigjmp_buf* lock_sites_back;
extern _Atomic int lock_sites_is_recorded;

enum { ROUNDS = 14 };
static int round_number;

/* ---- in the handler: functions of MPI that are called there first, and others that use the recorder's tables */
static void call_mpi(unsigned number) {
  int i, j;
  MPI_Aint a, b;
  char text[MPI_MAX_LIBRARY_VERSION_STRING];
  switch (number % 16) {
    case 0: MPI_Comm_rank(MPI_COMM_WORLD, &i); break;
    case 1: MPI_Comm_size(MPI_COMM_SELF, &i); break;
    case 2: MPI_Initialized(&i); break;
    case 3: MPI_Get_version(&i, &j); break;
    case 4: MPI_Type_size(MPI_DOUBLE, &i); break;
    case 5: MPI_Comm_test_inter(MPI_COMM_WORLD, &i); break;
    case 6: MPI_Type_get_extent(MPI_INT, &a, &b); break;
    case 7: MPI_Error_class(0, &i); break;
    case 8: MPI_Get_processor_name(text, &i); break;
    case 9: MPI_Finalized(&i); break;
    case 10: MPI_Sendrecv(&i, 1, MPI_INT, 0, 900, &j, 1, MPI_INT, 0, 900, MPI_COMM_SELF, MPI_STATUS_IGNORE); break;
    case 11: MPI_Barrier(MPI_COMM_SELF); break;
    case 12: MPI_Allreduce(&number, &i, 1, MPI_INT, MPI_MAX, MPI_COMM_SELF); break;
    case 13: MPI_Iprobe(MPI_ANY_SOURCE, 901, MPI_COMM_SELF, &i, MPI_STATUS_IGNORE); break;
    case 14: {
      MPI_Request request;
      MPI_Irecv(&i, 1, MPI_INT, 0, 902, MPI_COMM_SELF, &request);
      MPI_Send(&j, 1, MPI_INT, 0, 902, MPI_COMM_SELF);
      MPI_Wait(&request, MPI_STATUS_IGNORE);
      break;
    }
    default: MPI_Is_thread_main(&i);
  }
}

/* ---- what the program does: each of these may be left by a jump at any lock of the recorder */
static volatile unsigned sum;
#define ONE(n) static __attribute__((noinline)) void in_program_##n(void) { sum += n; }
#define TEN(n) ONE(n##0) ONE(n##1) ONE(n##2) ONE(n##3) ONE(n##4) ONE(n##5) ONE(n##6) ONE(n##7) ONE(n##8) ONE(n##9)
TEN(1) TEN(2) TEN(3) TEN(4)
#undef ONE
#define ONE(n) in_program_##n,
static void (*const functions[])(void) = {TEN(1) TEN(2) TEN(3) TEN(4)};

static void new_functions(void) {
  functions[2 * round_number % 40]();
  functions[(2 * round_number + 1) % 40]();
}

static void many_events(void) {
  for (int i = 0; i < 150000; ++i) functions[i % 40]();
}

static void messages(void) {
  const int tag = 10 * round_number;
  int in = 0, out = 1;
  MPI_Request request[2];
  MPI_Status status;
  MPI_Irecv(&in, 1, MPI_INT, 0, tag, MPI_COMM_SELF, &request[0]);
  MPI_Isend(&out, 1, MPI_INT, 0, tag, MPI_COMM_SELF, &request[1]);
  MPI_Waitall(2, request, MPI_STATUSES_IGNORE);
  MPI_Pcontrol(2); /* events are written out */
  MPI_Send_init(&out, 1, MPI_INT, 0, tag + 1, MPI_COMM_SELF, &request[0]);
  MPI_Start(&request[0]);
  MPI_Recv(&in, 1, MPI_INT, 0, tag + 1, MPI_COMM_SELF, &status);
  MPI_Wait(&request[0], &status);
  MPI_Request_free(&request[0]);
  MPI_Message message;
  MPI_Isend(&out, 1, MPI_INT, 0, tag + 2, MPI_COMM_SELF, &request[1]);
  MPI_Mprobe(0, tag + 2, MPI_COMM_SELF, &message, &status);
  MPI_Mrecv(&in, 1, MPI_INT, &message, &status);
  MPI_Wait(&request[1], &status);
}

static void communicators(void) {
  MPI_Comm copy, part, grid;
  MPI_Group group;
  int size = 1, periodic = 0, rank;
  MPI_Comm_dup(MPI_COMM_WORLD, &copy);
  MPI_Comm_set_name(copy, "copy");
  MPI_Comm_split(copy, 0, 0, &part);
  MPI_Cart_create(copy, 1, &size, &periodic, 0, &grid);
  MPI_Barrier(part);
  MPI_Comm_rank(grid, &rank);
  MPI_Comm_group(copy, &group);
  MPI_Group_free(&group);
  MPI_Comm_free(&part);
  MPI_Comm_free(&grid);
  int self = 0;
  MPI_Dist_graph_create_adjacent(copy, 1, &self, MPI_UNWEIGHTED, 1, &self, MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &grid);
  MPI_Comm_free(&grid);
  MPI_Comm_free(&copy);
}

static void window(void) {
  int* memory;
  MPI_Win win;
  MPI_Group group;
  MPI_Win_allocate_shared(4 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_SELF, &memory, &win);
  MPI_Win_fence(0, win);
  MPI_Put(&round_number, 1, MPI_INT, 0, 0, 1, MPI_INT, win);
  MPI_Win_fence(0, win);
  MPI_Comm_group(MPI_COMM_SELF, &group);
  MPI_Win_post(group, 0, win);
  MPI_Win_start(group, 0, win);
  MPI_Win_complete(win);
  MPI_Win_wait(win);
  MPI_Group_free(&group);
  MPI_Win_free(&win);
}

static void mpi_file(void) {
  MPI_File file;
  MPI_Request request;
  MPI_File_open(MPI_COMM_SELF, "mpi.dat", MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &file);
  MPI_File_write_at(file, 0, &round_number, 1, MPI_INT, MPI_STATUS_IGNORE);
  MPI_File_iwrite_at(file, 8, &round_number, 1, MPI_INT, &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  MPI_File_write_all_begin(file, &round_number, 1, MPI_INT);
  MPI_File_write_all_end(file, &round_number, MPI_STATUS_IGNORE);
  MPI_File_close(&file);
}

static void own_file(void) {
  char name[32], text[32];
  snprintf(name, sizeof name, "own_%d.txt", round_number);
  FILE* const file = fopen(name, "w+");
  if (!file) return;
  fprintf(file, "round %d\n", round_number);
  rewind(file);
  if (!fgets(text, sizeof text, file)) abort();
  fclose(file);
}

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static void* in_thread(void* argument) {
  (void)argument;
  pthread_mutex_lock(&mutex);
  functions[round_number]();
  pthread_mutex_unlock(&mutex);
  return NULL;
}

static void threads(void) {
  pthread_t thread[2];
  for (int i = 0; i < 2; ++i)
    if (pthread_create(&thread[i], NULL, in_thread, NULL) != 0) abort();
  for (int i = 0; i < 2; ++i) pthread_join(thread[i], NULL);
}

static void locked(void) {
  pthread_mutex_lock(&mutex);
  sum += 1;
  pthread_mutex_unlock(&mutex);
}

static void plugin(void) {
  void* const library = dlopen("./plugin.so", RTLD_NOW);
  if (!library) return;
  void (*call)(void) = (void (*)(void))dlsym(library, "call_plugin");
  if (call) call();
  dlclose(library);
}

static void regions(void) {
  TARRY_REGION_BEGIN("a user region");
  TARRY_METRIC_INT64("a metric", "", 1);
  lock_sites_is_recorded = 0;
  TARRY_RECORDING_OFF();
  sum += 1;
  TARRY_RECORDING_ON();
  lock_sites_is_recorded = 1;
  TARRY_REGION_END("a user region");
}

/* Whether a jump may leave it. Threads and windows that are left half done would make the program wait by itself. */
static const struct {
  void (*run)(void);
  int may_jump;
} works[] = {{new_functions, 1}, {many_events, 1}, {messages, 1}, {communicators, 1}, {window, 0}, {mpi_file, 0},
             {own_file, 1},      {threads, 0},     {locked, 0},   {plugin, 1},        {regions, 0}};

static void run(int work) {
  sigjmp_buf back;
  if (sigsetjmp(back, 1) == 0) {
    lock_sites_back = works[work].may_jump ? &back : NULL;
    works[work].run();
  }
  lock_sites_back = NULL;
  lock_sites_is_recorded = 1;
}

int main(int argc, char** argv) {
  int level;
  const int is_multiple = argc > 1 && strcmp(argv[1], "multiple") == 0;
  MPI_Init_thread(&argc, &argv, is_multiple ? MPI_THREAD_MULTIPLE : MPI_THREAD_SINGLE, &level);
  lock_sites_call_mpi = call_mpi;
  lock_sites_is_recorded = 1;
  for (round_number = 0; round_number < ROUNDS; ++round_number)
    for (int work = 0; work < (int)(sizeof works / sizeof *works); ++work) run(work);
  lock_sites_call_mpi = NULL;
  lock_sites_is_recorded = 0;
  MPI_Finalize();
  printf("done\n");
  return 0;
}
