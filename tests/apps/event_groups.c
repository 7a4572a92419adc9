/* event_groups.c -- constructs of OpenMP, POSIX threads with locks and conditions, and files: each a known number of times.
 *
 * usage: event_groups    prints the sum of its work, which is the same every time
 *
 * Two threads of OpenMP meet in a loop, 20 critical blocks, 20 pairs of omp_set_lock() and omp_unset_lock(), and execute 10
 * tasks. Two POSIX threads lock a mutex 30 times each; main() waits for a condition. A file is written 5 times and read
 * 4 times, and its attributes are asked for 3 times.
 */
#include <omp.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static long sum;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t all_are_done = PTHREAD_COND_INITIALIZER;
static int done;

static void use_openmp(void) {
  omp_lock_t lock;
  omp_init_lock(&lock);
#pragma omp parallel num_threads(2)
  {
#pragma omp for
    for (int i = 0; i < 20; ++i) {
#pragma omp critical(adding)
      sum += i;
      omp_set_lock(&lock);
      sum += 1;
      omp_unset_lock(&lock);
    }
#pragma omp single
    for (int i = 0; i < 10; ++i) {
#pragma omp task
      {
        omp_set_lock(&lock);
        sum += 2;
        omp_unset_lock(&lock);
      }
    }
  }
  omp_destroy_lock(&lock);
}

static void *run_thread(void *unused) {
  for (int i = 0; i < 30; ++i) {
    pthread_mutex_lock(&mutex);
    ++sum;
    if (i == 29) ++done;
    if (i == 29) pthread_cond_signal(&all_are_done);
    pthread_mutex_unlock(&mutex);
  }
  return unused;
}

static void use_threads(void) {
  pthread_t threads[2];
  for (int i = 0; i < 2; ++i)
    if (pthread_create(&threads[i], NULL, run_thread, NULL)) abort();
  pthread_mutex_lock(&mutex);
  while (done < 2) pthread_cond_wait(&all_are_done, &mutex);
  pthread_mutex_unlock(&mutex);
  for (int i = 0; i < 2; ++i) pthread_join(threads[i], NULL);
}

static void use_files(void) {
  char bytes[100] = {1};
  FILE *file = fopen("event_groups.data", "w+");
  if (!file) abort();
  for (int i = 0; i < 5; ++i) sum += (long)fwrite(bytes, 1, sizeof bytes, file);
  rewind(file);
  for (int i = 0; i < 4; ++i) sum += (long)fread(bytes, 1, sizeof bytes, file);
  fclose(file);
  struct stat facts;
  for (int i = 0; i < 3; ++i) sum += stat("event_groups.data", &facts) == 0 ? (long)facts.st_size : 0;
  unlink("event_groups.data");
}

int main(void) {
  use_openmp();
  use_threads();
  use_files();
  printf("%ld\n", sum);
  return 0;
}
