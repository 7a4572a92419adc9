// calls_wrapped.cpp -- calls all functions of wrapped.h, from threads, callbacks, handlers and exceptions, and prints
// what they return. Behind "TOLD" it prints "NAME VISITS SECONDS" for functions, as it has measured them itself.
#include <dlfcn.h>
#include <unistd.h>

#include <cerrno>
#include <csetjmp>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <stdexcept>
#include <thread>
#include <vector>

extern "C" {
#define _Complex __complex__
#define complex
#include "wrapped.h"
}

static double seconds_now() {
  timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

static int plain(int i, void*) { return i; }
static int throws(int i, void*) {
  if (i == 3) throw std::runtime_error("three");
  return i;
}
static int calls_again(int i, void*) { return wrapped_call_back(i, plain, nullptr); }
static int jumps(int i, void* buffer) {
  if (i == 2) longjmp(*static_cast<jmp_buf*>(buffer), 7);
  return i;
}
static volatile sig_atomic_t handled = 0;
static void handle(int) { handled = handled + wrapped_recursive(2); }
static void raise_signal() { raise(SIGUSR1); }
static int raises(int i, void*) { return raise_signal(), i; }

static void print_values() {
  long more = 13;
  printf("%ld\n", wrapped_many(1, 2, 3, 4, 5, 6, -7, 8, -9, 10, -11, &more));
  printf("%g\n", wrapped_floats(1, 2, 3, 4, 5, 6, 7, 8, 9, 10));
  printf("%Lg\n", wrapped_long_double(1.25L, 3, 2.5L));
  __complex__ double wide = 1.0;
  __complex__ float narrow = 3.0f;
  __imag__ wide = 2.0;
  __imag__ narrow = 4.0f;
  const __complex__ double product = wrapped_complex(wide, narrow, 5);
  printf("%g %g\n", __real__ product, __imag__ product);
  const wrapped_pair pair = wrapped_pairs({1, 2.5}, 3, {4, 5.5});
  printf("%ld %g\n", pair.first, pair.second);
  const wrapped_block block = wrapped_blocks(2, {{1, 2, 3, 4, 5, 6, 7, 8, 9}}, 10, {{9, 8, 7, 6, 5, 4, 3, 2, 1}});
  for (const long number : block.numbers) printf("%ld ", number);
  errno = 5;
  printf("\n%d", wrapped_errno(11));
  printf(" %d %d\n", errno, wrapped_sum("idididididi", 1, 2.0, 3, 4.0, 5, 6.0, 7, 8.0, 9, 10.0, 11));
  printf("%d %d\n", wrapped_recursive(10), wrapped_inline(1));
  const size_t dims[] = {3, 4, 5};
  const int n = 6;
  printf("%d\n", wrapped_sizes(3, dims, &n));
}

static void leave_calls() {
  for (int i = 0; i < 100; ++i) {
    try {
      wrapped_call_back(5, throws, nullptr);
      printf("nothing is thrown\n");
    } catch (const std::exception& error) {
      if (i == 99) printf("thrown: %s\n", error.what());
    }
    jmp_buf buffer;
    if (const int value = setjmp(buffer); value == 0) wrapped_call_back(5, jumps, &buffer);
    else if (i == 99) printf("jumped: %d\n", value);
    if (const int value = setjmp(buffer); value == 0) wrapped_jump(&buffer, i + 1);
    else if (i == 99) printf("jumped: %d\n", value);
  }
}

int main() {
  print_values();
  printf("%d %d\n", wrapped_call_back(4, plain, nullptr), wrapped_call_back(4, calls_again, nullptr));
  leave_calls();
  signal(SIGUSR1, handle);
  printf("%d\n", wrapped_call_back(3, raises, nullptr));
  printf("handled %d\n", static_cast<int>(handled));
  std::vector<std::thread> threads;
  double spent[2] = {};
  for (int t = 0; t < 2; ++t)
    threads.emplace_back([&spent, t] {
      for (int i = 0; i < 25; ++i) {
        const double begin = seconds_now();
        wrapped_work(i % 2, 0.02);
        spent[t] += seconds_now() - begin;
      }
    });
  for (std::thread& thread : threads) thread.join();
  // A function that is not wrapped finds the right one.
  int (*const looked_up)(int) = reinterpret_cast<int (*)(int)>(dlsym(RTLD_DEFAULT, "wrapped_recursive"));
  printf("%d\n", looked_up ? looked_up(3) : -1);
  fflush(stdout);
  fprintf(stderr, "wrapped_work 50 %.6f\n", spent[0] + spent[1]);
  return 3;
}
