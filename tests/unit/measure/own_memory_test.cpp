// own_memory_test.cpp -- the recorder's allocator: every size and alignment, many threads, and handlers in its midst.
#include "measure/core/own_memory.hpp"

#include <gtest/gtest.h>
#include <pthread.h>
#include <sys/time.h>

#include <atomic>
#include <csignal>
#include <cstdint>
#include <cstring>
#include <vector>

namespace tarry::measure {
namespace {

std::atomic<int> g_spoilt = 0;
std::atomic<long> g_handled = 0;

// Fills memory, and finds it as it was.
class Block {
 public:
  Block(std::size_t bytes, std::size_t alignment, std::uint8_t mark) : bytes_(bytes), mark_(mark) {
    memory_ = static_cast<std::uint8_t*>(take_own_memory(bytes, alignment));
    if (!memory_ || reinterpret_cast<std::uintptr_t>(memory_) % alignment != 0) ++g_spoilt;
    if (memory_) std::memset(memory_, mark, bytes);
  }
  void give_back() {
    for (std::size_t i = 0; i < bytes_; i += 1 + bytes_ / 64) g_spoilt += memory_[i] != mark_;
    if (memory_) give_own_memory_back(memory_);
  }

 private:
  std::uint8_t* memory_;
  std::size_t bytes_;
  std::uint8_t mark_;
};

TEST(OwnMemory, HasEverySizeAndAlignment) {
  g_spoilt = 0;
  std::vector<Block> blocks;
  for (std::size_t bytes = 0; bytes < 3'000'000; bytes += 1 + bytes / 7)
    for (const std::size_t alignment : {8, 16, 64, 4096})
      blocks.emplace_back(bytes, alignment, static_cast<std::uint8_t>(blocks.size()));
  for (Block& block : blocks) block.give_back();
  EXPECT_EQ(g_spoilt, 0);
}

TEST(OwnMemory, ServesOthersWhenGivenBack) {
  void* const first = take_own_memory(1000);
  give_own_memory_back(first);
  void* const second = take_own_memory(990);
  EXPECT_EQ(first, second);
  give_own_memory_back(second);
}

TEST(OwnMemory, TooMuchIsNotThere) {
  EXPECT_EQ(take_own_memory(~std::size_t{0}), nullptr);
  EXPECT_EQ(take_own_memory(~std::size_t{0} - 20), nullptr);
  EXPECT_EQ(take_own_memory(std::size_t{1} << 60), nullptr);
}

void take_some(std::uint8_t mark, int times) {
  for (int i = 0; i < times; ++i) {
    Block one(static_cast<std::size_t>(24 + i % 40 * 8), 16, mark);
    Block other(static_cast<std::size_t>(100 + i % 3 * 900), 64, static_cast<std::uint8_t>(mark + 1));
    one.give_back();
    other.give_back();
  }
}

void take_in_handler(int) {
  take_some(200, 5);
  ++g_handled;
}

void* take_in_thread(void* mark) {
  take_some(*static_cast<std::uint8_t*>(mark), 60'000);
  return nullptr;
}

TEST(OwnMemory, IsWholeAmongThreadsAndHandlers) {
  g_spoilt = 0;
  struct sigaction action = {}, before = {};
  action.sa_handler = take_in_handler;
  action.sa_flags = SA_RESTART;
  sigaction(SIGALRM, &action, &before);
  const itimerval often = {{0, 100}, {0, 100}}, never = {};
  setitimer(ITIMER_REAL, &often, nullptr);
  constexpr int kThreads = 4;
  pthread_t threads[kThreads];
  std::uint8_t marks[kThreads] = {10, 50, 90, 130};
  for (int i = 0; i < kThreads; ++i) ASSERT_EQ(pthread_create(&threads[i], nullptr, take_in_thread, &marks[i]), 0);
  take_in_thread(&marks[0]);
  while (g_handled == 0) take_some(7, 100);
  for (pthread_t thread : threads) pthread_join(thread, nullptr);
  setitimer(ITIMER_REAL, &never, nullptr);
  sigaction(SIGALRM, &before, nullptr);
  EXPECT_EQ(g_spoilt, 0);
}

}  // namespace
}  // namespace tarry::measure
