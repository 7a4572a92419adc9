/* hard.c -- what makes recording hard: signals, jumps out of handlers, other stacks, fork, exec, deep calls, many calls.
 *
 * usage: hard signals|jumps|deep|fork|exec|many COUNT. Prints how often work was called by main, and by handlers.
 */
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

static volatile long in_main, in_handler;
static volatile long sink;
static sigjmp_buf escape;

__attribute__((noinline)) static void work(void) { ++sink; }

__attribute__((noinline)) static void on_alarm(int number) {
  (void)number;
  work();
  ++in_handler;
}

__attribute__((noinline)) static void jump_away(int number) {
  (void)number;
  ++in_handler;
  siglongjmp(escape, 1);
}

static void alarm_every(long microseconds, void (*handler)(int), int flags) {
  struct sigaction action;
  memset(&action, 0, sizeof action);
  action.sa_handler = handler;
  action.sa_flags = flags;
  sigaction(SIGALRM, &action, NULL);
  const struct itimerval interval = {{0, microseconds}, {0, microseconds}};
  setitimer(ITIMER_REAL, &interval, NULL);
}

static void alarm_off(void) {
  const struct itimerval never = {{0, 0}, {0, 0}};
  setitimer(ITIMER_REAL, &never, NULL);
}

/* On a stack of their own, in every second run of the loop. */
static void signals(long count) {
  stack_t stack = {malloc(1 << 16), 0, 1 << 16};
  sigaltstack(&stack, NULL);
  for (int part = 0; part < 2; ++part) {
    alarm_every(500, on_alarm, part ? SA_ONSTACK : 0);
    for (long i = 0; i < count; ++i) {
      work();
      ++in_main;
    }
    alarm_off();
  }
}

static void jumps(long count) {
  for (volatile long i = 0; i < count; ++i) {
    if (sigsetjmp(escape, 1) == 0) {
      alarm_every(300, jump_away, 0);
      for (;;) work();
    }
  }
  alarm_off();
}

__attribute__((noinline)) static long deep(long levels) { return levels == 0 ? 0 : 1 + deep(levels - 1); }

int main(int argc, char** argv) {
  if (argc < 3) return 2;
  const char* mode = argv[1];
  const long count = atol(argv[2]);
  if (!strcmp(mode, "signals")) signals(count);
  if (!strcmp(mode, "jumps")) jumps(count);
  if (!strcmp(mode, "deep")) sink = deep(count);
  if (!strcmp(mode, "many"))
    for (; in_main < count; ++in_main) work();
  if (!strcmp(mode, "fork")) {
    work();
    const pid_t child = fork();
    if (child == 0) {
      for (long i = 0; i < count; ++i) work();
      exit(0);
    }
    waitpid(child, NULL, 0);
    work();
  }
  if (!strcmp(mode, "exec")) {
    work();
    execl("/proc/self/exe", argv[0], "many", argv[2], (char*)NULL);
  }
  work();
  printf("%ld %ld\n", in_main, in_handler);
  return 0;
}
