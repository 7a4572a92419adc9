/* pthread_waits.c -- threads that wait for a mutex for a known time.
 *
 * Four times: a thread locks the mutex for 110 ms, a second one asks for it after 10 ms and waits for 100; the main
 * thread waits in pthread_join. Then the same with a read-write lock: a reader waits for a writer for 200 ms, and a writer
 * for two readers, for the second of them 300 ms. Also uses everything else that is recorded, without waiting. */
// expect: metric=pthread_lock_contention_mutex_lock callpath=*/pthread_mutex_lock rank=0 seconds=4*0.1
// expect: metric=pthread_lock_contention_mutex_lock callpath=*/pthread_mutex_trylock rank=0 seconds=0
// expect: metric=pthread_lock_contention_rwlock callpath=*/pthread_rwlock_rdlock rank=0 seconds=0.2
// expect: metric=pthread_lock_contention_rwlock callpath=*/pthread_rwlock_wrlock rank=0 seconds=0.3
// expect: metric=delay_threadlock_aggregate callpath=* rank=0 seconds=0.9
#include <pthread.h>
#include <stdlib.h>

#include "omp_scene.h"

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static pthread_rwlock_t shared = PTHREAD_RWLOCK_INITIALIZER;
static pthread_barrier_t barrier;
static int is_ready;

static void* first(void* argument) {
  pthread_mutex_lock(&mutex);
  sleep_until(110);
  pthread_mutex_unlock(&mutex);
  return argument;
}

static void* second(void* argument) {
  sleep_until(10);
  pthread_mutex_lock(&mutex);
  pthread_mutex_unlock(&mutex);
  return argument;
}

static void* writes_first(void* argument) {
  pthread_rwlock_wrlock(&shared);
  sleep_until(210);
  pthread_rwlock_unlock(&shared);
  return argument;
}

static void* reads_first(void* argument) {
  pthread_rwlock_rdlock(&shared);
  sleep_until(argument ? 310 : 110);
  pthread_rwlock_unlock(&shared);
  return argument;
}

static void* reads_second(void* argument) {
  sleep_until(10);
  pthread_rwlock_rdlock(&shared);
  pthread_rwlock_unlock(&shared);
  return argument;
}

static void* writes_second(void* argument) {
  sleep_until(10);
  pthread_rwlock_wrlock(&shared);
  pthread_rwlock_unlock(&shared);
  return argument;
}

static void read_and_write(void) {
  pthread_t threads[3];
  scene_start();
  pthread_create(&threads[0], NULL, writes_first, NULL);
  pthread_create(&threads[1], NULL, reads_second, NULL);
  pthread_join(threads[0], NULL);
  pthread_join(threads[1], NULL);
  scene_start();
  pthread_create(&threads[0], NULL, reads_first, NULL);
  pthread_create(&threads[1], NULL, reads_first, &shared);
  pthread_create(&threads[2], NULL, writes_second, NULL);
  pthread_join(threads[0], NULL);
  pthread_join(threads[1], NULL);
  pthread_join(threads[2], NULL);
}

static void* other_calls(void* argument) {
  pthread_mutex_lock(&mutex);
  while (!is_ready) pthread_cond_wait(&condition, &mutex);
  pthread_mutex_unlock(&mutex);
  pthread_rwlock_rdlock(&shared);
  pthread_rwlock_unlock(&shared);
  pthread_barrier_wait(&barrier);
  return argument;
}

int main(int argc, char** argv) {
  pthread_t threads[2];
  void* result;
  int numbers[2] = {0, 1}, scene, i;
  MPI_Init(&argc, &argv);
  for (scene = 0; scene < 4; ++scene) {
    scene_start();
    pthread_create(&threads[0], NULL, first, &numbers[0]);
    pthread_create(&threads[1], NULL, second, &numbers[1]);
    for (i = 0; i < 2; ++i) {
      pthread_join(threads[i], &result);
      if (result != &numbers[i]) abort();
    }
  }
  read_and_write();
  pthread_barrier_init(&barrier, NULL, 2);
  pthread_create(&threads[0], NULL, other_calls, NULL);
  pthread_rwlock_wrlock(&shared);
  pthread_rwlock_unlock(&shared);
  pthread_mutex_lock(&mutex);
  is_ready = 1;
  pthread_cond_broadcast(&condition);
  pthread_mutex_unlock(&mutex);
  pthread_barrier_wait(&barrier);
  pthread_join(threads[0], &result);
  if (pthread_mutex_trylock(&mutex) != 0) abort();
  pthread_mutex_unlock(&mutex);
  MPI_Finalize();
  return 0;
}
