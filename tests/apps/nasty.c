/* nasty.c -- programs that do to themselves what a recorder may not notice, or may not survive: nasty CASE.
 *
 * What a case prints, its status and the files it leaves must be the same with and without the recorder. `nasty list`
 * prints the names of all cases. Each burns enough instrumented calls to fill several blocks of the recorder. */
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <spawn.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <ucontext.h>
#include <unistd.h>

#include <linux/filter.h>
#include <linux/seccomp.h>

extern char** environ;

enum { MANY = 300000, SOME = 1000 };
#define BARE __attribute__((no_instrument_function))

static volatile long sum;
static __attribute__((noinline)) void work(int i) { sum += i; }
static __attribute__((noinline)) void burn(int calls) {
  for (int i = 0; i < calls; ++i) work(i);
}

/* ---- descriptors and files --------------------------------------------------------------------------------------- */

/* Writes a file of a megabyte, burns, and counts what is left of it. */
static void guard_own_file(const char* name) {
  enum { SIZE = 1 << 20 };
  static char data[SIZE], back[SIZE];
  memset(data, 'D', SIZE);
  const int file = open(name, O_RDWR | O_CREAT | O_TRUNC, 0644);
  const ssize_t written = write(file, data, SIZE);
  burn(MANY);
  struct stat facts;
  fstat(file, &facts);
  lseek(file, 0, SEEK_SET);
  long kept = 0;
  const ssize_t read_back = read(file, back, SIZE);
  for (ssize_t i = 0; i < read_back; ++i) kept += back[i] == 'D';
  printf("descriptor %d: wrote %zd, has %ld, kept %ld\n", file, written, (long)facts.st_size, kept);
}

static void close_all(void) {
  burn(SOME);
  for (int i = 3; i < 4096; ++i) close(i);
  guard_own_file("own");
}

static void close_a_range(void) {
  burn(SOME);
  syscall(SYS_close_range, 3u, ~0u, 0u);
  guard_own_file("own");
}

static void close_while_running(void) {
  for (int round = 0; round < 50; ++round) {
    burn(MANY / 50);
    for (int i = 3; i < 4096; ++i) close(i);
  }
  guard_own_file("own");
}

/* Every number that is free becomes a file of the program's. */
static void take_all(void) {
  burn(SOME);
  const int file = open("own", O_RDWR | O_CREAT | O_TRUNC, 0644);
  for (int i = 3; i < 1024; ++i)
    if (i != file) dup2(file, i);
  burn(MANY);
  struct stat facts;
  fstat(file, &facts);
  printf("has %ld\n", (long)facts.st_size);
}

static void list_descriptors(void) {
  burn(MANY);
  for (int i = 0; i < 65536; ++i)
    if (fcntl(i, F_GETFD) >= 0) printf("open: %d\n", i);
}

static void lowest_descriptor(void) {
  for (int round = 0; round < 4; ++round) {
    burn(MANY / 4);
    const int file = open("/dev/null", O_RDONLY);
    printf("next is %d\n", file);
    close(file);
  }
}

/* Its data file gets the number of stderr, and the recorder has something to say. */
static void data_as_stderr(void) {
  burn(SOME);
  close(2);
  open("own", O_RDWR | O_CREAT | O_TRUNC, 0644);
  const struct rlimit none = {3, 3};
  setrlimit(RLIMIT_NOFILE, &none);
  burn(MANY);
}

static void broken_stderr(void) {
  int ends[2];
  burn(SOME);
  if (pipe(ends)) exit(2);
  dup2(ends[1], 2);
  close(ends[0]);
  close(ends[1]);
  const struct rlimit none = {3, 3};
  setrlimit(RLIMIT_NOFILE, &none);
  burn(MANY);
  puts("still here");
}

static void gone_folder(void) {
  burn(SOME);
  if (mkdir("gone", 0700) || chdir("gone") || rmdir("../gone")) exit(2);
  burn(MANY);
  puts(getcwd((char[PATH_MAX]){0}, PATH_MAX) ? "here" : "nowhere");
}

static void strict_umask(void) {
  umask(0777);
  burn(MANY);
  printf("umask %03o\n", umask(0));
}

static void no_more_files(void) {
  burn(SOME);
  const struct rlimit few = {3, 3};
  setrlimit(RLIMIT_NOFILE, &few);
  burn(MANY);
  printf("open: %s\n", open("/dev/null", O_RDONLY) < 0 ? strerror(errno) : "works");
}

static volatile int file_signals;
static BARE void count_file_signal(int number) { file_signals += number == SIGXFSZ; }

static void small_files(void) {
  signal(SIGXFSZ, count_file_signal);
  const struct rlimit small = {10000, 10000};
  setrlimit(RLIMIT_FSIZE, &small);
  burn(MANY);
  const int file = open("own", O_RDWR | O_CREAT | O_TRUNC, 0644);
  static char data[20000];
  const ssize_t first = write(file, data, sizeof data), second = write(file, data, sizeof data);
  printf("wrote %zd, then %zd (%s), signals %d\n", first, second, strerror(errno), file_signals);
}

static void small_files_default(void) {
  burn(SOME);
  const struct rlimit small = {0, 0};
  setrlimit(RLIMIT_FSIZE, &small);
  burn(MANY);
}

/* ---- memory ------------------------------------------------------------------------------------------------------ */

static void no_more_memory(void) {
  burn(SOME);
  const struct rlimit none = {1 << 20, 1 << 20};
  setrlimit(RLIMIT_AS, &none);
  burn(MANY);
  puts(malloc(64 << 20) ? "memory" : "none");
}

#define TWICE(name) static __attribute__((noinline)) void name##_0(void) { work(0); } static __attribute__((noinline)) void name##_1(void) { work(1); }
TWICE(a) TWICE(b) TWICE(c) TWICE(d)

/* New functions are met when there is no memory left to define them. */
static void new_functions_without_memory(void) {
  burn(SOME);
  const struct rlimit none = {1 << 20, 1 << 20};
  setrlimit(RLIMIT_AS, &none);
  while (malloc(1 << 16)) continue;
  while (malloc(16)) continue;
  a_0(), a_1(), b_0(), b_1(), c_0(), c_1(), d_0(), d_1();
  burn(MANY);
  write(1, "still here\n", 11);
}

static void* burn_in_thread(void* calls) {
  burn((int)(intptr_t)calls);
  return NULL;
}

static void small_stack(void) {
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  printf("stack: %d\n", pthread_attr_setstacksize(&attributes, 2 * PTHREAD_STACK_MIN));
  for (int i = 0; i < 4; ++i) {
    pthread_t thread;
    if (pthread_create(&thread, &attributes, burn_in_thread, (void*)(intptr_t)(MANY / 2))) exit(2);
    pthread_join(thread, NULL);
  }
  printf("sum %ld\n", sum);
}

static __attribute__((noinline)) int deeper(int depth) { return depth ? deeper(depth - 1) + 1 : 0; }
static void deep(void) { printf("%d deep\n", deeper(50000)); }

/* ---- signals ----------------------------------------------------------------------------------------------------- */

static void list_signals(void) {
  burn(MANY);
  sigset_t mask, pending;
  sigprocmask(SIG_BLOCK, NULL, &mask);
  sigpending(&pending);
  for (int i = 1; i < 65; ++i) {
    struct sigaction action;
    if (sigaction(i, NULL, &action) == 0 && action.sa_handler != SIG_DFL) printf("handled: %d\n", i);
    if (sigismember(&mask, i) == 1) printf("blocked: %d\n", i);
    if (sigismember(&pending, i) == 1) printf("pending: %d\n", i);
  }
  puts("end");
}

static volatile int alarms;
static void on_alarm(int number) {
  (void)number;
  ++alarms;
  burn(10);
}

static void storm(void) {
  signal(SIGALRM, on_alarm);
  const struct itimerval often = {{0, 200}, {0, 200}};
  setitimer(ITIMER_REAL, &often, NULL);
  while (alarms < 200) burn(SOME);
  const struct itimerval never = {{0, 0}, {0, 0}};
  setitimer(ITIMER_REAL, &never, NULL);
  puts("calm");
}

static sigjmp_buf back;
static void jump_back(int number) {
  burn(10);
  siglongjmp(back, number);
}

static void jump_storm(void) {
  signal(SIGALRM, jump_back);
  volatile int jumps = 0;
  if (sigsetjmp(back, 1)) ++jumps;
  if (jumps < 100) {
    const struct itimerval soon = {{0, 0}, {0, 300}};
    setitimer(ITIMER_REAL, &soon, NULL);
    for (;;) burn(SOME);
  }
  printf("%d jumps\n", jumps);
}

static __attribute__((noinline)) int endless(int depth) {
  volatile char room[4096];
  room[0] = (char)depth;
  return endless(depth + 1) + room[0];
}

static void overflow(void) {
  const stack_t other = {.ss_sp = malloc(1 << 16), .ss_size = 1 << 16};
  sigaltstack(&other, NULL);
  struct sigaction action = {.sa_handler = jump_back, .sa_flags = SA_ONSTACK};
  sigaction(SIGSEGV, &action, NULL);
  const int number = sigsetjmp(back, 1);
  if (number == 0) endless(0);
  burn(MANY);
  printf("survived signal %d\n", number);
}

static void own_signals_wait(void) {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGXFSZ);
  sigaddset(&set, SIGPIPE);
  sigprocmask(SIG_BLOCK, &set, NULL);
  raise(SIGPIPE);
  const struct rlimit small = {0, 0};
  setrlimit(RLIMIT_FSIZE, &small);
  burn(MANY);
  sigpending(&set);
  printf("pending: SIGPIPE %d, SIGXFSZ %d\n", sigismember(&set, SIGPIPE), sigismember(&set, SIGXFSZ));
}

/* ---- processes --------------------------------------------------------------------------------------------------- */

static int status_of(pid_t child) {
  int status = -1;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

static void forks(void) {
  for (int round = 0; round < 8; ++round) {
    burn(MANY / 8);
    fflush(NULL);
    const pid_t child = fork();
    if (child == 0) {
      burn(SOME);
      if (round % 4 == 0) exit(round);
      if (round % 4 == 1) _exit(round);
      if (round % 4 == 2) abort();
      execlp("sh", "sh", "-c", "exit 9", NULL);
    }
    printf("child: %d\n", status_of(child));
  }
  printf("others: %d\n", (int)waitpid(-1, NULL, __WALL));
}

pid_t _Fork(void);

static pid_t clone_by_number(void) { return (pid_t)syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0); }
static pid_t fork_by_number(void) {
#ifdef SYS_fork
  return (pid_t)syscall(SYS_fork);
#else
  return clone_by_number();  // newer processors have no other
#endif
}

static void unannounced_forks(void) {
  for (int round = 0; round < 9; ++round) {
    burn(MANY / 9);
    const pid_t child = round % 3 == 0 ? fork_by_number() : round % 3 == 1 ? clone_by_number() : _Fork();
    if (child == 0) {
      burn(MANY / 9);
      _exit(round);
    }
    printf("child: %d\n", status_of(child));
  }
}

static void spawns(void) {
  for (int round = 0; round < 4; ++round) {
    burn(MANY / 4);
    pid_t child;
    char* words[] = {"sh", "-c", "exit 5", NULL};
    if (posix_spawnp(&child, "sh", NULL, NULL, words, environ)) exit(2);
    printf("spawned: %d\n", status_of(child));
    if ((child = vfork()) == 0) _exit(6);
    printf("vforked: %d\n", status_of(child));
    printf("system: %d\n", WEXITSTATUS(system("exit 7")));
  }
}

static void daemon_case(void) {
  int ends[2];
  if (pipe(ends)) exit(2);
  burn(SOME);
  fflush(NULL);
  if (fork() == 0) {
    setsid();
    for (int i = 3; i < 1024; ++i)
      if (i != ends[1]) close(i);
    burn(MANY);
    dprintf(ends[1], "daemon done\n");
    _exit(0);
  }
  close(ends[1]);
  char text[64] = "";
  const ssize_t size = read(ends[0], text, sizeof text - 1);
  printf("%zd: %s", size, text);
}

static void becomes_another(void) {
  burn(MANY);
  fflush(NULL);
  execlp("sh", "sh", "-c", "echo another; exit 3", NULL);
}

/* ---- threads ----------------------------------------------------------------------------------------------------- */

static void* burn_for_ever(void* unused) {
  for (;;) burn(SOME);
  return unused;
}

static void running_threads(void) {
  for (int i = 0; i < 3; ++i) {
    pthread_t thread;
    if (pthread_create(&thread, NULL, burn_for_ever, NULL)) exit(2);
    pthread_detach(thread);
  }
  burn(MANY);
  puts("leaving");
}

static void* end_later(void* unused) {
  usleep(20000);
  burn(SOME);
  puts("the last thread");
  fflush(NULL);
  return unused;
}

static void main_ends_first(void) {
  pthread_t thread;
  if (pthread_create(&thread, NULL, end_later, NULL)) exit(2);
  burn(SOME);
  pthread_exit(NULL);
}

static void cancelled(void) {
  for (int i = 0; i < 20; ++i) {
    pthread_t thread;
    if (pthread_create(&thread, NULL, burn_for_ever, NULL)) exit(2);
    pthread_setcanceltype(PTHREAD_CANCEL_DEFERRED, NULL);
    burn(SOME);
    pthread_detach(thread);
  }
  puts("gone on");
}

/* Cancelled while it computes, it gets to no point of cancellation before it has ended. */
static atomic_int is_computing, is_cancelled;
static void* burn_until_cancelled(void* result) {
  burn(SOME);
  atomic_store(&is_computing, 1);
  while (!atomic_load(&is_cancelled)) continue;
  return result;
}

static void cancelled_late(void) {
  for (int i = 0; i < 20; ++i) {
    pthread_t thread;
    void* result = NULL;
    atomic_store(&is_computing, 0);
    atomic_store(&is_cancelled, 0);
    if (pthread_create(&thread, NULL, burn_until_cancelled, &is_computing)) exit(2);
    while (!atomic_load(&is_computing)) continue;
    pthread_cancel(thread);
    atomic_store(&is_cancelled, 1);
    pthread_join(thread, &result);
    if (result != &is_computing) puts("another result");
  }
}

/* Lists of parts that are no memory, which only the kernel looks at. */
static void bad_vectors(void) {
  burn(SOME);
  printf("%d", (int)writev(1, NULL, 3));
  printf(" %d", errno == EFAULT);
  printf(" %d", (int)readv(0, (struct iovec*)8, 1));
  printf(" %d\n", errno == EFAULT);
}

/* ---- stacks and ends --------------------------------------------------------------------------------------------- */

static ucontext_t outside, inside;
static void coroutine(void) {
  for (int i = 0; i < 100; ++i) {
    burn(SOME);
    swapcontext(&inside, &outside);
  }
}

static void coroutines(void) {
  getcontext(&inside);
  inside.uc_stack.ss_sp = malloc(1 << 16);
  inside.uc_stack.ss_size = 1 << 16;
  inside.uc_link = &outside;
  makecontext(&inside, coroutine, 0);
  for (int i = 0; i < 100; ++i) swapcontext(&outside, &inside);
  puts("switched");
}

static void at_exit(void) {
  burn(SOME);
  write(1, "handler\n", 8);
}

static void handlers(void) {
  atexit(at_exit);
  at_quick_exit(at_exit);
  burn(MANY);
}

static void quick(void) {
  handlers();
  quick_exit(4);
}

static void at_once(void) {
  handlers();
  _exit(5);
}

static void aborts(void) {
  burn(MANY);
  abort();
}

static void killed(void) {
  burn(MANY);
  raise(SIGKILL);
}

static void terminated(void) {
  burn(MANY);
  raise(SIGTERM);
}

static void without_environment(void) {
  burn(SOME);
  clearenv();
  burn(MANY);
  printf("PATH: %s\n", getenv("PATH") ? "there" : "none");
}

static void removed_recording(void) {
  burn(SOME);
  system("test -z \"$TARRY_ARCHIVE\" || rm -rf \"$TARRY_ARCHIVE\"");
  burn(MANY);
  puts("still here");
}

static void other_user(void) {
  burn(SOME);
  if (setresgid(65534, 65534, 65534) || setresuid(65534, 65534, 65534)) exit(2);
  burn(MANY);
  printf("user %d\n", (int)getuid());
}

/* ---- sandboxes --------------------------------------------------------------------------------------------------- */

static void strict_sandbox(void) {
  burn(SOME);
  fflush(NULL);
  prctl(PR_SET_SECCOMP, SECCOMP_MODE_STRICT);
  burn(MANY);
  syscall(SYS_write, 1, "inside\n", 7);
  syscall(SYS_exit, 8);
}

/* A strict sandbox also forbids to read the counter of the processor. */
static void strict_write(void) {
  burn(SOME);
  fflush(NULL);
  prctl(PR_SET_SECCOMP, SECCOMP_MODE_STRICT);
  if (write(1, "inside\n", 7) != 7) syscall(SYS_exit, 9);
  syscall(SYS_exit, 8);
}

/* Nothing but write, exit and exit_group; the rest kills. */
static struct sock_filter kRules[] = {
    BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_write, 3, 0),
    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_exit, 2, 0),
    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_exit_group, 1, 0),
    BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS),
    BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
};

static void filtered_by(int by_syscall) {
  const struct sock_fprog program = {sizeof kRules / sizeof kRules[0], kRules};
  burn(SOME);
  fflush(NULL);
  prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
  if (by_syscall)
    syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &program);
  else
    prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program);
  burn(MANY);
  write(1, "inside\n", 7);
  _exit(9);
}

static void filter_sandbox(void) { filtered_by(0); }
static void syscall_sandbox(void) { filtered_by(1); }

static const struct {
  const char* name;
  void (*run)(void);
} kCases[] = {
    {"close_all", close_all}, {"close_a_range", close_a_range}, {"close_while_running", close_while_running},
    {"take_all", take_all}, {"list_descriptors", list_descriptors}, {"lowest_descriptor", lowest_descriptor},
    {"data_as_stderr", data_as_stderr}, {"broken_stderr", broken_stderr}, {"gone_folder", gone_folder},
    {"strict_umask", strict_umask}, {"no_more_files", no_more_files}, {"small_files", small_files},
    {"small_files_default", small_files_default}, {"no_more_memory", no_more_memory},
    {"new_functions_without_memory", new_functions_without_memory}, {"small_stack", small_stack}, {"deep", deep},
    {"list_signals", list_signals}, {"storm", storm}, {"jump_storm", jump_storm}, {"overflow", overflow},
    {"own_signals_wait", own_signals_wait}, {"forks", forks}, {"unannounced_forks", unannounced_forks},
    {"spawns", spawns}, {"daemon", daemon_case},
    {"becomes_another", becomes_another}, {"running_threads", running_threads}, {"main_ends_first", main_ends_first},
    {"cancelled", cancelled}, {"coroutines", coroutines}, {"handlers", handlers}, {"quick", quick},
    {"at_once", at_once}, {"aborts", aborts}, {"killed", killed}, {"terminated", terminated},
    {"without_environment", without_environment}, {"removed_recording", removed_recording},
    {"other_user", other_user}, {"strict_sandbox", strict_sandbox}, {"strict_write", strict_write},
    {"cancelled_late", cancelled_late}, {"bad_vectors", bad_vectors}, {"filter_sandbox", filter_sandbox},
    {"syscall_sandbox", syscall_sandbox},
};

int main(int argc, char** argv) {
  for (size_t i = 0; argc == 2 && i < sizeof kCases / sizeof kCases[0]; ++i) {
    if (!strcmp(argv[1], "list")) puts(kCases[i].name);
    if (strcmp(argv[1], kCases[i].name)) continue;
    kCases[i].run();
    return 0;
  }
  return argc == 2 && !strcmp(argv[1], "list") ? 0 : 2;
}
