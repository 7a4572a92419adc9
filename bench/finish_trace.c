/* finish_trace.c -- calls the hooks of compilers until a trace of BYTES is in memory, and says when it has done so.
 *
 * usage: finish_trace BYTES. Prints the seconds of CLOCK_MONOTONIC at the end of main; 4 bytes are taken for an event.
 */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

void __cyg_profile_func_enter(void* function, void* call_site);
void __cyg_profile_func_exit(void* function, void* call_site);

static void outer(void) {}
static void inner(void) {}

int main(int argc, char** argv) {
  const long bytes = argc > 1 ? atol(argv[1]) : 0;
  volatile long sum = 0;
  for (long i = 0; i < bytes / 16; ++i) {
    __cyg_profile_func_enter((void*)outer, NULL);
    for (long j = 0; j < i % 7; ++j) sum += j;
    __cyg_profile_func_enter((void*)inner, NULL);
    __cyg_profile_func_exit((void*)inner, NULL);
    __cyg_profile_func_exit((void*)outer, NULL);
  }
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  printf("%.6f\n", (double)now.tv_sec + 1e-9 * (double)now.tv_nsec);
  return 0;
}
