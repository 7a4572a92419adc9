// thread_starts.c -- threads that have hardly begun when a handler writes in them: it may interrupt an allocator.
//
// usage: thread_starts THREADS WRITES      Each thread writes so often to "out"; four of them live at a time.
#define _GNU_SOURCE
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/time.h>
#include <unistd.h>

enum { kAtATime = 4 };

static int alarms = -1, out = -1, writes = 0;

static void note_alarm(int signal) {
  (void)signal;
  if (write(alarms, "alarm\n", 6) != 6) _exit(3);
}

static void* write_often(void* nothing) {
  for (int i = 0; i < writes; ++i)
    if (write(out, "x", 1) != 1) exit(2);
  return nothing;
}

int main(int argc, char** argv) {
  const int threads = argc > 1 ? atoi(argv[1]) : 100;
  writes = argc > 2 ? atoi(argv[2]) : 20;
  alarms = open("alarms", O_WRONLY | O_CREAT | O_TRUNC | O_APPEND, 0600);
  out = open("out", O_WRONLY | O_CREAT | O_TRUNC | O_APPEND, 0600);
  signal(SIGALRM, note_alarm);
  const struct itimerval often = {{0, 100}, {0, 100}}, never = {{0, 0}, {0, 0}};
  setitimer(ITIMER_REAL, &often, NULL);
  sigset_t alarm;
  sigemptyset(&alarm);
  sigaddset(&alarm, SIGALRM);
  for (int i = 0; i < threads; i += kAtATime) {
    pthread_t started[kAtATime];
    for (int k = 0; k < kAtATime; ++k) pthread_create(&started[k], NULL, write_often, NULL);
    pthread_sigmask(SIG_BLOCK, &alarm, NULL);  // so that the others are interrupted
    for (int k = 0; k < kAtATime; ++k) pthread_join(started[k], NULL);
    pthread_sigmask(SIG_UNBLOCK, &alarm, NULL);
  }
  setitimer(ITIMER_REAL, &never, NULL);
  printf("%d\n", (threads + kAtATime - 1) / kAtATime * kAtATime * writes);
  return 0;
}
