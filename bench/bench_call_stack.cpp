// bench_call_stack.cpp -- cost of finding the functions that are open, in nanoseconds.
//
// usage: bench_call_stack same | one-new | first
//
// same: a call from the same place as the one before, 20 functions deep. one-new: from two functions in turns, 20 deep.
// first: a place in the code that no stack has gone through.

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

#include "measure/callpath/call_stack.hpp"

namespace {

using namespace tarry::measure;

constexpr int kDepth = 20;
constexpr int kCalls = 200'000;
constexpr int kRounds = 15;

CallStack g_stack;
std::size_t g_kept = 0;

[[gnu::noinline]] void look() {
  g_kept += g_stack.update({.return_address = reinterpret_cast<std::uintptr_t>(__builtin_return_address(0)),
                            .stack = reinterpret_cast<std::uintptr_t>(__builtin_dwarf_cfa()),
                            .base = *static_cast<std::uintptr_t*>(__builtin_frame_address(0))});
}

[[gnu::noinline]] void one() {
  look();
  asm volatile("" ::: "memory");
}
[[gnu::noinline]] void other() {
  look();
  asm volatile("" ::: "memory");
}

[[gnu::noinline]] void call_many(bool in_turns) {
  if (in_turns)
    for (int i = 0; i < kCalls / 2; ++i) one(), other();
  else
#pragma GCC unroll 1
    for (int i = 0; i < kCalls; ++i) one();
}

[[gnu::noinline]] void descend(int depth, bool in_turns) {
  if (depth > 0) descend(depth - 1, in_turns);
  else call_many(in_turns);
  asm volatile("" ::: "memory");
}

template <class Body>
double nanoseconds(Body body) {
  const auto begin = std::chrono::steady_clock::now();
  body();
  return std::chrono::duration<double, std::nano>(std::chrono::steady_clock::now() - begin).count();
}

double median_of_calls(bool in_turns) {
  std::vector<double> rounds;
  for (int i = 0; i < kRounds; ++i) rounds.push_back(nanoseconds([&] { descend(kDepth - 2, in_turns); }) / kCalls);
  std::nth_element(rounds.begin(), rounds.begin() + kRounds / 2, rounds.end());
  return rounds[kRounds / 2];
}

// The code of the C library, from one place to the next.
double median_of_rules() {
  std::vector<double> each;
  auto at = reinterpret_cast<std::uintptr_t>(&std::qsort);
  for (int i = 0; i < 2000; ++i) each.push_back(nanoseconds([&] { g_rules.find(at += 40); }));
  std::nth_element(each.begin(), each.begin() + 1000, each.end());
  return each[1000];
}

}  // namespace

int main(int argc, char** argv) {
  const char* const what = argc == 2 ? argv[1] : "";
  const bool is_first = !std::strcmp(what, "first"), is_same = !std::strcmp(what, "same");
  if (!is_first && !is_same && std::strcmp(what, "one-new")) {
    std::fputs("usage: bench_call_stack same|one-new|first\n", stderr);
    return 2;
  }
  if (!g_stack.open(1000, find_own_stack())) return 1;
  std::printf("%.2f\n", is_first ? median_of_rules() : median_of_calls(!is_same));
  return g_kept == 0 && !is_first;
}
