/* two_burners.c -- two threads that each need a processor for 0.3 s.
 *
 * Expected: with other programs on the same two processors, a thread waits for one, but never longer than it is there.
 */
#include <pthread.h>
#include <time.h>

static double processor_time(void) {
  struct timespec time;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static void* burn(void* unused) {
  while (processor_time() < 0.3) continue;
  return unused;
}

int main(void) {
  pthread_t other;
  pthread_create(&other, 0, burn, 0);
  burn(0);
  pthread_join(other, 0);
  return 0;
}
