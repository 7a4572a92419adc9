// throttled.cpp -- short functions that are called very often: plain, recursive, in threads, left by exceptions and
// jumps.
//
// usage: throttled TIMES
//
// Prints "FUNCTION CALLS" for each of them, and a sum that is the same however it is recorded.
#include <csetjmp>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <pthread.h>

#define APART __attribute__((noinline, noclone))

namespace {

volatile long g_sum = 0;
std::jmp_buf g_target;

void wait_until_passed(long microseconds) {
  timespec begin, now;
  clock_gettime(CLOCK_MONOTONIC, &begin);
  do clock_gettime(CLOCK_MONOTONIC, &now);
  while ((now.tv_sec - begin.tv_sec) * 1'000'000 + (now.tv_nsec - begin.tv_nsec) / 1000 < microseconds);
}

}  // namespace

extern "C" {

APART void tiny(long i) { g_sum = g_sum + i % 3; }
APART void in_threads(long* sum, long i) { *sum += i % 3; }

// One more call for each level.
APART void down(int levels) {
  g_sum = g_sum + 1;
  if (levels > 1) down(levels - 1);
  g_sum = g_sum + 1;
}

APART void thrower(long i) {
  g_sum = g_sum + 1;
  if (i % 50 == 0) throw i;
}

APART void jumper(long i) {
  g_sum = g_sum + 1;
  if (i % 50 == 0) std::longjmp(g_target, 1);
}

// Short as a rule, but not on average.
APART void sometimes_long(long i) {
  if (i % 10 == 0) wait_until_passed(1000);
  g_sum = g_sum + 1;
}

// Calls what is recorded: that is so when it is throttled.
APART void inner() { wait_until_passed(200); }
APART void outer(long i) {
  tiny(i);
  if (i % 10'000 == 0) inner();
}

APART void call_tiny(long times) {
  for (long i = 0; i < times; ++i) tiny(i);
}

APART void catch_all(long times) {
  for (long i = 0; i < times; ++i) try {
      thrower(i);
    } catch (long) {
    }
}

APART void jump_out(long times) {
  for (volatile long i = 0; i < times; i = i + 1)
    if (setjmp(g_target) == 0) jumper(i);
}

void* run_thread(void* times) {
  long sum = 0;
  for (long i = 0; i < *static_cast<long*>(times); ++i) in_threads(&sum, i);
  return reinterpret_cast<void*>(sum);
}
}

int main(int argc, char** argv) {
  long times = argc > 1 ? std::atol(argv[1]) : 1000;
  const long few = times / 20;
  call_tiny(times);
  for (long i = 0; i < times / 5; ++i) down(5);
  catch_all(times);
  jump_out(times);
  for (long i = 0; i < few; ++i) sometimes_long(i);
  for (long i = 0; i < times; ++i) outer(i);
  pthread_t threads[3];
  for (pthread_t& thread : threads)
    if (pthread_create(&thread, nullptr, run_thread, &times)) return 1;
  long sum = g_sum;
  for (const pthread_t thread : threads) {
    void* of_thread = nullptr;
    pthread_join(thread, &of_thread);
    sum += reinterpret_cast<long>(of_thread);
  }
  std::printf("tiny %ld\nin_threads %ld\ndown %ld\nthrower %ld\njumper %ld\nouter %ld\n", 2 * times, 3 * times,
              times / 5 * 5, times, times, times);
  std::fprintf(stderr, "sometimes_long %ld\ninner %ld\ncall_tiny 1\nsum %ld\n", few, (times + 9'999) / 10'000, sum);
  return 0;
}
