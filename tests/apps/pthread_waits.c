/* pthread_waits.c -- threads that wait for a mutex for a known time.
 *
 * Four times: a thread locks the mutex for 110 ms, a second one asks for it after 10 ms and waits for 100; the main
 * thread waits in pthread_join. Also uses everything else that is recorded, without waiting. */
// expect: metric=pthread_lock_contention_mutex_lock callpath=*/pthread_mutex_lock rank=0 seconds=4*0.1
// expect: metric=pthread_lock_contention_mutex_lock callpath=*/pthread_mutex_trylock rank=0 seconds=0
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
