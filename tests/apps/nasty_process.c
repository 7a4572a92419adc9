/* nasty_process.c -- programs that look at, limit or replace what a process consists of: nasty_process CASE.
 *
 * What a case prints, its status and the files that it leaves must be the same with and without the recorder.
 * `nasty_process list` prints the names of all cases. Some need rights; without them they print the same error twice.
 */
#define _GNU_SOURCE
#include <alloca.h>
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/mman.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

extern char** environ;

enum { MANY = 200000, SOME = 1000 };

static volatile long sum;
static __attribute__((noinline)) void work(int i) { sum += i; }
static __attribute__((noinline)) void burn(int calls) {
  for (int i = 0; i < calls; ++i) work(i);
}

static int status_of(pid_t child) {
  int status = -1;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

/* ---- descriptors ------------------------------------------------------------------------------------------------- */

static void inherited_descriptors(void) {
  burn(SOME);
  fflush(NULL);
  const pid_t child = fork();
  if (child == 0) execlp("sh", "sh", "-c", "cd /proc/self/fd && for f in *; do [ $f -gt 9 ] || echo $f; done", NULL);
  printf("child: %d\n", status_of(child));
}

static void own_descriptors(void) {
  burn(MANY);
  DIR* folder = opendir("/proc/self/fd");
  int count = 0; /* samples may have one from 600 on */
  for (struct dirent* entry; folder && (entry = readdir(folder));)
    count += entry->d_name[0] != '.' && atoi(entry->d_name) < 600;
  closedir(folder);
  printf("%d descriptors\n", count);
}

static void until_limit(void) {
  burn(SOME);
  const struct rlimit few = {32, 32};
  setrlimit(RLIMIT_NOFILE, &few);
  int count = 0, last = -1;
  for (int file; (file = open("/dev/null", O_RDONLY)) >= 0; last = file) ++count;
  burn(MANY);
  printf("opened %d, last %d: %s\n", count, last, strerror(errno));
}

static void close_on_exec(void) {
  burn(SOME);
  syscall(SYS_close_range, 3u, ~0u, 4u);
  const int file = open("own", O_WRONLY | O_CREAT | O_TRUNC, 0644);
  burn(MANY);
  dprintf(file, "own\n");
  fflush(NULL);
  const pid_t child = fork();
  if (child == 0) execlp("sh", "sh", "-c", "cd /proc/self/fd && echo *", NULL);
  printf("child: %d\n", status_of(child));
}

static void without_streams(void) {
  burn(SOME);
  for (int i = 0; i < 3; ++i) close(i);
  const int first = open("own", O_RDWR | O_CREAT | O_TRUNC, 0644);
  burn(MANY);
  const int second = open("/dev/null", O_RDONLY), third = open("/dev/null", O_RDONLY);
  dprintf(first, "%d %d %d\n", first, second, third);
}

static void waits_for_any(void) {
  int ends[2];
  if (pipe(ends)) exit(2);
  const int queue = epoll_create1(0);
  struct epoll_event event = {.events = EPOLLIN, .data.fd = ends[0]};
  epoll_ctl(queue, EPOLL_CTL_ADD, ends[0], &event);
  burn(MANY);
  printf("ready: %d", epoll_wait(queue, &event, 1, 0));
  if (write(ends[1], "x", 1) != 1) exit(2);
  printf(" %d\n", epoll_wait(queue, &event, 1, 1000));
  struct pollfd all[64];
  for (int i = 0; i < 64; ++i) all[i] = (struct pollfd){.fd = i + 10, .events = POLLIN};
  poll(all, 64, 0);
  int open_ones = 0;
  for (int i = 0; i < 64; ++i) open_ones += !(all[i].revents & POLLNVAL);
  printf("open: %d\n", open_ones);
}

/* ---- environment ------------------------------------------------------------------------------------------------- */

static int compare(const void* left, const void* right) { return strcmp(*(char**)left, *(char**)right); }

/* By what the recorder is started, and what a shell changes. */
static int is_of_the_start(const char* variable) {
  static const char* const names[] = {"TARRY_", "LD_PRELOAD=", "_=", "PWD=", "OLDPWD=", "OMPI_MCA_orte_launch_agent=",
                                      "PRTE_MCA_prte_launch_agent=", "NVTX_INJECTION64_PATH=", "KOKKOS_TOOLS_LIBS=",
                                      "INTEL_LIBITTNOTIFY64="};
  for (size_t i = 0; i < sizeof names / sizeof *names; ++i)
    if (!strncmp(variable, names[i], strlen(names[i]))) return 1;
  return 0;
}

static void whole_environment(void) {
  burn(SOME);
  int count = 0;
  for (char** at = environ; *at; ++at) ++count;
  char* sorted[count];
  memcpy(sorted, environ, sizeof sorted);
  qsort(sorted, (size_t)count, sizeof *sorted, compare);
  unsigned others = 0, hash = 0;
  for (int i = 0; i < count; ++i)
    if (!is_of_the_start(sorted[i]))
      for (const char* at = (++others, sorted[i]); *at; ++at) hash = hash * 31 + (unsigned char)*at;
  printf("%u variables, %x\n", others, hash);
}

static void __attribute__((noinline)) put_on_stack(void) {
  char variable[64] = "LD_PRELOAD=";
  putenv(variable);
  burn(SOME);
  printf("%s\n", getenv("LD_PRELOAD"));
}

static void environment_on_stack(void) {
  put_on_stack();
  burn(MANY);
  unsetenv("LD_PRELOAD");
  puts(getenv("LD_PRELOAD") ? "there" : "gone");
}

static void* set_often(void* name) {
  for (int i = 0; i < 2000; ++i) {
    char value[16];
    snprintf(value, sizeof value, "%d", i);
    setenv(name, value, 1);
    work(i);
  }
  return NULL;
}

static void environment_in_threads(void) {
  pthread_t threads[4];
  static char names[4][16] = {"NASTY_A", "NASTY_B", "NASTY_C", "NASTY_D"};
  for (int i = 0; i < 4; ++i)
    if (pthread_create(&threads[i], NULL, set_often, names[i])) exit(2);
  for (int i = 0; i < 4; ++i) pthread_join(threads[i], NULL);
  for (int i = 0; i < 4; ++i) printf("%s=%s\n", names[i], getenv(names[i]));
}

static void no_environment(void) {
  burn(SOME);
  environ = NULL;
  burn(MANY);
  printf("HOME: %s\n", getenv("HOME") ? "there" : "none");
  fflush(NULL);
  const pid_t child = fork();
  if (child == 0) execl("/bin/sh", "sh", "-c", "echo child", NULL);
  printf("child: %d\n", status_of(child));
}

/* ---- memory ------------------------------------------------------------------------------------------------------ */

static void low_memory(void) {
  char* low = mmap((void*)0x100000, 1 << 20, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
  char* bits = mmap(NULL, 1 << 20, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_32BIT, -1, 0);
  if (low == MAP_FAILED || bits == MAP_FAILED) exit(3);
  memset(low, 1, 1 << 20);
  memset(bits, 2, 1 << 20);
  burn(MANY);
  long kept = 0;
  for (int i = 0; i < 1 << 20; ++i) kept += (low[i] == 1) + (bits[i] == 2);
  printf("kept %ld, below 4 GiB: %d\n", kept, (uintptr_t)bits >> 32 == 0);
}

static void break_user(void) {
  char* begin = sbrk(1 << 20);
  if (begin == (void*)-1) exit(3);
  memset(begin, 3, 1 << 20);
  burn(MANY);
  char* end = sbrk(0);
  long kept = 0;
  for (int i = 0; i < 1 << 20; ++i) kept += begin[i] == 3;
  printf("kept %ld, moved %ld\n", kept, (long)(end - begin) - (1 << 20));
}

static void locked_memory(void) {
  burn(SOME);
  printf("mlockall: %d\n", mlockall(MCL_CURRENT | MCL_FUTURE));
  burn(MANY);
  printf("munlockall: %d\n", munlockall());
}

static void forgotten_memory(void) {
  enum { SIZE = 4 << 20 };
  char* own = mmap(NULL, SIZE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  madvise(own, SIZE, MADV_HUGEPAGE);
  memset(own, 4, SIZE);
  burn(MANY / 2);
  madvise(own, SIZE / 2, MADV_DONTNEED);
  mprotect(own + SIZE / 2, SIZE / 4, PROT_NONE);
  madvise(own, SIZE, MADV_DONTFORK);
  burn(MANY / 2);
  long zeros = 0;
  for (int i = 0; i < SIZE / 2; ++i) zeros += own[i] == 0;
  printf("zeros %ld, kept %d\n", zeros, own[SIZE - 1]);
}

static void* on_large_frame(void* bytes) {
  volatile char* room = alloca((size_t)(intptr_t)bytes);
  for (intptr_t i = 0; i < (intptr_t)bytes; i += 4096) room[i] = 1;
  burn(SOME);
  return (void*)(intptr_t)room[4096];
}

static void large_frames(void) {
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, 64 << 20);
  for (int i = 0; i < 3; ++i) {
    pthread_t thread;
    void* result = NULL;
    if (pthread_create(&thread, &attributes, on_large_frame, (void*)(intptr_t)(60 << 20))) exit(2);
    pthread_join(thread, &result);
    printf("frame: %ld\n", (long)(intptr_t)result);
  }
}

static void little_data(void) {
  burn(SOME);
  const struct rlimit little = {4 << 20, 4 << 20};
  setrlimit(RLIMIT_DATA, &little);
  void* large = malloc(256 << 20);
  burn(MANY);
  printf("large: %s\n", large ? "there" : "none");
}

/* ---- process ----------------------------------------------------------------------------------------------------- */

static void not_dumpable(void) {
  prctl(PR_SET_DUMPABLE, 0);
  prctl(PR_SET_NAME, "nasty name");
  burn(MANY);
  char name[17] = "";
  prctl(PR_GET_NAME, name);
  printf("%s, %d\n", name, prctl(PR_GET_DUMPABLE));
  fflush(NULL);
  const struct rlimit none = {0, 0};
  setrlimit(RLIMIT_CORE, &none);
  abort();
}

static void without_randomness(void) {
  burn(SOME);
  if (!(personality(0xffffffff) & ADDR_NO_RANDOMIZE)) {
    if (personality(ADDR_NO_RANDOMIZE) < 0) {
      puts("not allowed");
      return;
    }
    execl("/proc/self/exe", "nasty_process", "without_randomness", NULL);
    exit(2);
  }
  burn(MANY);
  puts("once more");
}

static void other_namespaces(void) {
  burn(SOME);
  printf("files: %d\n", unshare(CLONE_FILES | CLONE_FS));
  printf("mounts: %s\n", unshare(CLONE_NEWNS) ? strerror(errno) : "own");
  printf("names: %s\n", unshare(CLONE_NEWUTS | CLONE_NEWIPC) ? strerror(errno) : "own");
  burn(MANY);
  fflush(NULL);
  const int has_pids = unshare(CLONE_NEWPID) == 0;
  const pid_t child = fork();
  if (child == 0) {
    burn(SOME);
    _exit(has_pids ? getpid() : 1);
  }
  printf("child: %d\n", status_of(child));
}

static void other_root(void) {
  burn(SOME);
  if (mkdir("root", 0755) || chroot("root")) {
    printf("chroot: %s\n", strerror(errno));
    rmdir("root");
    return;
  }
  if (chdir("/")) exit(2);
  burn(MANY);
  const int file = open("/inside", O_WRONLY | O_CREAT | O_TRUNC, 0644);
  dprintf(file, "inside\n");
  printf("%s\n", access("/proc", F_OK) ? "no /proc" : "/proc");
}

static void another_user_for_a_while(void) {
  burn(SOME);
  const int changed = seteuid(65534);
  burn(MANY);
  const int file = open("own", O_WRONLY | O_CREAT | O_TRUNC, 0644);
  printf("changed %d, may write: %d\n", changed, file >= 0);
  printf("back %d\n", seteuid(0));
  burn(MANY);
}

static int count_modules(struct dl_phdr_info* facts, size_t size, void* count) {
  (void)size;
  if (facts->dlpi_name && !strstr(facts->dlpi_name, "tarry") && !strstr(facts->dlpi_name, "vdso")) ++*(int*)count;
  work(1);
  return 0;
}

static void own_namespace_of_libraries(void) {
  burn(SOME);
  void* other = dlmopen(LM_ID_NEWLM, "libm.so.6", RTLD_NOW | RTLD_LOCAL);
  double (*cosine)(double) = other ? (double (*)(double))dlsym(other, "cos") : NULL;
  burn(MANY);
  printf("cos(0) = %.0f\n", cosine ? cosine(0) : -1.0);
  if (other) dlclose(other);
  void* deep = dlopen("libm.so.6", RTLD_NOW | RTLD_DEEPBIND);
  printf("deep: %d, closed: %d\n", deep != NULL, deep ? dlclose(deep) : -1);
  burn(MANY);
}

static void walks_over_modules(void) {
  int first = 0, second = 0;
  dl_iterate_phdr(count_modules, &first);
  burn(MANY);
  dl_iterate_phdr(count_modules, &second);
  printf("as many as before: %d\n", first == second);
}

static void large_arguments(void) {
  burn(SOME);
  fflush(NULL);
  const pid_t child = fork();
  if (child == 0) {
    char* large = malloc(100000);
    memset(large, 'x', 99999);
    large[99999] = 0;
    setenv("LARGE", large, 1);
    execl("/proc/self/exe", "nasty_process", "count_arguments", large, large, NULL);
    _exit(2);
  }
  printf("child: %d\n", status_of(child));
}

static void sleeps_by_all_means(void) {
  burn(SOME);
  const struct timespec little = {0, 1000000};
  printf("%d", nanosleep(&little, NULL));
  printf(" %d", clock_nanosleep(CLOCK_MONOTONIC, 0, &little, NULL));
  printf(" %d", usleep(1000));
  printf(" %d", poll(NULL, 0, 1));
  alarm(1);
  printf(" %d\n", alarm(0) > 0);
  burn(MANY);
}

static void end_at_once(int signal) {
  (void)signal;
  _exit(7);
}

/* Whoever looks at the stack that was interrupted gets a fault in the handler, which ends the process. */
static __attribute__((noinline)) void break_stack(void) {
#ifdef __x86_64__
  __asm__ volatile("movq $64, %rsp\n\tpushq %rax");
#else
  *(volatile int*)64 = 0;
#endif
}

static void exit_on_broken_stack(void) {
  static char memory[1 << 16];
  const stack_t other = {.ss_sp = memory, .ss_size = sizeof memory};
  struct sigaction action;
  memset(&action, 0, sizeof action);
  action.sa_handler = end_at_once;
  action.sa_flags = SA_ONSTACK;
  sigaltstack(&other, NULL);
  sigaction(SIGSEGV, &action, NULL);
  burn(MANY);
  printf("before\n");
  fflush(stdout);
  break_stack();
}

static const struct {
  const char* name;
  void (*run)(void);
} kCases[] = {
    {"inherited_descriptors", inherited_descriptors}, {"own_descriptors", own_descriptors}, {"until_limit", until_limit},
    {"close_on_exec", close_on_exec}, {"without_streams", without_streams}, {"waits_for_any", waits_for_any},
    {"whole_environment", whole_environment}, {"environment_on_stack", environment_on_stack},
    {"environment_in_threads", environment_in_threads}, {"no_environment", no_environment},
    {"low_memory", low_memory}, {"break_user", break_user}, {"locked_memory", locked_memory},
    {"forgotten_memory", forgotten_memory}, {"large_frames", large_frames}, {"little_data", little_data},
    {"not_dumpable", not_dumpable}, {"without_randomness", without_randomness}, {"other_namespaces", other_namespaces},
    {"other_root", other_root}, {"another_user_for_a_while", another_user_for_a_while},
    {"own_namespace_of_libraries", own_namespace_of_libraries}, {"walks_over_modules", walks_over_modules},
    {"large_arguments", large_arguments}, {"sleeps_by_all_means", sleeps_by_all_means},
    {"exit_on_broken_stack", exit_on_broken_stack},
};

int main(int argc, char** argv) {
  if (argc > 2 && !strcmp(argv[1], "count_arguments")) {
    burn(MANY);
    return argc;
  }
  for (size_t i = 0; argc == 2 && i < sizeof kCases / sizeof kCases[0]; ++i) {
    if (!strcmp(argv[1], "list")) puts(kCases[i].name);
    if (strcmp(argv[1], kCases[i].name)) continue;
    kCases[i].run();
    return 0;
  }
  return argc == 2 && !strcmp(argv[1], "list") ? 0 : 2;
}
