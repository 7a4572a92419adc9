/* own_timers.c -- a program that uses all the timers and signals there are, and whose system calls must not be
 * interrupted.
 *
 * usage: own_timers ROUNDS
 *
 * Prints what must be the same with samples and without: which handlers ran, which masks and handlers are set, and how
 * many system calls ended with EINTR. A child and a program that it executes do the same. */
#define _GNU_SOURCE
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/ipc.h>
#include <sys/select.h>
#include <sys/sem.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static volatile sig_atomic_t g_came[128];
static volatile unsigned long g_sink = 1;

static void note(int signal) { g_came[signal] = 1; }

static void compute(long steps) {
  for (long i = 0; i < steps; ++i) g_sink = g_sink * 31 + 1;
}

static void handle(int signal, int flags) {
  struct sigaction action;
  memset(&action, 0, sizeof action);
  action.sa_handler = note;
  action.sa_flags = flags;
  if (sigaction(signal, &action, NULL) != 0) perror("sigaction");
}

static void wait_for(int signal) {
  const time_t begin = time(NULL);
  while (!g_came[signal] && time(NULL) < begin + 20) compute(10000);
  printf(" %s", g_came[signal] ? "came" : "MISSED");
}

/* Interval timers of the program's time, its processor time and real time; a timer of its own on every signal that is
 * free, those that a library might have taken included. */
static void use_timers(void) {
  const struct itimerval soon = {{0, 0}, {0, 20000}};
  const int signals[] = {SIGPROF, SIGVTALRM, SIGALRM}, kinds[] = {ITIMER_PROF, ITIMER_VIRTUAL, ITIMER_REAL};
  printf("interval timers:");
  for (int i = 0; i < 3; ++i) {
    handle(signals[i], SA_RESTART);
    setitimer(kinds[i], &soon, NULL);
    wait_for(signals[i]);
  }
  printf("\nreal-time signals:");
  for (int signal = SIGRTMAX; signal > SIGRTMAX - 4; --signal) {
    struct sigevent event;
    timer_t timer;
    const struct itimerspec at = {{0, 0}, {0, 20000000}};
    memset(&event, 0, sizeof event);
    event.sigev_notify = SIGEV_SIGNAL;
    event.sigev_signo = signal;
    handle(signal, SA_RESTART);
    if (timer_create(CLOCK_PROCESS_CPUTIME_ID, &event, &timer) != 0 || timer_settime(timer, 0, &at, NULL) != 0)
      perror("timer");
    wait_for(signal);
    timer_delete(timer);
  }
  printf("\n");
}

/* With all signals blocked the mask says so, and a pending signal waits. */
static void use_masks(void) {
  sigset_t all, before, now, pending;
  sigfillset(&all);
  sigprocmask(SIG_SETMASK, &all, &before);
  raise(SIGUSR1);
  compute(30000000);
  sigprocmask(SIG_BLOCK, NULL, &now);
  sigpending(&pending);
  int blocked = 0, before_count = 0, waiting = 0;
  for (int signal = 1; signal <= SIGRTMAX; ++signal) {
    blocked += sigismember(&now, signal) == 1;
    before_count += sigismember(&before, signal) == 1;
    waiting += sigismember(&pending, signal) == 1;
  }
  printf("blocked %d, before %d, waiting %d, all %d\n", blocked, before_count, waiting, sigismember(&now, SIGRTMAX));
  handle(SIGUSR1, 0);
  sigprocmask(SIG_SETMASK, &before, NULL);
  wait_for(SIGUSR1);
  printf("\n");
}

static int is_interrupted(long outcome) { return outcome < 0 && errno == EINTR; }

/* Calls that the kernel does not start again after a handler, whatever its flags. */
static void sleep_in_the_kernel(long rounds) {
  long interrupted = 0;
  const struct timespec little = {0, 200000};
  const int epoll = epoll_create1(0), semaphore = semget(IPC_PRIVATE, 1, 0600);
  int ends[2];
  char byte = 0;
  sigset_t usr2;
  sigemptyset(&usr2);
  sigaddset(&usr2, SIGUSR2);
  sigprocmask(SIG_BLOCK, &usr2, NULL);
  if (pipe(ends) != 0) perror("pipe");
  for (long round = 0; round < rounds; ++round) {
    struct epoll_event event;
    struct timeval moment = {0, 200};
    struct sembuf down = {0, -1, 0};
    compute(1000 + round % 97 * 1000);
    interrupted += is_interrupted(poll(NULL, 0, 1));
    interrupted += is_interrupted(nanosleep(&little, NULL));
    interrupted += is_interrupted(epoll_wait(epoll, &event, 1, 1));
    interrupted += is_interrupted(select(0, NULL, NULL, NULL, &moment));
    interrupted += is_interrupted(semtimedop(semaphore, &down, 1, &little));
    interrupted += is_interrupted(sigtimedwait(&usr2, NULL, &little));
    interrupted += is_interrupted(usleep(100));
    for (int i = 0; i < 200; ++i) {
      interrupted += is_interrupted(poll(NULL, 0, 0));
      interrupted += is_interrupted(write(ends[1], &byte, 1)) + is_interrupted(read(ends[0], &byte, 1));
    }
  }
  semctl(semaphore, 0, IPC_RMID);
  printf("interrupted calls: %ld\n", interrupted);
}

static void* compute_in_thread(void* given) {
  compute(20000000);
  return given;
}

static void use_thread(void) {
  pthread_t thread;
  int given = 0;
  void* result = NULL;
  pthread_create(&thread, NULL, compute_in_thread, &given);
  pthread_join(thread, &result);
  printf("thread: %s\n", result == &given ? "joined" : "LOST");
}

int main(int argc, char** argv) {
  const long rounds = argc > 1 ? atol(argv[1]) : 100;
  if (argc > 2) printf("executed\n");
  use_timers();
  use_masks();
  use_thread();
  sleep_in_the_kernel(rounds);
  fflush(stdout);
  if (argc > 2) return 5;
  const pid_t child = fork();
  if (child == 0) {
    memset((void*)g_came, 0, sizeof g_came);
    printf("child\n");
    use_timers();
    compute(30000000);
    fflush(stdout);
    execl(argv[0], argv[0], "10", "again", (char*)NULL);
    _exit(1);
  }
  int status = 0;
  const pid_t ended = waitpid(child, &status, 0);
  printf("child %s with %d\n", ended == child ? "ended" : "LOST", WEXITSTATUS(status));
  return 4;
}
