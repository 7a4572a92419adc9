// nasty_signals.cpp -- programs that do with signals what a recorder that samples may not disturb: nasty_signals CASE.
//
// What a case prints and its status must be the same with and without samples. `nasty_signals list` prints the names of
// all cases. Each takes some tenths of a second.
#include <dirent.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <setjmp.h>
#include <spawn.h>
#include <sys/auxv.h>
#include <sys/epoll.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/select.h>
#include <sys/signalfd.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/timerfd.h>
#include <sys/wait.h>
#include <ucontext.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <initializer_list>

extern char** environ;

namespace {

volatile std::uint64_t g_sink = 1;
volatile sig_atomic_t g_count = 0, g_wrong = 0;

[[gnu::noinline]] std::uint64_t mix(std::uint64_t value, int times) {
  for (int i = 0; i < times; ++i) value = (value ^ value >> 29) * 0x9e3779b97f4a7c15u + 1;
  return value;
}

double used_time() {
  timespec now;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
}

// Uses the processor for so long.
[[gnu::noinline]] void burn(double seconds) {
  const double end = used_time() + seconds;
  do g_sink = mix(g_sink, 2000);
  while (used_time() < end);
}

void handle(int signal, void (*handler)(int), int flags = 0) {
  struct sigaction action = {};
  action.sa_handler = handler;
  action.sa_flags = flags;
  if (sigaction(signal, &action, nullptr) != 0) perror("sigaction");
}

void set_alarm(long microseconds, long interval = 0) {
  const itimerval when = {{0, interval}, {0, microseconds}};
  setitimer(ITIMER_REAL, &when, nullptr);
}

sigset_t all_signals() {
  sigset_t all;
  sigfillset(&all);
  return all;
}

void note(int) { g_count = g_count + 1; }

int count_members(const sigset_t& set) {
  int count = 0;
  for (int signal = 1; signal < NSIG; ++signal) count += sigismember(&set, signal) == 1;
  return count;
}

// As the kernel tells: "SigPnd:", "SigBlk:", "SigIgn:". Whether those of the C library are ignored depends on who has
// started the program.
unsigned long status_mask(const char* name) {
  char line[256];
  unsigned long mask = 0;
  FILE* const file = fopen("/proc/thread-self/status", "r");
  while (file && fgets(line, sizeof line, file))
    if (!strncmp(line, name, strlen(name))) sscanf(line + strlen(name), "%lx", &mask);
  if (file) fclose(file);
  return mask & ~(3ul << 31 & (strcmp(name, "SigIgn:") ? 0 : ~0ul));
}

// ---- handlers that do not return

// A thread that does nothing and blocks nothing: as libraries have them. Signals of the process are not for it.
void* idle(void*) {
  for (;;) pause();
}
void start_idle_thread() {
  pthread_t thread;
  pthread_create(&thread, nullptr, idle, nullptr);
}
bool is_main_thread() { return getpid() == gettid(); }

sigjmp_buf g_place;

// In another thread the jump would end the program.
void jump_back(int) {
  if (is_main_thread()) siglongjmp(g_place, 1);
  g_wrong = g_wrong + 1;
  set_alarm(100);
}

void jumps() {
  start_idle_thread();
  handle(SIGALRM, jump_back);
  for (volatile int i = 0; i < 1500; ++i)
    if (sigsetjmp(g_place, 1) == 0) {
      set_alarm(100 + i % 300);
      for (;;) g_sink = mix(g_sink, 20);
    }
  printf("jumps: %s in another thread\n", g_wrong > 5 ? "MANY" : "few or none");  // a busy kernel chooses so at times
}

// The mask is not restored: SIGALRM has to be let through by hand.
void jumps_without_mask() {
  handle(
      SIGALRM, [](int) { longjmp(g_place, 1); }, SA_NODEFER);
  for (volatile int i = 0; i < 1000; ++i)
    if (_setjmp(g_place) == 0) {
      set_alarm(100 + i % 300);
      for (;;) g_sink = mix(g_sink, 20);
    }
  printf("blocked %d\n", count_members([] {
           sigset_t now;
           sigprocmask(SIG_BLOCK, nullptr, &now);
           return now;
         }()));
}

ucontext_t g_main_context, g_contexts[2];
volatile int g_round = 0;

void contexts() {
  handle(SIGALRM, [](int) { setcontext(&g_main_context); });
  g_round = 0;
  getcontext(&g_main_context);
  if (g_round < 1000) {
    g_round = g_round + 1;
    set_alarm(100 + g_round % 300);
    for (;;) g_sink = mix(g_sink, 20);
  }
  printf("contexts %d\n", g_round);
}

// Two coroutines that a timer switches between. Its signal is blocked while they are switched: it would come in the
// middle of that, and the program would be lost without us, too.
volatile int g_running = 0;
void mask_alarms(int how) {
  sigset_t alarms;
  sigemptyset(&alarms);
  sigaddset(&alarms, SIGALRM);
  sigprocmask(how, &alarms, nullptr);
}
void run_coroutine() {
  mask_alarms(SIG_UNBLOCK);
  for (;;) g_sink = mix(g_sink, 20);
}
void preempted_coroutines() {
  handle(SIGALRM, [](int) {
    if (++g_count == 1000) setcontext(&g_main_context);
    const int from = g_running;
    g_running = !from;
    swapcontext(&g_contexts[from], &g_contexts[!from]);
  });
  mask_alarms(SIG_BLOCK);
  volatile bool is_done = false;
  for (ucontext_t& context : g_contexts) {
    getcontext(&context);
    context.uc_stack.ss_size = 64 << 10;
    context.uc_stack.ss_sp = malloc(64 << 10);
    makecontext(&context, run_coroutine, 0);
  }
  getcontext(&g_main_context);
  if (!is_done) {
    is_done = true;
    set_alarm(200, 200);
    setcontext(&g_contexts[0]);
  }
  set_alarm(0);
  puts("switched");
}

// The handler of a fault throws.
[[gnu::noinline]] int read_nothing(volatile int* place) { return *place; }
void throwing_handlers() {
  handle(
      SIGSEGV, [](int) { throw 7; }, SA_NODEFER);
  int caught = 0;
  for (int i = 0; i < 1500; ++i) {
    burn(1e-4);
    try {
      g_sink = g_sink + static_cast<std::uint64_t>(read_nothing(nullptr));
    } catch (int number) {
      caught += number;
    }
  }
  printf("caught %d\n", caught);
}

void* burn_until_signal(void*) {
  for (;;) g_sink = mix(g_sink, 20);
}
void exiting_handlers() {
  handle(SIGUSR1, [](int) { pthread_exit(&g_place); });
  int ended = 0;
  for (int i = 0; i < 60; ++i) {
    pthread_t thread;
    void* result = nullptr;
    pthread_create(&thread, nullptr, burn_until_signal, nullptr);
    usleep(2000);
    pthread_kill(thread, SIGUSR1);
    pthread_join(thread, &result);
    ended += result == &g_place;
  }
  printf("ended %d\n", ended);
}

// What a handler sees: where the program was, on which stack, with which information.
char* g_stack_of_main = nullptr;
void look_around(int signal, siginfo_t* info, void* context) {
  char here = 0;
  Dl_info place;
#if defined(__aarch64__)
  const auto at = reinterpret_cast<void*>(static_cast<ucontext_t*>(context)->uc_mcontext.pc);
#else
  const auto at = reinterpret_cast<void*>(static_cast<ucontext_t*>(context)->uc_mcontext.gregs[REG_RIP]);
#endif
  if (dladdr(at, &place) && strstr(place.dli_fname, "tarry")) g_wrong = g_wrong + 1;
  if (g_stack_of_main - &here > 64 << 10 || g_stack_of_main < &here) g_wrong = g_wrong + 1;
  if (signal != SIGALRM || info->si_code != SI_KERNEL || info->si_signo != SIGALRM) g_wrong = g_wrong + 1;
  if (errno != 77) g_wrong = g_wrong + 1;
  g_count = g_count + 1;
}
void handlers_that_look() {
  char here = 0;
  g_stack_of_main = &here;
  struct sigaction action = {};
  action.sa_sigaction = look_around;
  action.sa_flags = SA_SIGINFO;
  sigaction(SIGALRM, &action, nullptr);
  errno = 77;
  set_alarm(100, 100);
  while (g_count < 2000) g_sink = mix(g_sink, 20);
  set_alarm(0);
  printf("seen: wrong %d\n", g_wrong);
}

// ---- signals that are waited for

void signals_that_nobody_sends() {
  sigset_t all = all_signals(), pending, bits;
  memset(&bits, 0xff, sizeof bits);
  sigprocmask(SIG_SETMASK, &all, nullptr);
  const int file = signalfd(-1, &all, SFD_NONBLOCK), every = signalfd(-1, &bits, SFD_NONBLOCK);
  int read_signals = 0, waiting = 0;
  for (int i = 0; i < 400; ++i) {
    signalfd_siginfo info;
    siginfo_t waited;
    const timespec at_once = {0, 0};
    burn(5e-4);
    read_signals += read(file, &info, sizeof info) > 0;
    read_signals += read(every, &info, sizeof info) > 0;
    read_signals += sigtimedwait(&all, &waited, &at_once) > 0;
    read_signals += sigtimedwait(&bits, &waited, &at_once) > 0;
    sigpending(&pending);
    waiting += count_members(pending);
    waiting += status_mask("SigPnd:") != 0;
  }
  pollfd poll_them[2] = {{file, POLLIN, 0}, {every, POLLIN, 0}};
  printf("read %d, waiting %d, ready %d\n", read_signals, waiting, poll(poll_them, 2, 0));
}

// Signals that wait with their like become one, so each is received before the next pair is sent.
void signals_for_a_thread() {
  static std::atomic<int> received = 0;
  sigset_t all = all_signals();
  sigprocmask(SIG_SETMASK, &all, nullptr);
  pthread_t thread;
  pthread_create(
      &thread, nullptr,
      [](void*) -> void* {
        sigset_t set = all_signals();
        int signal = 0, sum = 0;
        for (; sigwait(&set, &signal) == 0 && signal != SIGTERM; ++received) sum += signal;
        printf("sum %d\n", sum);
        return nullptr;
      },
      nullptr);
  for (int i = 0; i < 100; ++i) {
    burn(2e-3);
    kill(getpid(), i % 2 ? SIGURG : SIGSTKFLT);
    kill(getpid(), SIGRTMAX);
    while (received < 2 * (i + 1)) usleep(500);
  }
  kill(getpid(), SIGTERM);
  pthread_join(thread, nullptr);
}

void masks() {
  sigset_t all = all_signals(), none, now;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &all, nullptr);
  burn(0.02);
  sigprocmask(SIG_BLOCK, nullptr, &now);
  printf("blocked %d, kernel %016lx\n", count_members(now), status_mask("SigBlk:"));
  pthread_sigmask(SIG_SETMASK, &none, nullptr);
  burn(0.02);
  pthread_sigmask(SIG_BLOCK, nullptr, &now);
  printf("blocked %d, kernel %016lx, ignored %016lx\n", count_members(now), status_mask("SigBlk:"),
         status_mask("SigIgn:"));
  if (sigsetjmp(g_place, 1) == 0) {
    sigprocmask(SIG_SETMASK, &all, nullptr);
    siglongjmp(g_place, 1);
  }
  sigprocmask(SIG_BLOCK, nullptr, &now);
  printf("blocked behind a jump %d\n", count_members(now));
}

// Waits that let signals through while they last.
int wait_with_mask(int kind, int epoll) {
  sigset_t none;
  sigemptyset(&none);
  epoll_event event;
  const timespec second = {5, 0};
  if (kind == 0) return sigsuspend(&none);
  if (kind == 1) return pselect(0, nullptr, nullptr, nullptr, &second, &none);
  if (kind == 2) return ppoll(nullptr, 0, &second, &none);
  return epoll_pwait(epoll, &event, 1, 5000, &none);
}

void waits_with_masks() {
  sigset_t alarm_only;
  sigemptyset(&alarm_only);
  sigaddset(&alarm_only, SIGALRM);
  sigprocmask(SIG_BLOCK, &alarm_only, nullptr);
  handle(SIGALRM, note);
  const int epoll = epoll_create1(0);
  int interrupted = 0;
  for (int i = 0; i < 80; ++i) {
    burn(1e-3);
    set_alarm(500);
    interrupted += wait_with_mask(i % 4, epoll) < 0 && errno == EINTR;
  }
  printf("interrupted %d, handled %d\n", interrupted, g_count);
}

// The same, where a signal of the sampling recorder comes at once with the program's: the thread that waits has no
// processor in between. No wait ends before the program's signal is handled.
bool is_handled_behind_library(int signal) {
  struct {
    void* handler;
    unsigned long flags;
    void* restorer;
    unsigned long mask;
  } action = {};
  return syscall(SYS_rt_sigaction, signal, nullptr, &action, 8) == 0 && action.handler;
}

volatile int g_waits = 0;

void* send_two_at_once(void*) {
  const pid_t process = getpid();
  siginfo_t sample = {};
  sample.si_signo = 33, sample.si_code = SI_QUEUE, sample.si_pid = process;
  const bool has_sampler = is_handled_behind_library(33);
  for (int wait = 1; wait <= 80; ++wait) {
    while (g_waits < wait) usleep(500);
    usleep(2000);
    if (has_sampler) syscall(SYS_rt_tgsigqueueinfo, process, process, 33, &sample);
    kill(process, SIGALRM);
  }
  return nullptr;
}

void waits_with_samples() {
  cpu_set_t one;
  CPU_ZERO(&one);
  CPU_SET(sched_getcpu(), &one);
  sched_setaffinity(0, sizeof one, &one);
  sigset_t alarm_only, mask, pending;
  sigemptyset(&alarm_only);
  sigaddset(&alarm_only, SIGALRM);
  sigprocmask(SIG_BLOCK, &alarm_only, nullptr);
  handle(SIGALRM, note);
  pthread_t sender;
  pthread_create(&sender, nullptr, send_two_at_once, nullptr);
  const sched_param none = {};
  sched_setscheduler(0, SCHED_IDLE, &none);
  const int epoll = epoll_create1(0);
  int interrupted = 0, left = 0, blocked = 0;
  for (int i = 0; i < 80; ++i) {
    g_waits = i + 1;
    interrupted += wait_with_mask(i % 4, epoll) < 0 && errno == EINTR;
    sigpending(&pending);
    left += sigismember(&pending, SIGALRM) == 1;
    sigprocmask(SIG_BLOCK, nullptr, &mask);
    blocked += sigismember(&mask, SIGALRM) == 1 && count_members(mask) == 1;
  }
  pthread_join(sender, nullptr);
  printf("interrupted %d, left %d, blocked %d\n", interrupted, left, blocked);
}

// ---- the queue of signals

int fill_queue() {
  int count = 0;
  while (count < 10000 && sigqueue(getpid(), SIGRTMIN, sigval{.sival_int = count}) == 0) ++count;
  return count;
}
void full_queue() {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGRTMIN);
  sigprocmask(SIG_BLOCK, &set, nullptr);
  const rlimit limit = {60, 60};
  setrlimit(RLIMIT_SIGPENDING, &limit);
  burn(0.05);
  const int first = fill_queue();
  burn(0.1);
  int taken = 0;
  const timespec at_once = {0, 0};
  while (sigtimedwait(&set, nullptr, &at_once) == SIGRTMIN) ++taken;
  printf("error %d, queued %d, taken %d\n", errno, first, taken);
}

void no_queue() {
  const rlimit limit = {0, 0};
  setrlimit(RLIMIT_SIGPENDING, &limit);
  burn(0.2);
  handle(SIGUSR1, note);
  for (int i = 0; i < 10; ++i) raise(SIGUSR1);
  printf("handled %d\n", g_count);
}

// ---- stacks

void on_small_stack(int) {
  g_count = g_count + 1;
  burn(5e-3);
}
void alternate_stacks() {
  const size_t size = getauxval(AT_MINSIGSTKSZ) + 800;
  burn(1e-3);  // to find a function for the first time takes more stack than there is
  for (const size_t more : {size_t{0}, size_t{1000}, size_t{8000}, size_t{100000}}) {
    char* const memory =
        static_cast<char*>(mmap(nullptr, 1 << 20, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
    mprotect(memory, 1 << 19, PROT_NONE);
    const stack_t stack = {.ss_sp = memory + (1 << 19), .ss_flags = 0, .ss_size = size + more};
    if (sigaltstack(&stack, nullptr) != 0) perror("sigaltstack");
    handle(SIGUSR1, on_small_stack, SA_ONSTACK);
    for (int i = 0; i < 10; ++i) raise(SIGUSR1);
    struct sigaction told;
    sigaction(SIGUSR1, nullptr, &told);
    printf("handled %d, mask %d\n", g_count, count_members(told.sa_mask));
  }
}

void* burn_little(void*) {
  burn(0.03);
  return nullptr;
}
void small_thread_stacks() {
  const size_t least = static_cast<size_t>(sysconf(_SC_THREAD_STACK_MIN));
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, least);
  for (int i = 0; i < 5; ++i) {
    pthread_t thread;
    if (pthread_create(&thread, &attributes, burn_little, nullptr) != 0) perror("pthread_create");
    pthread_join(thread, nullptr);
  }
  puts("joined");
}

ucontext_t g_caller, g_callee;
void coroutine() {
  for (;;) {
    g_sink = mix(g_sink, 3000);
    swapcontext(&g_callee, &g_caller);
  }
}
void small_coroutines() {
  constexpr size_t kSize = 16 << 10, kFill = 8 << 10;  // what is below may not be touched
  char* const memory = static_cast<char*>(malloc(kFill + kSize));
  memset(memory, 'x', kFill + kSize);
  getcontext(&g_callee);
  g_callee.uc_stack.ss_sp = memory + kFill;
  g_callee.uc_stack.ss_size = kSize;
  makecontext(&g_callee, coroutine, 0);
  for (int i = 0; i < 20000; ++i) swapcontext(&g_caller, &g_callee);
  size_t kept = 0;
  while (kept < kFill + kSize && memory[kept] == 'x') ++kept;
  puts(kept >= kFill ? "untouched" : "TOUCHED");
}

// ---- handlers of the program

// What is installed is what is told, however it is done.
void handlers_are_told() {
  int wrong = 0, handled = 0;
  for (int signal = 1; signal <= SIGRTMAX; ++signal) {
    if (signal == SIGKILL || signal == SIGSTOP || (signal > SIGSYS && signal < SIGRTMIN)) continue;
    struct sigaction action = {}, told = {};
    action.sa_handler = note;
    sigaddset(&action.sa_mask, SIGUSR2);
    action.sa_flags = signal % 2 ? SA_RESTART : SA_ONSTACK;
    wrong += sigaction(signal, &action, nullptr) != 0;
    sigaction(signal, nullptr, &told);
    wrong += told.sa_handler != note || (told.sa_flags & ~0x04000000) != action.sa_flags;
    wrong += count_members(told.sa_mask) != 1 || memcmp(&told.sa_mask, &action.sa_mask, 8) != 0;
    raise(signal);
    ++handled;
    wrong += std::signal(signal, SIG_IGN) != note;
    wrong += sigset(signal, note) != SIG_IGN;
    raise(signal);
    ++handled;
    wrong += std::signal(signal, SIG_DFL) != note;
    wrong += std::signal(signal, SIG_DFL) != SIG_DFL;
  }
  burn(0.05);
  printf("wrong %d, all handled %d\n", wrong, g_count == handled);
  for (const int signal : {SIGRTMIN - 1, SIGRTMIN - 2})
    printf("%d %d\n", sigaction(signal, nullptr, nullptr), std::signal(signal, note) == SIG_ERR);
}

void handlers_for_once() {
  for (int i = 0; i < 800; ++i) {
    handle(SIGALRM, note, static_cast<int>(SA_RESETHAND));
    set_alarm(150 + i % 100);
    while (g_count == i) g_sink = mix(g_sink, 20);
    struct sigaction told;
    sigaction(SIGALRM, nullptr, &told);
    g_wrong = g_wrong + (told.sa_handler != SIG_DFL);
  }
  printf("handled %d, still installed %d\n", g_count, g_wrong);
}

// Two handlers inside one another, each with a mask of its own.
void nested_handlers() {
  struct sigaction action = {};
  action.sa_handler = [](int) {
    sigset_t now;
    sigprocmask(SIG_BLOCK, nullptr, &now);
    g_wrong = g_wrong + (sigismember(&now, SIGPROF) != 1 || sigismember(&now, SIGALRM) != 1);
    g_count = g_count + 1;
    g_sink = mix(g_sink, 20000);
  };
  sigaddset(&action.sa_mask, SIGPROF);
  sigaction(SIGALRM, &action, nullptr);
  handle(
      SIGPROF, [](int) { g_sink = mix(g_sink, 2000); }, SA_RESTART);
  const itimerval often = {{0, 3000}, {0, 3000}};
  setitimer(ITIMER_PROF, &often, nullptr);
  set_alarm(300, 300);
  while (g_count < 700) g_sink = mix(g_sink, 20);
  set_alarm(0);
  printf("wrong masks %d\n", g_wrong);
}

void own_timers() {
  constexpr int kTimers = 20;
  timer_t timers[kTimers];
  for (int i = 0; i < kTimers; ++i) {
    sigevent event = {};
    event.sigev_notify = SIGEV_SIGNAL;
    event.sigev_signo = SIGRTMIN + i;
    handle(SIGRTMIN + i, note, SA_RESTART);
    timer_create(i % 2 ? CLOCK_MONOTONIC : CLOCK_PROCESS_CPUTIME_ID, &event, &timers[i]);
    const itimerspec when = {{0, 0}, {0, 20'000'000}};
    timer_settime(timers[i], 0, &when, nullptr);
  }
  for (int i = 0; g_count < kTimers && i < 5000; ++i) burn(1e-3);
  for (const timer_t timer : timers) timer_delete(timer);
  printf("came %d\n", g_count);
}

void interval_timers() {
  handle(SIGPROF, note, SA_RESTART);
  handle(SIGVTALRM, note, SA_RESTART);
  const itimerval often = {{0, 10000}, {0, 10000}}, never = {};
  setitimer(ITIMER_PROF, &often, nullptr);
  setitimer(ITIMER_VIRTUAL, &often, nullptr);
  while (g_count < 30) g_sink = mix(g_sink, 1000);
  setitimer(ITIMER_PROF, &never, nullptr);
  setitimer(ITIMER_VIRTUAL, &never, nullptr);
  const int file = timerfd_create(CLOCK_MONOTONIC, 0);
  const itimerspec when = {{0, 2'000'000}, {0, 2'000'000}};
  timerfd_settime(file, 0, &when, nullptr);
  std::uint64_t times = 0, sum = 0;
  for (int i = 0; i < 20 && read(file, &times, sizeof times) == sizeof times; ++i) sum += times >= 1;
  printf("timers came; read %d\n", static_cast<int>(sum));
}

// ---- calls that end early if a signal comes

void* wait_and_burn(void* given) {
  long& interrupted = *static_cast<long*>(given);
  unsigned word = 0;
  for (int i = 0; i < 150; ++i) {
    g_sink = mix(g_sink, 20'000 + i * 97);
    const timespec little = {0, 200'000};
    interrupted += poll(nullptr, 0, 1) < 0;
    interrupted += nanosleep(&little, nullptr) != 0;
    interrupted += syscall(SYS_futex, &word, 128, 0, &little, nullptr, 0) != 0 && errno == EINTR;
    interrupted += clock_nanosleep(CLOCK_MONOTONIC, 0, &little, nullptr) != 0;
  }
  return nullptr;
}
void calls_end_as_they_should() {
  long interrupted[4] = {};
  pthread_t threads[4];
  for (int i = 0; i < 4; ++i) pthread_create(&threads[i], nullptr, wait_and_burn, &interrupted[i]);
  for (const pthread_t thread : threads) pthread_join(thread, nullptr);
  printf("interrupted %ld\n", interrupted[0] + interrupted[1] + interrupted[2] + interrupted[3]);
}

// ---- processes

int wait_for(pid_t child) {
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) continue;
  return status;
}

void fork_storm() {
  int sum = 0;
  for (int i = 0; i < 150; ++i) {
    burn(5e-4);
    const pid_t child = fork();
    if (child == 0) {
      burn(2e-4);
      _exit(i % 64);
    }
    sum += WEXITSTATUS(wait_for(child));
  }
  printf("sum %d\n", sum);
}

// Each program starts the next one, with other signals blocked and ignored.
void exec_chain(int left) {
  printf("%d: blocked %016lx, waiting %016lx, ignored %016lx\n", left, status_mask("SigBlk:"), status_mask("SigPnd:"),
         status_mask("SigIgn:"));
  fflush(stdout);
  burn(0.02);
  if (left == 0) return;
  sigset_t set = all_signals();
  if (left % 2) sigemptyset(&set);
  sigprocmask(SIG_SETMASK, &set, nullptr);
  std::signal(SIGUSR1 + left % 2 * 2, SIG_IGN);
  char number[] = {static_cast<char>('0' + left - 1), 0};
  execl("/proc/self/exe", "nasty_signals", "exec_chain", number, static_cast<char*>(nullptr));
}
void start_exec_chain() { exec_chain(8); }

void spawned_masks() {
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  sigset_t set = all_signals(), defaults = all_signals();
  posix_spawnattr_setsigmask(&attributes, &set);
  sigdelset(&defaults, SIGKILL);
  sigdelset(&defaults, SIGSTOP);
  posix_spawnattr_setsigdefault(&attributes, &defaults);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
  std::signal(SIGUSR1, SIG_IGN);
  fflush(stdout);
  for (int i = 0; i < 30; ++i) {
    char name[] = "grep", option[] = "-E", pattern[] = "Sig(Pnd|Blk|Ign)", file[] = "/proc/self/status";
    char* arguments[] = {name, option, pattern, file, nullptr};
    pid_t child = 0;
    burn(1e-3);
    if (posix_spawnp(&child, "grep", nullptr, i % 2 ? &attributes : nullptr, arguments, environ) == 0) wait_for(child);
  }
}

void vfork_children() {
  int sum = 0;
  handle(SIGUSR1, note, SA_RESTART);
  for (int i = 0; i < 80; ++i) {
    burn(1e-3);
    const pid_t child = vfork();
    if (child == 0) {
      std::signal(SIGUSR1, SIG_DFL);
      execl("/bin/sh", "sh", "-c", "exit 3", static_cast<char*>(nullptr));
      _exit(1);
    }
    sum += WEXITSTATUS(wait_for(child));
    raise(SIGUSR1);
  }
  printf("sum %d, handled %d\n", sum, g_count);
}

int run_clone(void* stack) {
  g_sink = mix(g_sink, 100'000);
  static_cast<char*>(stack)[0] = 1;
  return 5;
}
void clones() {
  constexpr int kSize = 64 << 10;
  char* const stack = static_cast<char*>(malloc(kSize));
  int sum = 0;
  for (int i = 0; i < 60; ++i) {
    burn(1e-3);
    const int flags = i % 2 ? CLONE_VM | SIGCHLD : CLONE_FS | SIGCHLD;
    sum += WEXITSTATUS(wait_for(clone(run_clone, stack + kSize, flags, stack)));
  }
  printf("sum %d\n", sum);
}

void stopped() {
  const pid_t child = fork();
  if (child == 0) {
    burn(0.15);
    _exit(9);
  }
  int stops = 0, status = 0;
  for (int i = 0; i < 20; ++i) {
    kill(child, SIGSTOP);
    stops += waitpid(child, &status, WUNTRACED) == child && WIFSTOPPED(status);
    kill(child, SIGCONT);
  }
  printf("stops %d, status %d\n", stops, WEXITSTATUS(wait_for(child)));
  const pid_t parent = getpid(), other = fork();
  if (other == 0) {
    for (int i = 0; i < 40; ++i) {
      usleep(2000);
      kill(parent, SIGSTOP);
      usleep(500);
      kill(parent, SIGCONT);
    }
    _exit(4);
  }
  burn(0.05);
  printf("status %d\n", WEXITSTATUS(wait_for(other)));
}

// A debugger sees the child's own signals and no others.
void traced() {
  const pid_t child = fork();
  if (child == 0) {
    ptrace(PTRACE_TRACEME, 0, nullptr, nullptr);
    raise(SIGSTOP);
    burn(0.05);
    raise(SIGUSR1);
    _exit(6);
  }
  int status = 0, sum = 0;
  while (waitpid(child, &status, 0) == child && WIFSTOPPED(status)) {
    sum += WSTOPSIG(status);
    ptrace(PTRACE_CONT, child, nullptr, nullptr);
  }
  printf("signals %d, status %d\n", sum, WEXITSTATUS(status));
}

// ---- threads

void* spin(void* given) {
  pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, nullptr);
  for (;;) *static_cast<volatile std::uint64_t*>(given) = mix(1, 1000);
}
void* block(void*) {
  for (;;) usleep(1000);
}
void cancellation() {
  std::uint64_t scratch = 0;
  int cancelled = 0;
  for (int i = 0; i < 80; ++i) {
    pthread_t thread;
    void* result = nullptr;
    pthread_create(&thread, nullptr, i % 2 ? spin : block, &scratch);
    burn(2e-3);
    pthread_cancel(thread);
    pthread_join(thread, &result);
    cancelled += result == PTHREAD_CANCELED;
  }
  printf("cancelled %d\n", cancelled);
}

// The C library changes the user of all threads by a signal.
volatile bool g_is_over = false;
void* burn_till_over(void*) {
  while (!g_is_over) g_sink = mix(g_sink, 1000);
  uid_t real, effective, saved;
  getresuid(&real, &effective, &saved);
  return reinterpret_cast<void*>(static_cast<std::uintptr_t>(effective));
}
void users() {
  pthread_t threads[3];
  for (pthread_t& thread : threads) pthread_create(&thread, nullptr, burn_till_over, nullptr);
  int failed = 0;
  const uid_t before = geteuid();
  for (int i = 0; i < 15; ++i) {
    burn(5e-4);
    failed += seteuid(before == 0 ? 65534 : before) != 0;
    failed += seteuid(before) != 0;
  }
  failed += seteuid(before == 0 ? 65534 : before) != 0;
  g_is_over = true;
  int others = 0;
  for (const pthread_t thread : threads) {
    void* user = nullptr;
    pthread_join(thread, &user);
    others += reinterpret_cast<std::uintptr_t>(user) != geteuid();
  }
  printf("failed %d, others %d\n", failed, others);
}

// Signals of the process come to the thread that the kernel prefers, and those of a thread to that.
void directed_signals() {
  start_idle_thread();
  handle(
      SIGUSR1, [](int) { g_wrong = g_wrong + !is_main_thread(), g_count = g_count + 1; }, SA_RESTART);
  for (int i = 0; i < 2000; ++i) {
    g_sink = mix(g_sink, 30'000);
    kill(getpid(), SIGUSR1);
  }
  const int at_main = g_count;
  pthread_t thread;
  pthread_create(&thread, nullptr, burn_till_over, nullptr);
  int sent = 0;
  const int wrong_before = g_wrong;
  for (; sent < 30; ++sent) {
    const int count = g_count;
    g_sink = mix(g_sink, 10'000);
    pthread_kill(thread, SIGUSR1);
    while (g_count == count) sched_yield();
  }
  g_is_over = true;
  pthread_join(thread, nullptr);
  printf("handled %d, elsewhere %d; in the thread %d\n", at_main, wrong_before, g_wrong - wrong_before);
}

struct Case {
  const char* name;
  void (*run)();
};
constexpr Case kCases[] = {
    {"jumps", jumps},
    {"jumps_without_mask", jumps_without_mask},
    {"contexts", contexts},
    {"preempted_coroutines", preempted_coroutines},
    {"throwing_handlers", throwing_handlers},
    {"exiting_handlers", exiting_handlers},
    {"handlers_that_look", handlers_that_look},
    {"signals_that_nobody_sends", signals_that_nobody_sends},
    {"signals_for_a_thread", signals_for_a_thread},
    {"masks", masks},
    {"waits_with_masks", waits_with_masks},
    {"waits_with_samples", waits_with_samples},
    {"full_queue", full_queue},
    {"no_queue", no_queue},
    {"alternate_stacks", alternate_stacks},
    {"small_thread_stacks", small_thread_stacks},
    {"small_coroutines", small_coroutines},
    {"handlers_are_told", handlers_are_told},
    {"handlers_for_once", handlers_for_once},
    {"nested_handlers", nested_handlers},
    {"own_timers", own_timers},
    {"interval_timers", interval_timers},
    {"calls_end_as_they_should", calls_end_as_they_should},
    {"fork_storm", fork_storm},
    {"exec_chain", start_exec_chain},
    {"spawned_masks", spawned_masks},
    {"vfork_children", vfork_children},
    {"clones", clones},
    {"stopped", stopped},
    {"traced", traced},
    {"cancellation", cancellation},
    {"users", users},
    {"directed_signals", directed_signals},
};

}  // namespace

int main(int argc, char** argv) {
  if (argc == 3) return exec_chain(std::atoi(argv[2])), 0;
  for (const Case& each : kCases) {
    if (argc == 2 && !std::strcmp(argv[1], "list")) std::puts(each.name);
    if (argc != 2 || std::strcmp(argv[1], each.name)) continue;
    each.run();
    return 0;
  }
  return argc == 2 && !std::strcmp(argv[1], "list") ? 0 : 2;
}
