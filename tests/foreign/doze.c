/* doze.c -- preloaded under MPICH's test suite: a rank that finds nothing to do sleeps instead of spinning.
 *
 * MPICH over UCX calls ucp_worker_progress in a loop while it waits. On a machine with fewer cores than ranks, ranks
 * that wait take the cores from ranks that work. With this library, a rank sleeps after many calls without progress. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <time.h>

enum { IDLE_CALLS = 50, NAP_NANOSECONDS = 20000 };

unsigned ucp_worker_progress(void *worker) {
  static unsigned (*progress)(void *);
  static _Thread_local unsigned idle_calls;
  if (!progress) progress = (unsigned (*)(void *))dlsym(RTLD_NEXT, "ucp_worker_progress");
  const unsigned advanced = progress(worker);
  idle_calls = advanced ? 0 : idle_calls + 1;
  if (idle_calls > IDLE_CALLS) {
    const struct timespec nap = {0, NAP_NANOSECONDS};
    nanosleep(&nap, 0);
  }
  return advanced;
}
