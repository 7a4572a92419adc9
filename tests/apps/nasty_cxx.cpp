/* nasty_cxx.cpp -- C++ programs that end, throw and destroy in unusual ways: nasty_cxx CASE.
 *
 * What a case prints and its status must be the same with and without the recorder. `nasty_cxx list` prints the names.
 */
#include <pthread.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <functional>
#include <future>
#include <memory>
#include <new>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

static volatile long sum;
static __attribute__((noinline)) void work(int i) { sum = sum + i; }
static __attribute__((noinline)) void burn(int calls) {
  for (int i = 0; i < calls; ++i) work(i);
}
enum { MANY = 100000, SOME = 1000 };

struct Noisy {
  const char* name;
  explicit Noisy(const char* text) : name(text) { burn(SOME); }
  ~Noisy() {
    burn(SOME);
    std::printf("~%s\n", name);
    std::fflush(stdout);
  }
};
static Noisy g_first("first global"), g_second("second global");
static thread_local Noisy t_own("thread's own");

static __attribute__((noinline)) int throw_from(int depth) {
  const std::string local = "depth " + std::to_string(depth);
  if (depth == 0) throw std::runtime_error("thrown");
  return throw_from(depth - 1) + static_cast<int>(local.size());
}

static void throws_deep() {
  int caught = 0;
  for (int i = 0; i < 200; ++i) {
    try {
      throw_from(20);
    } catch (const std::runtime_error&) {
      ++caught;
    }
    work(i);
  }
  std::printf("caught %d\n", caught);
}

static void rethrows_nested() {
  try {
    try {
      try {
        throw_from(3);
      } catch (...) {
        burn(SOME);
        std::throw_with_nested(std::logic_error("outer"));
      }
    } catch (const std::logic_error& error) {
      try {
        std::rethrow_if_nested(error);
      } catch (const std::runtime_error& inner) {
        std::printf("%s around %s\n", error.what(), inner.what());
      }
      throw;
    }
  } catch (const std::exception& error) {
    std::printf("at last %s\n", error.what());
  }
}

static void throws_across_threads() {
  auto result = std::async(std::launch::async, [] { return throw_from(5); });
  try {
    result.get();
  } catch (const std::exception& error) {
    std::printf("from a thread: %s\n", error.what());
  }
  std::exception_ptr kept;
  std::thread([&kept] {
    std::printf("own %s\n", t_own.name);
    try {
      throw_from(2);
    } catch (...) {
      kept = std::current_exception();
    }
  }).join();
  try {
    std::rethrow_exception(kept);
  } catch (const std::runtime_error& error) {
    std::printf("kept: %s\n", error.what());
  }
}

struct Thrower {
  ~Thrower() noexcept(false) {
    if (!std::uncaught_exceptions()) throw std::runtime_error("from a destructor");
  }
};
static void throws_in_destructor() {
  try {
    const Thrower thrower;
    burn(SOME);
  } catch (const std::exception& error) {
    std::puts(error.what());
  }
}

static void breaks_noexcept() noexcept { throw_from(2); }
[[noreturn]] static void own_terminate() {
  burn(SOME);
  std::puts("terminated");
  std::fflush(stdout);
  std::_Exit(7);
}
static void terminates() {
  std::set_terminate(own_terminate);
  breaks_noexcept();
}
static void terminates_by_default() {
  std::fflush(stdout);
  breaks_noexcept();
}

static void no_memory() {
  burn(SOME);
  try {
    std::vector<std::unique_ptr<char[]>> all;
    for (int i = 0; i < 4; ++i) all.emplace_back(new char[static_cast<std::size_t>(1) << 46]);
    std::puts("all there");
  } catch (const std::bad_alloc&) {
    std::puts("no memory");
  }
  burn(SOME);
}

static void at_quick() {
  burn(SOME);
  std::puts("at quick exit");
  std::fflush(stdout);
}
static void at_usual() {
  burn(SOME);
  std::puts("at exit");
  std::fflush(stdout);
}
static void quick() {
  std::atexit(at_usual);
  std::at_quick_exit(at_quick);
  burn(MANY);
  std::quick_exit(5);
}
static void exits_in_handler() {
  std::atexit([] { std::abort(); });
  std::atexit(at_usual);
  burn(MANY);
}
static void exits_from_thread() {
  std::printf("own %s\n", t_own.name);
  std::thread([] {
    std::printf("own %s\n", t_own.name);
    burn(SOME);
    std::exit(6);
  }).join();
}
static void registers_while_ending() {
  std::atexit([] {
    std::puts("one");
    std::atexit([] {
      burn(SOME);
      std::puts("two");
    });
  });
  burn(MANY);
}

static void cancelled_with_objects() {
  pthread_t thread;
  pthread_create(
      &thread, nullptr,
      [](void*) -> void* {
        const Noisy local("local of a cancelled thread");
        for (;;) {
          burn(SOME);
          pthread_testcancel();
        }
      },
      nullptr);
  pthread_cancel(thread);
  void* result = nullptr;
  pthread_join(thread, &result);
  std::printf("cancelled %d\n", result == PTHREAD_CANCELED);
}

static void many_functions() {
  std::vector<std::function<int(int)>> all;
  for (int i = 0; i < 50; ++i) all.emplace_back([i](int x) { return x + i; });
  long total = 0;
  for (int round = 0; round < 200; ++round)
    for (const auto& one : all) total += one(round);
  std::printf("total %ld\n", total);
}

static const struct {
  const char* name;
  void (*run)();
} kCases[] = {
    {"throws_deep", throws_deep},
    {"rethrows_nested", rethrows_nested},
    {"throws_across_threads", throws_across_threads},
    {"throws_in_destructor", throws_in_destructor},
    {"terminates", terminates},
    {"terminates_by_default", terminates_by_default},
    {"no_memory", no_memory},
    {"quick", quick},
    {"exits_in_handler", exits_in_handler},
    {"exits_from_thread", exits_from_thread},
    {"registers_while_ending", registers_while_ending},
    {"cancelled_with_objects", cancelled_with_objects},
    {"many_functions", many_functions},
};

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  for (const auto& one : kCases) {
    if (!std::strcmp(argv[1], "list")) std::puts(one.name);
    if (std::strcmp(argv[1], one.name)) continue;
    one.run();
    return 0;
  }
  if (!std::strcmp(argv[1], "list")) std::_Exit(std::fflush(stdout));
  return 2;
}
