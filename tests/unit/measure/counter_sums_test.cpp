// counter_sums_test.cpp -- counters and levels of call paths.
#include "measure/core/counter_sums.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <initializer_list>
#include <iterator>
#include <utility>
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

// Of signed and floating-point levels 0 is no value.
TEST(CounterSums, CombinesMetricsOfTheProgram) {
  const auto bits = [](double value) { return std::bit_cast<std::uint64_t>(value); };
  PathNode root;
  ProfileSlabs slabs(root);
  CounterSums sums;
  const CounterId ids[] = {CounterId(4)};
  const bool levels[] = {false};
  sums.use(ids, levels);
  sums.use_user_metrics();
  slabs.use_counters(sums.ids());
  PathNode& one = *slabs.new_path();
  PathNode& other = *slabs.new_path();
  const Combination combinations[] = {Combination::kAdd, Combination::kAddDouble, Combination::kHighest,
                                      Combination::kHighestSigned, Combination::kHighestDouble};
  for (std::uint32_t i = 0; i < std::size(combinations); ++i) {
    EXPECT_TRUE(sums.define_user_metric(i, CounterId(10 + i), combinations[i]));
    EXPECT_FALSE(sums.define_user_metric(i, CounterId(10 + i), combinations[i]));
  }
  EXPECT_FALSE(sums.define_user_metric(kMostUserMetrics, CounterId(90), Combination::kAdd));
  const auto negative = [](int value) { return static_cast<std::uint64_t>(std::int64_t{value}); };
  for (const auto& [number, value] :
       std::initializer_list<std::pair<std::size_t, std::uint64_t>>{{0, 5},
                                                                    {0, negative(-7)},
                                                                    {1, bits(0.5)},
                                                                    {1, bits(-2)},
                                                                    {2, 9},
                                                                    {2, 3},
                                                                    {3, negative(-5)},
                                                                    {3, negative(-4)},
                                                                    {4, bits(-2)},
                                                                    {4, bits(-8)},
                                                                    {kMostUserMetrics, 1}}) {
    sums.count_user_metric(&one, number, value);
    sums.count_user_metric(nullptr, number, value);
  }
  sums.count_user_metric(&other, 0, 4);
  sums.count_user_metric(&other, 1, bits(10));
  sums.count_user_metric(&other, 3, negative(-9));
  sums.add(other, one);
  const auto values = sums.of(other).subspan(1);
  EXPECT_EQ(values[0], 2u);
  EXPECT_EQ(values[1], bits(8.5));
  EXPECT_EQ(values[2], 9u);
  EXPECT_EQ(values[3], negative(-4));
  EXPECT_EQ(values[4], bits(-2));
  EXPECT_EQ(sums.of(other)[0], 0u);
  slabs.release();
}

// A metric is in the profile when it has its first value.
TEST(CounterSums, MetricsOfTheProgramComeLater) {
  ProfileTree tree;
  tree.use_counters({}, {});
  tree.use_user_metrics();
  tree.enter(1, RegionId(0));
  tree.enter(2, RegionId(1));
  tree.count_user_metric(3, CounterId(8), Combination::kAdd, 20);
  tree.leave(3);
  tree.count_user_metric(3, CounterId(8), Combination::kAdd, 1);
  tree.leave(4);
  tree.count_user_metric(3, CounterId(8), Combination::kAdd, 100);
  ByteWriter bytes;
  tree.encode(bytes);
  const auto profile = decode_profile(bytes.bytes());
  ASSERT_TRUE(profile.ok());
  EXPECT_EQ(profile.value().counters, std::vector<std::uint32_t>{8});
  EXPECT_EQ(profile.value().counter_values, (std::vector<std::uint64_t>{1, 20}));
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

// A ledger's counters are the last, and have its values.
TEST(CounterSums, AskTheLedger) {
  struct Ledger final : PathLedger {
    void move(const PathNode& to, const PathNode& from) override { moved = {&to, &from}; }
    void forget(const PathNode& path) override { forgotten = &path; }
    void read(const PathNode&, std::span<std::uint64_t> values) const override { values[0] = 77; }
    std::pair<const PathNode*, const PathNode*> moved;
    const PathNode* forgotten = nullptr;
  } ledger;
  PathNode root;
  ProfileSlabs slabs(root);
  CounterSums sums;
  const CounterId ids[] = {CounterId(4)}, of_ledger[] = {CounterId(9)};
  const bool levels[] = {false};
  sums.use(ids, levels);
  sums.use_ledger(ledger, of_ledger);
  EXPECT_EQ(sums.ids().size(), 2u);
  slabs.use_counters(sums.ids());
  PathNode& one = *slabs.new_path();
  PathNode& other = *slabs.new_path();
  const std::uint64_t value[] = {5};
  sums.count(&one, value);
  std::uint64_t values[2];
  sums.read(one, values);
  EXPECT_EQ(values[0], 5u);
  EXPECT_EQ(values[1], 77u);
  sums.add(other, one);
  sums.clear(one);
  EXPECT_EQ(ledger.moved, std::pair(&std::as_const(other), &std::as_const(one)));
  EXPECT_EQ(ledger.forgotten, &one);
  slabs.release();
}

}  // namespace
}  // namespace tarry::measure
