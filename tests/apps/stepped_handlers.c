// stepped_handlers.c -- a signal comes at a chosen instruction of a call; its handler calls a function never seen before.
//
// usage: stepped_handlers KIND COUNT FIRST STRIDE      x86-64 only
//
// The program single-steps itself. In the N-th call of KIND the signal comes behind FIRST + N * STRIDE instructions, or
// behind the call if that has fewer. There are COUNT calls, at most 400, or those that KIND has. Prints "KIND: N calls,
// N handled". KIND:
//   functions    first calls of instrumented functions
//   regions      first begins of user regions, iterations and parameters
//   pthreads     first calls of pthread functions
//   mpi          first calls of MPI functions (with -DUSES_MPI)
//   memory       malloc() and free(), while a second thread waits
#define _GNU_SOURCE
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

#ifdef USES_MPI
#include <mpi.h>
#endif
#ifdef TARRY
#include <tarry/user.h>
#else
#define TARRY_REGION_BEGIN(name)
#define TARRY_REGION_END(name)
#define TARRY_ITERATION_BEGIN(name, number)
#define TARRY_ITERATION_END(name)
#endif

#define PLAIN __attribute__((no_instrument_function))
#define TEN(make, n) make(n##0) make(n##1) make(n##2) make(n##3) make(n##4) make(n##5) make(n##6) make(n##7) make(n##8) make(n##9)
#define HUNDRED(make, n) \
  TEN(make, n##0) TEN(make, n##1) TEN(make, n##2) TEN(make, n##3) TEN(make, n##4) \
  TEN(make, n##5) TEN(make, n##6) TEN(make, n##7) TEN(make, n##8) TEN(make, n##9)
#define ALL(make) HUNDRED(make, 1) HUNDRED(make, 2) HUNDRED(make, 3) HUNDRED(make, 4)
enum { kFunctions = 400 };

static volatile int sink;
#define CALLED(n) __attribute__((noinline)) static void called_##n(void) { sink = n; }
#define HANDLER(n) __attribute__((noinline)) static void handler_##n(void) { sink = n; }
#define REGION(n) __attribute__((noinline)) PLAIN static void region_##n(void) { \
  TARRY_REGION_BEGIN("region_" #n); TARRY_ITERATION_BEGIN("iteration", n); TARRY_ITERATION_END("iteration"); TARRY_REGION_END("region_" #n); }
ALL(CALLED) ALL(HANDLER) ALL(REGION)
#define CALLED_NAME(n) called_##n,
#define HANDLER_NAME(n) handler_##n,
#define REGION_NAME(n) region_##n,
static void (*const functions[])(void) = {ALL(CALLED_NAME)};
static void (*const handlers[])(void) = {ALL(HANDLER_NAME)};
static void (*const regions[])(void) = {ALL(REGION_NAME)};

// ---- a signal behind so many instructions

enum { kStepFlag = 0x100 };
static volatile long steps_left;
static volatile int is_stepping, handled;

PLAIN static void handle(int signal) {
  (void)signal;
  if (handled < kFunctions) handlers[handled]();
  ++handled;
}

PLAIN static void step(int signal, siginfo_t* info, void* context) {
  (void)signal;
  (void)info;
  if (is_stepping && --steps_left > 0) return;
  ((ucontext_t*)context)->uc_mcontext.gregs[REG_EFL] &= ~(long long)kStepFlag;
  if (!is_stepping) return;
  is_stepping = 0;
  syscall(SYS_tgkill, getpid(), syscall(SYS_gettid), SIGUSR1);
}

PLAIN static void begin_steps(long count) {
  steps_left = count;
  is_stepping = 1;
  __asm__ volatile("lea -128(%%rsp), %%rsp\n pushfq\n orq $0x100, (%%rsp)\n popfq\n lea 128(%%rsp), %%rsp" ::: "memory", "cc");
}

PLAIN static void end_steps(void) {
  if (__atomic_exchange_n(&is_stepping, 0, __ATOMIC_SEQ_CST)) raise(SIGUSR1);
}

// ---- kinds of calls; each returns how many there were

static int count;
static long first, stride;
#define STEPPED(n, call) do { begin_steps(first + (n) * stride); call; end_steps(); } while (0)

PLAIN static int call_functions(void) {
  for (int i = 0; i < count; ++i) STEPPED(i, functions[i]());
  return count;
}

PLAIN static int call_regions(void) {
  for (int i = 0; i < count; ++i) STEPPED(i, regions[i]());
  return count;
}

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static pthread_barrier_t barrier;
static const struct timespec past = {1, 0};

PLAIN static int call_pthreads(void) {
  int n = 0;
  pthread_barrier_init(&barrier, NULL, 1);
  STEPPED(n++, pthread_mutex_lock(&mutex));
  STEPPED(n++, pthread_cond_signal(&condition));
  STEPPED(n++, pthread_cond_broadcast(&condition));
  STEPPED(n++, pthread_cond_timedwait(&condition, &mutex, &past));
  STEPPED(n++, pthread_mutex_unlock(&mutex));
  STEPPED(n++, pthread_mutex_trylock(&mutex));
  STEPPED(n++, pthread_mutex_timedlock(&mutex, &past));
  STEPPED(n++, pthread_rwlock_rdlock(&lock));
  STEPPED(n++, pthread_rwlock_unlock(&lock));
  STEPPED(n++, pthread_rwlock_tryrdlock(&lock));
  STEPPED(n++, pthread_rwlock_timedwrlock(&lock, &past));
  STEPPED(n++, pthread_rwlock_unlock(&lock));
  STEPPED(n++, pthread_rwlock_wrlock(&lock));
  STEPPED(n++, pthread_rwlock_timedrdlock(&lock, &past));
  STEPPED(n++, pthread_rwlock_unlock(&lock));
  STEPPED(n++, pthread_rwlock_trywrlock(&lock));
  STEPPED(n++, pthread_barrier_wait(&barrier));
  return n;
}

// So that the C library locks its allocator.
PLAIN static void* wait_for_end(void* nothing) {
  pause();
  return nothing;
}

PLAIN static void* allocate(int n, void* before) {
  static const size_t sizes[] = {24, 200, 500, 1100, 70000, 300000};
  free(malloc(sizes[n % 6]));
  void* const memory = malloc(sizes[n / 6 % 6]);
  free(before);
  return memory;
}

PLAIN static int call_memory(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, wait_for_end, NULL);
  void* memory = NULL;
  for (int i = 0; i < count; ++i) STEPPED(i, memory = allocate(i, memory));
  return count;
}

#ifdef USES_MPI
PLAIN static int call_mpi(void) {
  MPI_Comm world = MPI_COMM_WORLD, copy;
  MPI_Group group, other, common;
  MPI_Datatype type, same;
  MPI_Info info, second;
  MPI_Request request;
  MPI_Aint low, extent;
  char name[MPI_MAX_OBJECT_NAME + MPI_MAX_PROCESSOR_NAME];
  int n = 0, i, value = 0, dimensions[2] = {0, 0};
  STEPPED(n++, MPI_Comm_size(world, &i));
  STEPPED(n++, MPI_Comm_rank(world, &i));
  STEPPED(n++, MPI_Comm_group(world, &group));
  STEPPED(n++, MPI_Group_size(group, &i));
  STEPPED(n++, MPI_Group_rank(group, &i));
  STEPPED(n++, MPI_Group_union(group, group, &other));
  STEPPED(n++, MPI_Group_compare(group, other, &i));
  STEPPED(n++, MPI_Group_intersection(group, other, &common));
  STEPPED(n++, MPI_Group_free(&other));
  STEPPED(n++, MPI_Type_contiguous(2, MPI_INT, &type));
  STEPPED(n++, MPI_Type_commit(&type));
  STEPPED(n++, MPI_Type_size(type, &i));
  STEPPED(n++, MPI_Type_get_extent(type, &low, &extent));
  STEPPED(n++, MPI_Type_dup(type, &same));
  STEPPED(n++, MPI_Type_free(&same));
  STEPPED(n++, MPI_Initialized(&i));
  STEPPED(n++, MPI_Finalized(&i));
  STEPPED(n++, MPI_Get_version(&i, &i));
  STEPPED(n++, MPI_Get_processor_name(name, &i));
  STEPPED(n++, MPI_Comm_test_inter(world, &i));
  STEPPED(n++, MPI_Comm_compare(world, MPI_COMM_SELF, &i));
  STEPPED(n++, MPI_Comm_get_name(world, name, &i));
  STEPPED(n++, MPI_Info_create(&info));
  STEPPED(n++, MPI_Info_set(info, "a", "b"));
  STEPPED(n++, MPI_Info_get_nkeys(info, &i));
  STEPPED(n++, MPI_Info_dup(info, &second));
  STEPPED(n++, MPI_Info_free(&second));
  STEPPED(n++, MPI_Is_thread_main(&i));
  STEPPED(n++, MPI_Query_thread(&i));
  STEPPED(n++, MPI_Dims_create(4, 2, dimensions));
  STEPPED(n++, MPI_Barrier(world));
  STEPPED(n++, MPI_Bcast(&value, 1, MPI_INT, 0, world));
  STEPPED(n++, MPI_Allreduce(MPI_IN_PLACE, &value, 1, MPI_INT, MPI_SUM, world));
  STEPPED(n++, MPI_Comm_dup(world, &copy));
  STEPPED(n++, MPI_Comm_set_name(copy, "copy"));
  STEPPED(n++, MPI_Irecv(&value, 1, MPI_INT, 0, 1, MPI_COMM_SELF, &request));
  STEPPED(n++, MPI_Send(&n, 1, MPI_INT, 0, 1, MPI_COMM_SELF));
  STEPPED(n++, MPI_Wait(&request, MPI_STATUS_IGNORE));
  STEPPED(n++, MPI_Comm_free(&copy));
  return n;
}
#endif

PLAIN int main(int argc, char** argv) {
  count = argc == 5 ? atoi(argv[2]) : 0;
  if (count < 1 || count > kFunctions) return 2;
  first = atol(argv[3]);
  stride = atol(argv[4]);
#ifdef USES_MPI
  MPI_Init(&argc, &argv);
#endif
  struct sigaction action = {.sa_flags = SA_SIGINFO | SA_RESTART};
  action.sa_sigaction = step;
  sigaction(SIGTRAP, &action, NULL);
  action.sa_flags = SA_RESTART;
  action.sa_handler = handle;
  sigaction(SIGUSR1, &action, NULL);
  functions[kFunctions - 1]();  // the recording begins
  int calls = -1;
  if (!strcmp(argv[1], "functions")) calls = call_functions();
  if (!strcmp(argv[1], "regions")) calls = call_regions();
  if (!strcmp(argv[1], "pthreads")) calls = call_pthreads();
  if (!strcmp(argv[1], "memory")) calls = call_memory();
#ifdef USES_MPI
  if (!strcmp(argv[1], "mpi")) calls = call_mpi();
#endif
  printf("%s: %d calls, %d handled\n", argv[1], calls, handled);
#ifdef USES_MPI
  MPI_Finalize();
#endif
  return 0;
}
