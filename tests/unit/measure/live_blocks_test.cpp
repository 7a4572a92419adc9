// live_blocks_test.cpp -- blocks are found by their addresses, wherever they lie, until the table is full.
#include "measure/heap/live_blocks.hpp"

#include <gtest/gtest.h>

#include <set>
#include <thread>
#include <vector>

namespace tarry::measure {
namespace {

const void* block_at(std::uintptr_t address) { return reinterpret_cast<const void*>(address); }

TEST(LiveBlocks, FindEachBlockOnce) {
  LiveBlocks blocks;
  ASSERT_TRUE(blocks.open(1 << 10));
  EXPECT_TRUE(blocks.add(block_at(0x10000010), 7));
  EXPECT_TRUE(blocks.add(block_at(0x10000020), 8));
  EXPECT_EQ(blocks.take(block_at(0x10000018)), kNoHeapSite);
  EXPECT_EQ(blocks.take(block_at(0x10000010)), 7u);
  EXPECT_EQ(blocks.take(block_at(0x10000010)), kNoHeapSite);
  EXPECT_EQ(blocks.take(block_at(0x10000020)), 8u);
  EXPECT_TRUE(blocks.add(block_at(0x10000010), kMostHeapSites - 1));
  EXPECT_EQ(blocks.take(block_at(0x10000010)), kMostHeapSites - 1);
}

// Small blocks in a row, large ones at pages, and arenas of threads: half of the table has room for all of them.
TEST(LiveBlocks, HaveRoomWhereverAllocatorsPutBlocks) {
  constexpr std::size_t kRoom = 1 << 16, kCount = kRoom / 2;
  const auto add_all = [](auto address) {
    LiveBlocks blocks;
    ASSERT_TRUE(blocks.open(kRoom));
    for (std::size_t i = 0; i < kCount; ++i)
      ASSERT_TRUE(blocks.add(block_at(address(i)), static_cast<HeapSiteId>(1 + i % 1000))) << i;
    for (std::size_t i = kCount; i-- > 0;) ASSERT_EQ(blocks.take(block_at(address(i))), 1 + i % 1000) << i;
  };
  add_all([](std::size_t i) { return 0x555500000010 + 32 * i; });
  add_all([](std::size_t i) { return 0x555500000010 + 16 * i; });
  add_all([](std::size_t i) { return 0x7f0000000010 + 135168 * i; });
  add_all([](std::size_t i) { return 0x7f0000000010 + (i % 64 << 26) + i / 64 * 48; });
}

TEST(LiveBlocks, RefuseWhatFindsNoRoom) {
  constexpr std::size_t kRoom = 1 << 8;
  LiveBlocks blocks;
  ASSERT_TRUE(blocks.open(kRoom));
  std::size_t added = 0;
  for (std::size_t i = 0; i < 4 * kRoom; ++i) added += blocks.add(block_at(0x10000010 + 32 * i), 5);
  EXPECT_LE(added, kRoom);
  EXPECT_GE(added, kRoom * 9 / 10);
  std::size_t taken = 0;
  for (std::size_t i = 0; i < 4 * kRoom; ++i) taken += blocks.take(block_at(0x10000010 + 32 * i)) == 5;
  EXPECT_EQ(taken, added);
  EXPECT_FALSE(blocks.add(block_at(std::uintptr_t{1} << 52), 5));
}

// Each thread has blocks of its own, all in one small table.
TEST(LiveBlocks, ServeThreadsAtTheSameTime) {
  LiveBlocks blocks;
  ASSERT_TRUE(blocks.open(1 << 12));
  std::atomic<int> wrong = 0;
  std::vector<std::thread> threads;
  for (HeapSiteId own = 1; own <= 4; ++own)
    threads.emplace_back([&, own] {
      for (int round = 0; round < 200; ++round) {
        const auto address = [&](std::size_t i) { return block_at(0x10000000 + 32 * (4 * i + own)); };
        for (std::size_t i = 0; i < 200; ++i) wrong += !blocks.add(address(i), own);
        for (std::size_t i = 0; i < 200; ++i) wrong += blocks.take(address(i)) != own;
      }
    });
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(wrong.load(), 0);
}

}  // namespace
}  // namespace tarry::measure
