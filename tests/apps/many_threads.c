// many_threads.c -- threads that come and go, four at a time: each calls `work` once, with a lock that all share.
//
// usage: many_threads THREADS [kill]
//
// Prints the number of calls, and whether this process has as many mappings of memory at the end as after its first
// threads, give or take 40: "THREADS calls, memory as before". With `kill` it ends itself by SIGKILL instead, while
// four more threads are in `work`.
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { kAtATime = 4, kFirstThreads = 200, kMostMore = 40 };

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int calls = 0, is_last = 0, inside = 0;

__attribute__((noinline)) static void* work(void* nothing) {
  pthread_mutex_lock(&mutex);
  ++calls;
  pthread_mutex_unlock(&mutex);
  if (__atomic_load_n(&is_last, __ATOMIC_ACQUIRE)) {
    __atomic_fetch_add(&inside, 1, __ATOMIC_RELEASE);
    for (;;) pause();
  }
  return nothing;
}

static void start_some(pthread_t* threads) {
  for (int i = 0; i < kAtATime; ++i)
    if (pthread_create(&threads[i], NULL, work, NULL) != 0) exit(2);
}

static int count_mappings(void) {
  FILE* file = fopen("/proc/self/maps", "r");
  int count = 0, c;
  if (!file) exit(3);
  while ((c = getc(file)) != EOF) count += c == '\n';
  fclose(file);
  return count;
}

int main(int argc, char** argv) {
  const int count = argc > 1 ? atoi(argv[1]) : 1000;
  int before = 0;
  pthread_t threads[kAtATime];
  for (int i = 0; i < count; i += kAtATime) {
    start_some(threads);
    for (int k = 0; k < kAtATime; ++k) pthread_join(threads[k], NULL);
    if (i == kFirstThreads) before = count_mappings();
  }
  if (argc > 2 && !strcmp(argv[2], "kill")) {
    __atomic_store_n(&is_last, 1, __ATOMIC_RELEASE);
    start_some(threads);
    while (__atomic_load_n(&inside, __ATOMIC_ACQUIRE) < kAtATime) usleep(1000);
    kill(getpid(), SIGKILL);
  }
  const int more = count_mappings() - before;
  printf("%d calls, ", calls);
  if (more > kMostMore) printf("%d mappings more\n", more);
  else puts("memory as before");
  return 0;
}
