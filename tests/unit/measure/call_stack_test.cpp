// call_stack_test.cpp -- stacks as the walk finds them, beside those of glibc's backtrace().
#include "measure/callpath/call_stack.hpp"

#include <alloca.h>
#include <execinfo.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/mman.h>
#include <ucontext.h>

#include <algorithm>
#include <functional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace tarry::measure {
namespace {

using Addresses = std::vector<std::uintptr_t>;

CallStack* g_stack;  // of the thread that is tested
std::vector<Addresses> g_expected, g_found;
std::vector<std::size_t> g_kept;
std::vector<std::vector<std::pair<std::uintptr_t, std::uintptr_t>>> g_places;  // return addresses, stack pointers

// What both find at this call: outermost first, without this function.
[[gnu::noinline]] void look() {
  const Registers here{.return_address = reinterpret_cast<std::uintptr_t>(__builtin_return_address(0)),
                       .stack = reinterpret_cast<std::uintptr_t>(__builtin_dwarf_cfa()),
                       .base = *static_cast<std::uintptr_t*>(__builtin_frame_address(0))};
  g_kept.push_back(g_stack->update(here));
  Addresses found;
  g_places.emplace_back();
  for (const StackFrame& frame : g_stack->frames()) {
    found.push_back(frame.return_address);
    g_places.back().emplace_back(frame.return_address, frame.stack);
  }
  g_found.push_back(found);
  void* addresses[4096];
  const int count = ::backtrace(addresses, 4096);
  Addresses expected;
  for (int i = count - 1; i > 0; --i) expected.push_back(reinterpret_cast<std::uintptr_t>(addresses[i]));
  g_expected.push_back(expected);
  asm volatile("" ::: "memory");
}

class CallStackTest : public ::testing::Test {
 protected:
  CallStackTest() {
    stack_.open(200000, find_own_stack());
    g_stack = &stack_;
    g_expected.clear();
    g_found.clear();
    g_kept.clear();
    g_places.clear();
  }
  void expect_equal() const {
    ASSERT_FALSE(g_found.empty());
    for (std::size_t i = 0; i < g_found.size(); ++i) EXPECT_EQ(g_found[i], g_expected[i]) << "at look " << i;
    EXPECT_FALSE(stack_.is_truncated());
  }
  CallStack stack_;
};

[[gnu::noinline]] int descend(int depth) {
  if (depth == 0) return look(), 1;
  const int result = descend(depth - 1);
  asm volatile("" ::: "memory");
  return result + 1;
}

TEST_F(CallStackTest, FindsAllFrames) {
  descend(0);
  descend(5);
  descend(50);
  descend(3);
  expect_equal();
}

TEST_F(CallStackTest, KeepsWhatHasNotChanged) {
  for (const int depth : std::vector<int>(3, 20)) descend(depth);
  expect_equal();
  EXPECT_EQ(g_kept[1], g_found[1].size());
  EXPECT_EQ(g_kept[2], g_found[2].size());
}

[[gnu::noinline]] void call_twice() {
  look();
  asm volatile("" ::: "memory");
  look();
  asm volatile("" ::: "memory");
}

TEST_F(CallStackTest, TellsCallSitesApart) {
  call_twice();
  expect_equal();
  EXPECT_EQ(g_kept[1], g_found[1].size() - 1);
}

// Its frame is found by the frame pointer: its size is another each time.
[[gnu::noinline]] void take_room(std::size_t bytes, int depth) {
  auto* room = static_cast<volatile char*>(::alloca(bytes));
  room[0] = 1;
  descend(depth);
  room[bytes - 1] = 2;
}

TEST_F(CallStackTest, FollowsTheFramePointer) {
  for (const std::size_t bytes : {16u, 4000u, 4000u, 100u}) take_room(bytes, 3);
  expect_equal();
}

// A function that aligns its stack.
[[gnu::noinline]] void align_much(int depth) {
  alignas(256) char aligned[256];
  asm volatile("" : : "r"(aligned) : "memory");
  descend(depth);
  asm volatile("" : : "r"(aligned) : "memory");
}

TEST_F(CallStackTest, FollowsAlignedStacks) {
  align_much(2);
  take_room(48, 1);
  align_much(2);
  align_much(4);
  expect_equal();
}

TEST_F(CallStackTest, LambdasAndLibraries) {
  std::vector<int> values = {3, 1, 2};
  std::function<void(int)> each = [](int) { look(); };
  std::for_each(values.begin(), values.end(), each);
  ::qsort(values.data(), values.size(), sizeof(int), [](const void* a, const void* b) {
    look();
    return *static_cast<const int*>(a) - *static_cast<const int*>(b);
  });
  expect_equal();
}

// Frames that come and go as a program's do: each calls others, the same ones again, from several places.
[[gnu::noinline]] void wander(unsigned& seed, int depth);

[[gnu::noinline]] void wander_aligned(unsigned& seed, int depth) {
  alignas(128) char room[256];
  asm volatile("" : : "r"(room) : "memory");
  look();
  wander(seed, depth);
  asm volatile("" : : "r"(room) : "memory");
}

[[gnu::noinline]] void wander_with_room(unsigned& seed, int depth) {
  auto* room = static_cast<volatile char*>(::alloca(seed % 3 * 64 + 16));
  room[0] = 1;
  wander(seed, depth);
  look();
  wander(seed, depth);
}

void wander(unsigned& seed, int depth) {
  const auto next = [&seed] { return (seed = seed * 1103515245 + 12345) >> 16 & 0x7fff; };
  for (unsigned turn = next() % 3; turn < 3; ++turn) {
    if (depth > 0 && next() % 4 == 0) wander(seed, depth - 1);
    if (depth > 0 && next() % 8 == 0) wander_aligned(seed, depth - 1);
    if (depth > 0 && next() % 8 == 0) wander_with_room(seed, depth - 1);
    look();
    descend(static_cast<int>(next() % 3));
    if (next() % 2) look();
  }
}

// Frames are kept that are as they were at the look before, and no others.
TEST_F(CallStackTest, KeepsWhatGoesAround) {
  for (unsigned seed = 1; seed <= 40; ++seed)
    for (unsigned repeat = 0; repeat < 3; ++repeat) {
      unsigned at = seed;
      wander(at, 5);
    }
  expect_equal();
  for (std::size_t i = 1; i < g_found.size(); ++i) {
    const auto [now, before] =
        std::mismatch(g_places[i].begin(), g_places[i].end(), g_places[i - 1].begin(), g_places[i - 1].end());
    EXPECT_EQ(g_kept[i], now - g_places[i].begin()) << "at look " << i;
  }
}

[[gnu::noinline]] void throw_through(int depth) {
  if (depth == 0) throw std::string("up");
  throw_through(depth - 1);
  asm volatile("" ::: "memory");
}

TEST_F(CallStackTest, GoesOnAfterExceptions) {
  for (int i = 0; i < 3; ++i) {
    descend(i);
    try {
      throw_through(5);
    } catch (const std::string&) {
      look();
    }
  }
  expect_equal();
}

TEST_F(CallStackTest, RandomWalks) {
  std::uint32_t random = 12345;
  const auto next = [&](std::uint32_t below) {
    random = random * 1664525u + 1013904223u;
    return (random >> 8) % below;
  };
  std::function<void(int)> wander = [&](int left) {
    while (left-- > 0) switch (next(6)) {
        case 0: descend(static_cast<int>(next(12))); break;
        case 1: take_room(16 + next(500), static_cast<int>(next(4))); break;
        case 2: align_much(static_cast<int>(next(4))); break;
        case 3: look(); break;
        default: wander(static_cast<int>(next(3))); break;
      }
  };
  for (int i = 0; i < 200; ++i) wander(4);
  expect_equal();
}

void handle(int) { look(); }

TEST_F(CallStackTest, ThroughSignalHandlers) {
  ::signal(SIGUSR1, handle);
  descend(3);
  ::raise(SIGUSR1);
  ::raise(SIGUSR1);
  ::signal(SIGUSR1, SIG_DFL);
  ASSERT_EQ(g_found.size(), 3u);
  for (std::size_t i = 1; i < 3; ++i) {
    // An interrupted instruction is found with + 1.
    Addresses found = g_found[i];
    for (std::size_t f = 0; f < found.size() && f < g_expected[i].size(); ++f)
      if (found[f] == g_expected[i][f] + 1) --found[f];
    EXPECT_EQ(found, g_expected[i]);
  }
}

ucontext_t g_main, g_other;

void run_on_other_stack() {
  descend(4);
  descend(4);
}

TEST_F(CallStackTest, OnStacksThatTheProgramMakes) {
  constexpr std::size_t kSize = 1 << 18;
  void* const memory = ::mmap(nullptr, kSize, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  ::getcontext(&g_other);
  g_other.uc_stack.ss_sp = memory;
  g_other.uc_stack.ss_size = kSize;
  g_other.uc_link = &g_main;
  ::makecontext(&g_other, run_on_other_stack, 0);
  ::swapcontext(&g_main, &g_other);
  descend(2);
  ::munmap(memory, kSize);
  descend(2);
  expect_equal();
}

TEST_F(CallStackTest, DeepRecursion) {
  descend(3000);
  descend(3001);
  descend(3001);
  expect_equal();
}

TEST_F(CallStackTest, MoreFramesThanFit) {
  CallStack small;
  small.open(16, find_own_stack());
  g_stack = &small;
  descend(40);
  descend(40);
  EXPECT_TRUE(small.is_truncated());
  ASSERT_EQ(g_found[1].size(), 16u);
  EXPECT_TRUE(std::equal(g_found[1].rbegin(), g_found[1].rend(), g_expected[1].rbegin()));
}

TEST_F(CallStackTest, InThreads) {
  std::thread([&] {
    CallStack own;
    own.open(1000, find_own_stack());
    g_stack = &own;
    descend(7);
    descend(8);
  }).join();
  for (std::size_t i = 0; i < g_found.size(); ++i) EXPECT_EQ(g_found[i], g_expected[i]);
}

}  // namespace
}  // namespace tarry::measure
