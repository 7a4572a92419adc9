/* leaves_at_once.c -- ends without exit handlers. Each way prints the same line, and ends with status 3.
 *
 * leaves_at_once main       the first thread calls _exit() while another one sleeps: complete
 * leaves_at_once standard   _Exit(): complete
 * leaves_at_once thread     another thread calls it, 200 calls deep: complete
 * leaves_at_once children   children of fork() and vfork() call it first, and the program goes on: complete, 30 locks
 * leaves_at_once handler    in the handler of a signal: incomplete */
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void take_locks(int count) {
  for (int i = 0; i < count; ++i) {
    pthread_mutex_lock(&lock);
    pthread_mutex_unlock(&lock);
  }
}

static void* sleep_long(void* unused) {
  take_locks(10);
  sleep(60);
  return unused;
}

static __attribute__((noinline)) int leave(int depth) {
  if (depth == 0) {
    if (getpid() > 0) _exit(3);
    return 0;
  }
  return leave(depth - 1) + depth % 7;
}

static void* leave_deep(void* unused) {
  take_locks(10);
  return leave(200) ? unused : NULL;
}

static void leave_in_handler(int signal) {
  (void)signal;
  _exit(3);
}

int main(int argc, char** argv) {
  if (argc < 2) return 2;
  pthread_t thread;
  puts("leaving");
  fflush(stdout);
  take_locks(10);
  if (strcmp(argv[1], "thread") == 0) {
    pthread_create(&thread, NULL, leave_deep, NULL);
    pthread_join(thread, NULL);
  }
  pthread_create(&thread, NULL, sleep_long, NULL);
  usleep(20000);
  if (strcmp(argv[1], "children") == 0) {
    if (fork() == 0) _exit(1);
    wait(NULL);
    if (vfork() == 0) _exit(1);
    wait(NULL);
  }
  take_locks(10);
  if (strcmp(argv[1], "handler") == 0) {
    signal(SIGUSR1, leave_in_handler);
    raise(SIGUSR1);
  }
  if (strcmp(argv[1], "standard") == 0) _Exit(3);
  _exit(3);
}
