/* cut_stacks.c -- locks a mutex 60 times below main() and COUNT times below a function without unwind information.
 *
 * Build: cc -O1 -fomit-frame-pointer -shared -fPIC -fno-asynchronous-unwind-tables -fno-unwind-tables -DLIBRARY
 * -o libcut.so; cc -O1 -o cut_stacks, with libcut.so. (Without frame pointers: on arm64 their chain leads on.)
 * usage: cut_stacks COUNT. Each lock and each unlock is a stack: 2 * COUNT of 120 + 2 * COUNT and a few more are
 * cut, in libcut.so. */
#ifdef LIBRARY

void call_back(void (*function)(void)) {
  function();
  __asm__ volatile(""); /* no jump */
}

#else

#include <pthread.h>
#include <stdlib.h>

void call_back(void (*function)(void));

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

__attribute__((noinline)) static void work(void) {
  pthread_mutex_lock(&mutex);
  pthread_mutex_unlock(&mutex);
}

/* From a thread's start on a program without MPI is recorded. */
static void* start(void* nothing) { return nothing; }

int main(int count, char** words) {
  pthread_t thread;
  if (pthread_create(&thread, NULL, start, NULL) != 0 || pthread_join(thread, NULL) != 0) return 1;
  const int wanted = count > 1 ? atoi(words[1]) : 0;
  for (int i = 0; i < 60; ++i) work();
  for (int i = 0; i < wanted; ++i) call_back(work);
  return 0;
}

#endif
