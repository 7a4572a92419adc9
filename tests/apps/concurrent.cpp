// concurrent.cpp -- programs of threads, processes and contexts that a recorder may not change: concurrent CASE.
//
// What a case prints and its status must be the same with and without the recorder. `concurrent list` prints the names
// of all cases. ./plugin.so is the same file, compiled with -DPLUGIN.
#ifdef PLUGIN
extern "C" __attribute__((noinline)) long plugin_work(long value) { return value * 3 + 1; }
#else
#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <spawn.h>
#include <sys/wait.h>
#include <threads.h>
#include <ucontext.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <chrono>
#include <coroutine>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <future>
#include <mutex>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

extern char** environ;

namespace {

const char* g_self = nullptr;

__attribute__((noinline)) long work(long value) { return value * 31 % 1009 + 1; }
__attribute__((noinline)) long burn(long value, int times) {
  for (int i = 0; i < times; ++i) value = work(value);
  return value;
}

// Threads that go on until the process ends.
std::atomic<long> g_burnt = 0;
[[noreturn]] void burn_for_ever() {
  for (;;) g_burnt += burn(1, 100);
}

template <class Function>
void in_threads(int count, Function function) {
  std::vector<std::thread> threads;
  for (int i = 0; i < count; ++i) threads.emplace_back(function, i);
  for (std::thread& each : threads) each.join();
}

// ---- threads that come, go and are ended

void waves() {
  std::atomic<long> sum = 0;
  for (int wave = 0; wave < 60; ++wave) in_threads(16, [&](int i) { sum += burn(i, 50); });
  std::printf("%ld\n", sum.load());
}

// They are still at it when the process ends.
void detached() {
  static std::atomic<int> begun = 0;
  for (int i = 0; i < 40; ++i)
    std::thread([] {
      ++begun;
      burn_for_ever();
    }).detach();
  while (begun < 40) std::this_thread::yield();
  std::puts("leaving");
}

// A thread that is cancelled anywhere is unwound from there. GCC's hooks for functions of C++ forbid that.
__attribute__((no_instrument_function)) void* loop_until_cancelled(void* count) {
  __atomic_fetch_add(static_cast<int*>(count), 1, __ATOMIC_SEQ_CST);
  pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, nullptr);
  for (volatile long value = 1;;) value = value * 31 % 1009 + 1;
}

void cancelled_at_any_time() {
  static int begun = 0;
  int cancelled = 0;
  for (int i = 0; i < 60; ++i) {
    pthread_t thread;
    void* result = nullptr;
    if (pthread_create(&thread, nullptr, loop_until_cancelled, &begun) != 0) std::exit(2);
    while (__atomic_load_n(&begun, __ATOMIC_SEQ_CST) <= i) std::this_thread::yield();
    pthread_cancel(thread);
    pthread_join(thread, &result);
    cancelled += result == PTHREAD_CANCELED;
  }
  std::printf("%d of %d\n", cancelled, begun);
}

// The reader waits for ever; what it has to clean up is instrumented, and writes.
struct Reader {
  int ends[2];
  long sum = 0;
  std::atomic<bool> is_ready = false;
};

void clean_up(void* reader) {
  auto* const self = static_cast<Reader*>(reader);
  self->sum = burn(7, 500);
  if (write(self->ends[1], "x", 1) != 1) std::exit(3);
}

void* read_for_ever(void* reader) {
  char byte;
  pthread_cleanup_push(clean_up, reader);
  static_cast<Reader*>(reader)->is_ready = true;
  while (read(static_cast<Reader*>(reader)->ends[0], &byte, 1) >= 0) continue;
  pthread_cleanup_pop(0);
  return nullptr;
}

void cancelled_in_calls() {
  long sum = 0;
  for (int i = 0; i < 60; ++i) {
    Reader reader;
    pthread_t thread;
    char byte;
    if (pipe(reader.ends) != 0 || pthread_create(&thread, nullptr, read_for_ever, &reader) != 0) std::exit(2);
    while (!reader.is_ready) std::this_thread::yield();
    if (i % 2) usleep(200);
    pthread_cancel(thread);
    pthread_join(thread, nullptr);
    if (read(reader.ends[0], &byte, 1) != 1) std::exit(3);
    close(reader.ends[0]);
    close(reader.ends[1]);
    sum += reader.sum;
  }
  std::printf("%ld\n", sum);
}

// What threads do when they have ended: destructors of theirs run instrumented code, write, and come back.
struct AtThreadEnd {
  std::atomic<long>* sum;
  ~AtThreadEnd() {
    if (sum) *sum += burn(3, 300);
  }
};
thread_local AtThreadEnd t_at_end{nullptr};
pthread_key_t g_first_key, g_last_key;
std::atomic<long> g_ended = 0;
FILE* g_file = nullptr;

void come_back(void* rounds) {
  const long left = reinterpret_cast<long>(rounds);
  g_ended += burn(left, 200) > 0;
  std::fprintf(g_file, "%ld", left);
  if (left > 1) pthread_setspecific(left % 2 ? g_first_key : g_last_key, reinterpret_cast<void*>(left - 1));
}

void destructors() {
  static std::atomic<long> sum = 0;
  g_file = std::tmpfile();
  pthread_key_create(&g_first_key, come_back);
  in_threads(4, [](int) { burn(1, 10); });  // the recorder has keys of its own by now
  pthread_key_create(&g_last_key, come_back);
  in_threads(100, [](int) {
    t_at_end.sum = &sum;
    pthread_setspecific(g_first_key, reinterpret_cast<void*>(3));
    pthread_setspecific(g_last_key, reinterpret_cast<void*>(2));
    burn(5, 100);
  });
  std::printf("%ld %ld %ld\n", sum.load(), g_ended.load(), std::ftell(g_file));
}

// ---- processes

std::mutex g_forked_mutex;
long g_prepared = 0;

void prepare_fork() {
  g_forked_mutex.lock();
  g_prepared += burn(1, 100) > 0;
}
void end_fork() {
  burn(2, 100);
  g_forked_mutex.unlock();
}

int status_of(pid_t child) {
  int status = -1;
  if (child < 0 || waitpid(child, &status, 0) != child) std::exit(4);
  return status;
}

// Children of a process with many threads, with handlers around the forks; some have threads of their own.
void forks_of_threads() {
  pthread_atfork(prepare_fork, end_fork, end_fork);
  std::atomic<long> sum = 0;
  std::atomic<bool> is_done = false;
  std::thread busy([&] {
    while (!is_done) g_burnt += burn(1, 1000);
  });
  in_threads(4, [&](int number) {
    for (int i = 0; i < 20; ++i) {
      const pid_t child = fork();
      if (child == 0) {
        if (i % 4 == 0) in_threads(2, [](int) { burn(1, 100); });
        _exit(burn(i, 100) > 0 ? number + 1 : 0);
      }
      sum += WEXITSTATUS(status_of(child));
    }
  });
  is_done = true;
  busy.join();
  std::printf("%ld %ld\n", sum.load(), g_prepared);
}

// Children of children, which end by exit() and run what was registered for it.
void forks_of_children() {
  int pipe_ends[2];
  if (pipe(pipe_ends) != 0) std::exit(2);
  for (int level = 0; level < 6; ++level) {
    fflush(nullptr);
    const pid_t child = fork();
    if (child > 0) {
      const int status = status_of(child);
      if (level > 0) std::exit(WEXITSTATUS(status) + 1);
      std::printf("%d levels\n", WEXITSTATUS(status));
      return;
    }
    burn(level, 1000);
  }
  std::exit(1);
}

void spawns_of_threads() {
  std::atomic<int> good = 0;
  in_threads(6, [&](int) {
    for (int i = 0; i < 10; ++i) {
      pid_t child;
      const char* const arguments[] = {g_self, "quietly", nullptr};
      if (posix_spawn(&child, g_self, nullptr, nullptr, const_cast<char**>(arguments), environ) != 0) std::exit(2);
      good += WEXITSTATUS(status_of(child)) == 5;
      child = vfork();
      if (child == 0) execv(g_self, const_cast<char**>(arguments)), _exit(9);
      good += WEXITSTATUS(status_of(child)) == 5;
    }
  });
  std::printf("%d\n", good.load());
}

// Another program takes the place of this one, from a thread, while others run; then once more.
void executes(int left) {
  if (left == 0) {
    std::puts("the last one");
    std::exit(6);
  }
  for (int i = 0; i < 3; ++i) std::thread(burn_for_ever).detach();
  std::thread([left] {
    const std::string next = "executes-" + std::to_string(left - 1);
    const char* const arguments[] = {g_self, next.c_str(), nullptr};
    burn(2, 1000);
    execv(g_self, const_cast<char**>(arguments));
    _exit(9);
  }).join();
}

// A process that shares the memory, and the thread's, until it ends.
int in_shared_memory(void* sum) {
  *static_cast<long*>(sum) += burn(3, 500);
  return 7;
}

void clones() {
  long sum = 0;
  int statuses = 0;
  std::vector<char> stack(1 << 18);
  for (int i = 0; i < 50; ++i) {
    const int child = clone(in_shared_memory, stack.data() + stack.size(), CLONE_VM | CLONE_VFORK | SIGCHLD, &sum);
    statuses += WEXITSTATUS(status_of(child));
    sum += burn(1, 100);
  }
  std::printf("%ld %d\n", sum, statuses);
}

// A thread leaves the descriptors and the folder of the others.
void unshared() {
  std::atomic<int> good = 0;
  in_threads(8, [&](int) {
    if (unshare(CLONE_FILES | CLONE_FS) != 0 || chdir("/") != 0) return;
    close(0);
    burn(4, 2000);
    good += open("/proc/self/stat", O_RDONLY) >= 0;
  });
  char folder[4096];
  std::printf("%d %d\n", good.load(), getcwd(folder, sizeof folder) && std::strcmp(folder, "/") != 0);
}

// ---- libraries that are loaded and unloaded while threads are inside of others

void plugins() {
  std::atomic<long> sum = 0;
  in_threads(4, [&](int number) {
    for (int i = 0; i < 60; ++i) {
      void* const library = dlopen("./plugin.so", i % 2 ? RTLD_NOW : RTLD_LAZY);
      if (!library) std::exit(2);
      const auto function = reinterpret_cast<long (*)(long)>(dlsym(library, "plugin_work"));
      for (int k = 0; k < 50; ++k) sum += function(number + k);
      dlclose(library);
    }
  });
  std::printf("%ld\n", sum.load());
}

// ---- contexts

struct Generator {
  struct promise_type {
    long value = 0;
    Generator get_return_object() { return {std::coroutine_handle<promise_type>::from_promise(*this)}; }
    std::suspend_always initial_suspend() { return {}; }
    std::suspend_always final_suspend() noexcept { return {}; }
    std::suspend_always yield_value(long next) {
      value = next;
      return {};
    }
    void return_void() {}
    void unhandled_exception() { throw; }
  };
  std::coroutine_handle<promise_type> handle;
};

Generator count_up(long from) {
  for (long value = from;; ++value) {
    if (value == from + 900) throw std::runtime_error("too far");
    co_yield burn(value, 5);
  }
}

// Each goes on in the next thread, and ends by an exception.
void coroutines() {
  std::vector<Generator> all;
  std::atomic<long> sum = 0;
  std::atomic<int> thrown = 0;
  for (int i = 0; i < 8; ++i) all.push_back(count_up(i));
  for (int round = 0; round < 10; ++round)
    in_threads(8, [&](int number) {
      const Generator& generator = all[static_cast<std::size_t>((number + round) % 8)];
      for (int k = 0; k < 100 && !generator.handle.done(); ++k) try {
          generator.handle.resume();
          sum += generator.handle.promise().value;
        } catch (const std::runtime_error&) {
          ++thrown;
        }
    });
  for (Generator& each : all) each.handle.destroy();
  std::printf("%ld %d\n", sum.load(), thrown.load());
}

// Fibers with stacks of their own that go on in whatever thread takes them next, in the middle of functions.
struct Fiber {
  ucontext_t context;
  ucontext_t* home = nullptr;
  std::vector<char> stack = std::vector<char>(1 << 16);
  long sum = 0;
  int left = 20;
};

__attribute__((noinline)) void work_and_switch(Fiber* fiber, int depth) {
  fiber->sum += work(depth);
  if (depth > 0) return work_and_switch(fiber, depth - 1);
  swapcontext(&fiber->context, fiber->home);
  fiber->sum += work(depth);
}

void run_fiber(unsigned high, unsigned low) {
  auto* const fiber = reinterpret_cast<Fiber*>(static_cast<std::uintptr_t>(high) << 32 | low);
  for (; fiber->left > 0; --fiber->left) work_and_switch(fiber, 5);
  for (;;) swapcontext(&fiber->context, fiber->home);
}

void fibers() {
  std::vector<Fiber> all(6);
  for (Fiber& fiber : all) {
    const auto address = reinterpret_cast<std::uintptr_t>(&fiber);
    getcontext(&fiber.context);
    fiber.context.uc_stack.ss_sp = fiber.stack.data();
    fiber.context.uc_stack.ss_size = fiber.stack.size();
    makecontext(&fiber.context, reinterpret_cast<void (*)()>(run_fiber), 2, static_cast<unsigned>(address >> 32),
                static_cast<unsigned>(address));
  }
  for (int round = 0; round < 25; ++round)
    in_threads(6, [&](int number) {
      ucontext_t home;
      Fiber& fiber = all[static_cast<std::size_t>((number + round) % 6)];
      fiber.home = &home;
      work(1);
      swapcontext(&home, &fiber.context);
      work(2);
    });
  long sum = 0;
  for (const Fiber& fiber : all) sum += fiber.sum + fiber.left;
  std::printf("%ld\n", sum);
}

// ---- other libraries of threads

void futures() {
  long sum = 0;
  int thrown = 0;
  for (int wave = 0; wave < 10; ++wave) {
    std::vector<std::future<long>> all;
    for (int i = 0; i < 30; ++i)
      all.push_back(std::async(i % 5 ? std::launch::async : std::launch::deferred, [i] {
        if (i % 7 == 0) throw std::runtime_error("seven");
        return burn(i, 100);
      }));
    for (std::future<long>& each : all) try {
        sum += each.get();
      } catch (const std::runtime_error&) {
        ++thrown;
      }
  }
  std::printf("%ld %d\n", sum, thrown);
}

mtx_t g_lock;
cnd_t g_is_full;
tss_t g_slot;
int g_waiting = 0;
std::atomic<int> g_freed = 0;

int wait_for_all(void* number) {
  tss_set(g_slot, number);
  mtx_lock(&g_lock);
  if (++g_waiting == 32) cnd_broadcast(&g_is_full);
  while (g_waiting < 32) cnd_wait(&g_is_full, &g_lock);
  mtx_unlock(&g_lock);
  thrd_exit(static_cast<int>(burn(1, 50)));
}

void c11_threads() {
  mtx_init(&g_lock, mtx_plain);
  cnd_init(&g_is_full);
  tss_create(&g_slot, [](void*) { ++g_freed; });
  thrd_t threads[32];
  int sum = 0;
  for (thrd_t& each : threads)
    if (thrd_create(&each, wait_for_all, &g_lock) != thrd_success) std::exit(2);
  for (const thrd_t each : threads) {
    int result = 0;
    thrd_join(each, &result);
    sum += result;
  }
  std::printf("%d %d\n", sum, g_freed.load());
}

// A mutex whose owner has ended, and one that checks who unlocks it.
void robust() {
  pthread_mutexattr_t kind;
  pthread_mutex_t mutexes[20];
  pthread_mutexattr_init(&kind);
  pthread_mutexattr_setrobust(&kind, PTHREAD_MUTEX_ROBUST);
  pthread_mutexattr_settype(&kind, PTHREAD_MUTEX_ERRORCHECK);
  int dead = 0, refused = 0, deadlocks = 0;
  for (pthread_mutex_t& mutex : mutexes) {
    pthread_mutex_init(&mutex, &kind);
    std::thread([&] {
      pthread_mutex_lock(&mutex);
      burn(1, 20);
    }).join();
    refused += pthread_mutex_unlock(&mutex) == EPERM;
    dead += pthread_mutex_lock(&mutex) == EOWNERDEAD;
    pthread_mutex_consistent(&mutex);
    deadlocks += pthread_mutex_lock(&mutex) == EDEADLK;
    pthread_mutex_unlock(&mutex);
    pthread_mutex_destroy(&mutex);
  }
  std::printf("%d %d %d\n", dead, refused, deadlocks);
}

// ---- signals to single threads

std::atomic<long> g_handled = 0;
void handle(int) { g_handled += burn(1, 20) > 0; }

void signals() {
  struct sigaction action = {};
  action.sa_handler = handle;
  sigaction(SIGUSR1, &action, nullptr);
  sigset_t second;
  sigemptyset(&second);
  sigaddset(&second, SIGUSR2);
  pthread_sigmask(SIG_BLOCK, &second, nullptr);
  std::atomic<int> waited = 0;
  for (int round = 0; round < 20; ++round)
    in_threads(6, [&](int) {
      int found = 0;
      for (int k = 0; k < 5; ++k) pthread_kill(pthread_self(), SIGUSR1);
      pthread_kill(pthread_self(), SIGUSR2);
      waited += sigwait(&second, &found) == 0 && found == SIGUSR2;
    });
  std::printf("%ld %d\n", g_handled.load(), waited.load());
}

struct Case {
  const char* name;
  void (*run)();
};
constexpr Case kCases[] = {
    {"waves", waves},
    {"detached", detached},
    {"cancelled_at_any_time", cancelled_at_any_time},
    {"cancelled_in_calls", cancelled_in_calls},
    {"destructors", destructors},
    {"forks_of_threads", forks_of_threads},
    {"forks_of_children", forks_of_children},
    {"spawns_of_threads", spawns_of_threads},
    {"executes", [] { executes(3); }},
    {"clones", clones},
    {"unshared", unshared},
    {"plugins", plugins},
    {"coroutines", coroutines},
    {"fibers", fibers},
    {"futures", futures},
    {"c11_threads", c11_threads},
    {"robust", robust},
    {"signals", signals},
};

}  // namespace

int main(int argc, char** argv) {
  g_self = argv[0];
  const std::string name = argc == 2 ? argv[1] : "";
  if (name == "quietly") return burn(1, 100) > 0 ? 5 : 0;
  if (name.starts_with("executes-")) executes(name.back() - '0');
  for (const Case& each : kCases) {
    if (name == "list") std::puts(each.name);
    if (name != each.name) continue;
    each.run();
    return 0;
  }
  return name == "list" ? 0 : 2;
}
#endif
