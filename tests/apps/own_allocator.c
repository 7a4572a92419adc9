// own_allocator.c -- a program whose allocator locks: what it locks with must not allocate in turn.
//
// Network libraries do the same where the heap grows or shrinks.
#include <mpi.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { kHeader = 16 };

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static char heap[256 << 20];
static size_t used;
static long allocations;

void* malloc(size_t size) {
  pthread_mutex_lock(&mutex);
  const int is_locked = pthread_rwlock_trywrlock(&lock) == 0;
  const size_t room = (size + kHeader + 15) / 16 * 16;
  char* block = NULL;
  if (used + room <= sizeof heap) {
    block = heap + used;
    used += room;
    memcpy(block, &size, sizeof size);
    ++allocations;
  }
  if (is_locked) pthread_rwlock_unlock(&lock);
  pthread_mutex_unlock(&mutex);
  return block ? block + kHeader : NULL;
}

void free(void* pointer) { (void)pointer; }

void* calloc(size_t count, size_t size) { return malloc(count * size); }

void* realloc(void* pointer, size_t size) {
  void* larger = malloc(size);
  size_t before = 0;
  if (pointer) memcpy(&before, (char*)pointer - kHeader, sizeof before);
  if (larger && pointer) memcpy(larger, pointer, before < size ? before : size);
  return larger;
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Finalize();
  if (rank == 0) printf("allocates %s\n", allocations > 100 ? "much" : "hardly");
  return 0;
}
