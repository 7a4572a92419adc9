/* first_locks.c -- locks that one thread takes before there are others, and locks that it still holds then.
 *
 * Takes a mutex and a read-write lock 100,000 times each before its first thread: none of that is recorded. Then a
 * second thread waits for each of four locks that the first one has taken by then: a mutex, a recursive one, and a
 * read-write lock that it writes or reads. At last they wait for each other with locks that are taken later, and for a
 * signal with a mutex that is taken before. Prints how long each wait was, as the threads saw it: the wait state of the
 * function, and the first thread is the cause.
 *
 * first_locks team          the second thread is one of OpenMP
 * first_locks shared FILE   two processes with a thread each wait for a mutex and a read-write lock in FILE instead:
 *                           time in these functions */
#include <fcntl.h>
#include <mpi.h>
#include <omp.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

enum { kTimes = 100000, kHeld = 50 /* ms */ };

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static void compute(int milliseconds) {
  const double end = now() + 1e-3 * milliseconds;
  while (now() < end) {
  }
}

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER, later = PTHREAD_MUTEX_INITIALIZER, recursive;
static pthread_mutex_t of_condition = PTHREAD_MUTEX_INITIALIZER;
static pthread_rwlock_t is_written = PTHREAD_RWLOCK_INITIALIZER, is_read = PTHREAD_RWLOCK_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static int is_signalled;

/* Taken by the first thread, for the second one. */
enum { kMutex, kRecursive, kWritten, kRead, kLater, kWays };
static const char* const names[] = {"mutex", "recursive", "written", "read", "later"};

static void take(int way) {
  if (way == kMutex) pthread_mutex_lock(&mutex);
  if (way == kRecursive) pthread_mutex_lock(&recursive);
  if (way == kWritten) pthread_rwlock_wrlock(&is_written);
  if (way == kRead) pthread_rwlock_wrlock(&is_read);
  if (way == kLater) pthread_mutex_lock(&later);
}

static void give_back(int way) {
  if (way == kMutex) pthread_mutex_unlock(&mutex);
  if (way == kRecursive) pthread_mutex_unlock(&recursive);
  if (way == kWritten) pthread_rwlock_unlock(&is_written);
  if (way == kRead) pthread_rwlock_unlock(&is_read);
  if (way == kLater) pthread_mutex_unlock(&later);
}

static volatile double waits_from[kWays], given_back[kWays], signalled, waits_for_signal;
static volatile int step;

static void* second(void* unused) {
  for (int way = 0; way < kWays; ++way) {
    while (__atomic_load_n(&step, __ATOMIC_ACQUIRE) < way + 1) {
    }
    waits_from[way] = now();
    __atomic_store_n(&step, -1, __ATOMIC_RELEASE);
    take(way);
    give_back(way);
  }
  compute(kHeld);
  pthread_mutex_lock(&of_condition);
  signalled = now();
  is_signalled = 1;
  pthread_cond_signal(&condition);
  pthread_mutex_unlock(&of_condition);
  return unused;
}

/* Gives back one lock after the other, when the second thread has waited for a while. */
static void first(void) {
  for (int way = 0; way < kWays; ++way) {
    if (way == kLater) pthread_mutex_lock(&later);
    if (way == kRecursive) pthread_mutex_lock(&recursive);
    __atomic_store_n(&step, way + 1, __ATOMIC_RELEASE);
    while (__atomic_load_n(&step, __ATOMIC_ACQUIRE) != -1) {
    }
    compute(kHeld);
    given_back[way] = now();
    give_back(way);
    if (way == kRecursive) {
      compute(kHeld);
      given_back[way] = now();
      give_back(way);
    }
  }
  waits_for_signal = now();
  while (!is_signalled) pthread_cond_wait(&condition, &of_condition);
  pthread_mutex_unlock(&of_condition);
}

static void take_many(void) {
  for (int i = 0; i < kTimes; ++i) {
    pthread_mutex_lock(&mutex);
    pthread_mutex_unlock(&mutex);
    pthread_rwlock_rdlock(&is_read);
    pthread_rwlock_unlock(&is_read);
    pthread_cond_signal(&condition);
  }
  if (pthread_mutex_trylock(&later) == 0) pthread_mutex_unlock(&later);
}

static int with_threads(int is_team) {
  pthread_mutexattr_t kind;
  pthread_mutexattr_init(&kind);
  pthread_mutexattr_settype(&kind, PTHREAD_MUTEX_RECURSIVE);
  pthread_mutex_init(&recursive, &kind);
  take_many();
  pthread_mutex_lock(&mutex);
  pthread_mutex_lock(&recursive);
  pthread_rwlock_wrlock(&is_written);
  pthread_rwlock_rdlock(&is_read);
  pthread_mutex_lock(&of_condition);
  if (is_team) {
#pragma omp parallel num_threads(2)
    {
      if (omp_get_thread_num() == 0) first();
      else second(NULL);
    }
  } else {
    pthread_t thread;
    pthread_create(&thread, NULL, second, NULL);
    first();
    pthread_join(thread, NULL);
  }
  for (int way = 0; way < kWays; ++way) printf("%s %.6f\n", names[way], given_back[way] - waits_from[way]);
  printf("signal %.6f\n", signalled - waits_for_signal);
  return 0;
}

/* In a file that both processes map. The first one takes both locks, the second one waits for them. */
struct Shared {
  pthread_mutex_t mutex;
  pthread_rwlock_t lock;
};

static int with_processes(const char* file) {
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  const int descriptor = open(file, O_RDWR | O_CREAT, 0600);
  if (descriptor < 0 || ftruncate(descriptor, sizeof(struct Shared)) != 0) return 1;
  struct Shared* const both = mmap(NULL, sizeof *both, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
  if (both == MAP_FAILED) return 1;
  if (rank == 0) {
    pthread_mutexattr_t of_mutex;
    pthread_mutexattr_init(&of_mutex);
    pthread_mutexattr_setpshared(&of_mutex, PTHREAD_PROCESS_SHARED);
    pthread_mutex_init(&both->mutex, &of_mutex);
    pthread_rwlockattr_t of_lock;
    pthread_rwlockattr_init(&of_lock);
    pthread_rwlockattr_setpshared(&of_lock, PTHREAD_PROCESS_SHARED);
    pthread_rwlock_init(&both->lock, &of_lock);
    pthread_mutex_lock(&both->mutex);
    pthread_rwlock_wrlock(&both->lock);
  }
  MPI_Barrier(MPI_COMM_WORLD);
  const double begin = now();
  if (rank == 0) compute(2 * kHeld);
  else pthread_mutex_lock(&both->mutex);
  const double between = now();
  pthread_mutex_unlock(&both->mutex);
  if (rank == 0) compute(2 * kHeld);
  else pthread_rwlock_rdlock(&both->lock);
  const double end = now();
  pthread_rwlock_unlock(&both->lock);
  if (rank == 1) printf("pthread_mutex_lock %.6f\npthread_rwlock_rdlock %.6f\n", between - begin, end - between);
  return 0;
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  const int outcome = argc > 2 ? with_processes(argv[2]) : with_threads(argc > 1 && strcmp(argv[1], "team") == 0);
  MPI_Finalize();
  return outcome;
}
