// clocks_test.cpp -- blocks of clocks for analysis processes.
#include "sync/clocks.hpp"

#include <gtest/gtest.h>

namespace tarry {
namespace {

// Each clock lies in one block, blocks follow one another, and the block of a clock is that of its host.
void expect_whole(const ClockBlocks& blocks, std::uint32_t clocks) {
  std::uint32_t next = 0;
  for (int p = 0; p < blocks.processes(); ++p) {
    const ClockBlock& block = blocks.of(p);
    if (block.count > 0) {
      EXPECT_EQ(block.first, ClockId(next));
    }
    for (std::uint32_t i = 0; i < block.count; ++i) {
      EXPECT_TRUE(block.contains(block[i]));
      EXPECT_EQ(block.index_of(block[i]), i);
      EXPECT_EQ(blocks.host_of(block[i]), p);
    }
    next += block.count;
    EXPECT_FALSE(block.contains(ClockId(next)));
    if (block.first.value > 0) {
      EXPECT_FALSE(block.contains(ClockId(block.first.value - 1)));
    }
  }
  EXPECT_EQ(next, clocks);
}

TEST(ClockBlocks, AllClocksOnceInOrder) {
  for (const std::uint32_t clocks : {0u, 1u, 3u, 64u})
    for (const int processes : {1, 2, 5, 100}) {
      std::vector<double> weights;
      for (std::uint32_t c = 0; c < clocks; ++c) weights.push_back(1 + c % 7);
      expect_whole(ClockBlocks(weights, processes), clocks);
    }
}

TEST(ClockBlocks, AsMuchWorkForEach) {
  const ClockBlocks even(std::vector<double>(8, 5), 4);
  for (int p = 0; p < 4; ++p) EXPECT_EQ(even.of(p).count, 2u);
  const ClockBlocks uneven(std::vector<double>{3, 1, 1, 1}, 2);
  EXPECT_EQ(uneven.of(0).count, 1u);
  EXPECT_EQ(uneven.of(1).count, 3u);
}

}  // namespace
}  // namespace tarry
