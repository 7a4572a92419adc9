// many_writes.c -- writes more often than there is memory to record, in threads and in a handler that interrupts malloc.
//
// usage: many_writes THREADS WRITES      Prints how many writes each file has got.
#define _GNU_SOURCE
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <unistd.h>

static int alarms = -1;
static long writes = 0;

static void note_alarm(int signal) {
  (void)signal;
  if (write(alarms, "alarm\n", 6) != 6) _exit(3);
}

static void* write_often(void* name) {
  const int file = open(name, O_WRONLY | O_CREAT | O_TRUNC, 0600);
  for (long i = 0; i < writes; ++i) {
    void* const memory = malloc((size_t)(i % 5000) + 1);
    if (!memory || write(file, "x", 1) != 1) exit(2);
    free(memory);
  }
  close(file);
  return NULL;
}

static long size_of(const char* name) {
  struct stat facts;
  return stat(name, &facts) == 0 ? (long)facts.st_size : -1;
}

int main(int argc, char** argv) {
  static char names[16][32];
  pthread_t threads[16];
  const int count = argc > 1 ? atoi(argv[1]) : 1;
  writes = argc > 2 ? atol(argv[2]) : 1000;
  alarms = open("alarms", O_WRONLY | O_CREAT | O_TRUNC | O_APPEND, 0600);
  signal(SIGALRM, note_alarm);
  const struct itimerval often = {{0, 500}, {0, 500}}, never = {{0, 0}, {0, 0}};
  setitimer(ITIMER_REAL, &often, NULL);
  for (int i = 0; i < count; ++i) {
    snprintf(names[i], sizeof names[i], "file.%d", i);
    pthread_create(&threads[i], NULL, write_often, names[i]);
  }
  for (int i = 0; i < count; ++i) pthread_join(threads[i], NULL);
  setitimer(ITIMER_REAL, &never, NULL);
  close(alarms);
  for (int i = 0; i < count; ++i) printf("%s,%ld\n", names[i], size_of(names[i]));
  printf("alarms,%ld\n", size_of("alarms") / 6);
  return 0;
}
