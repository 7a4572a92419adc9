/* nested_late.c -- a team waits for one of its threads, which waits for a thread of a team of its own.
 *
 * Expected: late() of the inner team's second thread causes all waiting. In each of 5 rounds, 40 ms in the barrier of the
 * inner team are due to it directly, and 40 ms in that of the outer team through the wait of the thread that forked it. */
#define _GNU_SOURCE
#include <omp.h>
#include <unistd.h>

__attribute__((noinline)) static void late(void) {
  usleep(40 * 1000);
  __asm__ volatile("");
}

static void inner(void) {
#pragma omp parallel num_threads(2)
  if (omp_get_thread_num() == 1) late();
}

int main(void) {
  omp_set_max_active_levels(2);
  for (int round = 0; round < 5; ++round) {
#pragma omp parallel num_threads(2)
    if (omp_get_thread_num() == 1) inner();
  }
  return 0;
}
