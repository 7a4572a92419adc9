// sampled_stacks_test.cpp -- stacks of a thread that signals interrupt anywhere, beside those of glibc's backtrace().
//
// The runtime library of the compiler knows no stubs of the dynamic linker. Where it does not come to the end, only
// what it has found is compared.
#include <execinfo.h>
#include <gtest/gtest.h>
#include <sys/time.h>
#include <ucontext.h>

#include <algorithm>
#include <csignal>
#include <cstring>
#include <vector>

#include "measure/callpath/call_stack.hpp"

namespace tarry::measure {
namespace {

constexpr int kSamples = 300;

CallStack g_sampled;
volatile int g_samples = 0, g_cut = 0, g_different = 0, g_compared = 0;

Registers interrupted_at(const ucontext_t& context) {
  return {.return_address = processor::instruction_of(context) + 1,
          .stack = processor::stack_of(context),
          .base = processor::frame_pointer_of(context),
          .is_interrupted = true,
          .link = processor::return_register_of(context)};
}

// Innermost first: the instruction that was interrupted, and where each function further out goes on.
void compare(const ucontext_t& context) {
  void* expected[256];
  const int count = ::backtrace(expected, 256);
  const auto pc = reinterpret_cast<void*>(processor::instruction_of(context));
  const auto* const end = expected + count;
  const auto* at = std::find(expected, expected + count, pc);
  if (at == end) return;
  const auto frames = g_sampled.frames();
  for (std::size_t i = frames.size(); i-- > 0 && at < end; ++at) {
    g_compared = g_compared + 1;
    const std::uintptr_t found = frames[i].return_address - frames[i].is_interrupted;
    if (found != reinterpret_cast<std::uintptr_t>(*at)) {
      g_different = g_different + 1;
      return;
    }
  }
}

void on_signal(int, siginfo_t*, void* context) {
  const auto& interrupted = *static_cast<const ucontext_t*>(context);
  g_sampled.update(interrupted_at(interrupted));
  g_samples = g_samples + 1;
  if (g_sampled.is_truncated()) g_cut = g_cut + 1;
  else compare(interrupted);
}

[[gnu::noinline]] unsigned leaf(unsigned value) { return value * 1664525u + 1013904223u; }

#if defined(__aarch64__)
[[gnu::noinline, gnu::target("branch-protection=pac-ret+leaf")]] unsigned signed_leaf(unsigned value) {
  return leaf(value) ^ value >> 3;
}
[[gnu::noinline, gnu::target("branch-protection=pac-ret+leaf")]] unsigned signed_caller(unsigned value) {
  return signed_leaf(value) + signed_leaf(value + 1);
}
#else
[[gnu::noinline]] unsigned signed_caller(unsigned value) { return leaf(value) + leaf(value + 1); }
#endif

// Calls of libraries go through stubs.
[[gnu::noinline]] unsigned call_libraries(unsigned value) {
  char text[64];
  std::memset(text, static_cast<int>('a' + value % 16), sizeof text - 1);
  text[sizeof text - 1] = '\0';
  asm volatile("" : : "r"(text) : "memory");
  return static_cast<unsigned>(std::strlen(text)) + static_cast<unsigned>(std::strtoul("17", nullptr, 10));
}

[[gnu::noinline]] unsigned work(unsigned value, int depth) {
  if (depth > 0) return work(value, depth - 1) + leaf(value);
  return signed_caller(value) + call_libraries(value) + leaf(value);
}

TEST(SampledStacks, AreThoseOfTheOtherUnwinder) {
  ASSERT_TRUE(g_sampled.open(1000, find_own_stack()));
  void* once[4];
  ::backtrace(once, 4);  // loads the library that it needs
  struct sigaction action {
  }, before;
  action.sa_sigaction = on_signal;
  action.sa_flags = SA_SIGINFO | SA_RESTART;
  ASSERT_EQ(::sigaction(SIGVTALRM, &action, &before), 0);
  const itimerval often{{0, 1000}, {0, 1000}}, never{};
  ::setitimer(ITIMER_VIRTUAL, &often, nullptr);
  volatile unsigned sum = 0;
  for (int turn = 0; g_samples < kSamples; ++turn) sum = sum + work(sum, turn % 5);
  ::setitimer(ITIMER_VIRTUAL, &never, nullptr);
  ::sigaction(SIGVTALRM, &before, nullptr);
  EXPECT_EQ(g_different, 0);
  EXPECT_EQ(g_cut, 0) << "of " << g_samples;
  EXPECT_GT(g_compared, kSamples);
}

}  // namespace
}  // namespace tarry::measure
