// forking_threads.c -- threads that come and go: each forks a team of OpenMP of two, in which `inside` is called.
//
// usage: forking_threads THREADS
//
// Prints the number of calls, and whether this process has as much memory at the end as after half of its threads, give
// or take 16 MiB: "CALLS calls, memory as before".
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { kMostMore = 16 << 10 };  // KiB

static int calls = 0;

__attribute__((noinline)) static void inside(void) { __atomic_fetch_add(&calls, 1, __ATOMIC_RELAXED); }

static void* fork_team(void* nothing) {
#pragma omp parallel num_threads(2)
  inside();
  return nothing;
}

static long count_memory(void) {
  char line[256];
  long size = 0;
  FILE* file = fopen("/proc/self/status", "r");
  if (!file) exit(3);
  while (fgets(line, sizeof line, file)) sscanf(line, "VmSize: %ld", &size);
  fclose(file);
  return size;
}

int main(int argc, char** argv) {
  const int count = argc > 1 ? atoi(argv[1]) : 400;
  long before = 0;
  for (int i = 0; i < count; ++i) {
    pthread_t thread;
    if (pthread_create(&thread, NULL, fork_team, NULL) != 0) return 2;
    pthread_join(thread, NULL);
    if (i == count / 2) before = count_memory();
  }
  const long more = count_memory() - before;
  printf("%d calls, ", calls);
  if (more > kMostMore) printf("%ld KiB more\n", more);
  else puts("memory as before");
  return 0;
}
