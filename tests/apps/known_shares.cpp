// known_shares.cpp -- five functions with shares of 10, 20, 30, 25 and 15 % of the time; the fourth is inlined.
//
// usage: known_shares THREADS ROUNDS [UNIT]
//
// Prints, for each function, the seconds that it took by the program's own clock, added up over all threads:
// "NAME SECONDS". With 0 threads main() does the work. The inlined function is a part of run(). UNIT is the number of
// steps that stand for 5 %.
#include <pthread.h>

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <ctime>

#ifndef KNOWN_PART
#define KNOWN_PART __attribute__((noinline))
#endif

namespace {

constexpr int kFunctions = 5;
long g_unit = 3'000'000, g_rounds = 0;
std::atomic<long> g_nanoseconds[kFunctions];

__attribute__((no_instrument_function)) long nanoseconds() {
  timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec * 1'000'000'000L + time.tv_nsec;
}

inline __attribute__((always_inline, no_instrument_function)) void spin(long steps) {
#if defined(__aarch64__)
  for (long i = 0; i < steps; ++i) asm volatile("mul x9, x9, x9\n\tmul x9, x9, x9" : : : "x9");
#else
  for (long i = 0; i < steps; ++i) asm volatile("imul %%rax, %%rax\n\timul %%rax, %%rax" : : : "rax", "cc");
#endif
}

}  // namespace

KNOWN_PART void tenth(long unit) { spin(2 * unit); }
KNOWN_PART void fifth(long unit) { spin(4 * unit); }
KNOWN_PART void three_tenths(long unit) { spin(6 * unit); }
inline __attribute__((always_inline)) void quarter(long unit) { spin(5 * unit); }
KNOWN_PART void three_twentieths(long unit) { spin(3 * unit); }

KNOWN_PART void run(long unit) {
  long took[kFunctions] = {};
  for (long round = 0; round < g_rounds; ++round) {
    long begin = nanoseconds(), end;
    const auto stop = [&](int function) {
      end = nanoseconds();
      took[function] += end - begin;
      begin = end;
    };
    tenth(unit), stop(0);
    fifth(unit), stop(1);
    three_tenths(unit), stop(2);
    quarter(unit), stop(3);
    three_twentieths(unit), stop(4);
  }
  for (int i = 0; i < kFunctions; ++i) g_nanoseconds[i] += took[i];
}

void* work(void*) {
  run(g_unit);
  return nullptr;
}

int main(int argc, char** argv) {
  constexpr int kMostThreads = 64;
  if (argc < 3 || atoi(argv[1]) > kMostThreads) return 2;
  const int threads = atoi(argv[1]);
  g_rounds = atol(argv[2]);
  if (argc > 3) g_unit = atol(argv[3]);
  pthread_t handles[kMostThreads];
  for (int i = 0; i < threads; ++i) pthread_create(&handles[i], nullptr, work, nullptr);
  for (int i = 0; i < threads; ++i) pthread_join(handles[i], nullptr);
  if (threads == 0) work(nullptr);
  const char* const names[] = {"tenth", "fifth", "three_tenths", "run", "three_twentieths"};
  for (int i = 0; i < kFunctions; ++i) printf("%s %.6f\n", names[i], 1e-9 * static_cast<double>(g_nanoseconds[i]));
}
