// jumps_out_of_writes.c -- writes to a file, and jumps out of a handler of signals at any moment, also of the recorder.
//
// usage: jumps_out_of_writes FILE JUMPS
#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/time.h>
#include <unistd.h>

static sigjmp_buf g_begin;
static volatile sig_atomic_t g_jumps;

static void jump(int signal) {
  (void)signal;
  ++g_jumps;
  siglongjmp(g_begin, 1);
}

int main(int argc, char** argv) {
  const int file = argc > 2 ? open(argv[1], O_WRONLY | O_CREAT, 0600) : -1;
  const int most = argc > 2 ? atoi(argv[2]) : 0;
  if (file < 0) return 1;
  struct sigaction action = {0};
  action.sa_handler = jump;
  sigaction(SIGALRM, &action, NULL);
  static const char data[16];
  while (sigsetjmp(g_begin, 1), g_jumps < most) {
    // Another moment each time.
    const struct itimerval soon = {{0, 0}, {0, 20 + g_jumps % 97}};
    setitimer(ITIMER_REAL, &soon, NULL);
    for (;;)
      if (pwrite(file, data, sizeof data, 0) < 0) return 1;
  }
  return 0;
}
