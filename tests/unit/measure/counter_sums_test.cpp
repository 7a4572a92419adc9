// counter_sums_test.cpp -- counters and levels of call paths.
#include "measure/core/counter_sums.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "archive/profile/profile_codec.hpp"
#include "measure/core/profile_slabs.hpp"
#include "measure/core/profile_tree.hpp"

namespace tarry::measure {
namespace {

TEST(CounterSums, AddsCountersAndKeepsTheHighestLevels) {
  PathNode root;
  ProfileSlabs slabs(root);
  CounterSums sums;
  const CounterId ids[] = {CounterId(4), CounterId(7)};
  const bool levels[] = {false, true};
  sums.use(ids, levels);
  slabs.use_counters(sums.ids());
  PathNode& one = *slabs.new_path();
  PathNode& other = *slabs.new_path();
  for (const std::uint64_t value : {10u, 15u, 17u}) {
    const std::uint64_t values[] = {value, 100 - value};
    sums.count(value == 10 ? nullptr : value == 15 ? &one : &other, values);
  }
  sums.add(one, other);
  EXPECT_EQ(sums.of(one)[0], 5u + 2);
  EXPECT_EQ(sums.of(one)[1], 85u);
  sums.clear(one);
  EXPECT_EQ(sums.of(one)[1], 0u);
  EXPECT_EQ(sums.of(other)[1], 83u);
  slabs.release();
}

// What happens goes to the innermost path; of a level stays the highest that was seen in it, its ends included.
TEST(CounterSums, CountersGoToTheOpenPath) {
  ProfileTree tree;
  const CounterId ids[] = {CounterId(4), CounterId(7)};
  const bool levels[] = {false, true};
  tree.use_counters(ids, levels);
  const auto step = [&](std::uint64_t count, std::uint64_t level, auto change) {
    const std::uint64_t values[] = {count, level};
    tree.count(values);
    change();
    tree.raise(values);
  };
  step(10, 100, [&] { tree.enter(1, RegionId(0)); });
  step(15, 300, [&] { tree.enter(2, RegionId(1)); });
  step(22, 200, [&] { tree.enter(3, RegionId(1)); });
  step(23, 900, [&] { tree.leave(4); });
  step(30, 250, [&] { tree.leave(5); });
  step(32, 50, [&] { tree.leave(6); });
  ByteWriter bytes;
  tree.encode(bytes);
  const auto profile = decode_profile(bytes.bytes());
  ASSERT_TRUE(profile.ok());
  EXPECT_EQ(profile.value().counters, (std::vector<std::uint32_t>{4, 7}));
  // Paths 0, 0/1, 0/1/1.
  EXPECT_EQ(profile.value().counter_values, (std::vector<std::uint64_t>{5 + 2, 300, 7 + 7, 900, 1, 900}));
}

}  // namespace
}  // namespace tarry::measure
