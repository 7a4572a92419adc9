/* semaphore_waits.c -- waits for semaphores for a known time, with and without a limit.
 *
 * One thread posts twice, 200 ms apart; the main thread waits with sem_wait and sem_timedwait. A third wait ends at its
 * limit after 100 ms, with errno ETIMEDOUT. Prints the seconds in sem_wait and those in sem_timedwait. */
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

static sem_t semaphore;

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static void* post_twice(void* argument) {
  for (int i = 0; i < 2; ++i) {
    usleep(200000);
    sem_post(&semaphore);
  }
  return argument;
}

static struct timespec in_milliseconds(long wait) {
  struct timespec time;
  clock_gettime(CLOCK_REALTIME, &time);
  time.tv_nsec += wait * 1000000;
  time.tv_sec += time.tv_nsec / 1000000000;
  time.tv_nsec %= 1000000000;
  return time;
}

int main(void) {
  sem_init(&semaphore, 0, 0);
  pthread_t thread;
  pthread_create(&thread, NULL, post_twice, NULL);
  const double begin = now();
  errno = 7;
  if (sem_wait(&semaphore) != 0 || errno != 7) return 1;
  const double between = now();
  struct timespec limit = in_milliseconds(60000);
  if (sem_timedwait(&semaphore, &limit) != 0) return 2;
  limit = in_milliseconds(100);
  if (sem_timedwait(&semaphore, &limit) != -1 || errno != ETIMEDOUT) return 3;
  const double end = now();
  pthread_join(thread, NULL);
  printf("%.6f %.6f\n", between - begin, end - between);
  return 0;
}
