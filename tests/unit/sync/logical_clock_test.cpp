// logical_clock_test.cpp -- conditions between clocks are restored, with known corrections.
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <random>
#include <string>

#include "sample_edges.hpp"

namespace tarry {
namespace {

// The example of docs/METRICS.md, "Timestamps": send at 100; receive region 96 to 99.95 with the record at 99.9.
TEST(LogicalClock, ExampleOfTheReference) {
  const ClockRun run(messages({{0, 100, 1, 99.9}}), 2);
  EXPECT_TRUE(run.curves[0].is_identity());
  EXPECT_NEAR(run.time(1, 99.9), 100.000001, 2e-9);
  EXPECT_NEAR(run.time(1, 99.95) - run.time(1, 99.9), 0.05 * 0.99999, 2e-9);
  EXPECT_NEAR(run.time(1, 96), 96.061001, 2e-9);
  EXPECT_NEAR(run.time(1, 89), 89, 2e-9);  // the ramp is 10.0001 s long
}

TEST(LogicalClock, GoodMessagesChangeNothing) {
  const ClockRun run(messages({{0, 1, 1, 1.1}, {1, 2, 0, 2.1}}), 2);
  EXPECT_TRUE(run.curves[0].is_identity());
  EXPECT_TRUE(run.curves[1].is_identity());
}

TEST(LogicalClock, JumpsGoOnFromClockToClock) {
  const ClockRun run(messages({{0, 100, 1, 99}, {1, 99.1, 2, 99.2}, {2, 99.3, 3, 150}}, 0.5), 4);
  EXPECT_NEAR(run.time(1, 99), 100.5, 1e-8);
  EXPECT_NEAR(run.time(2, 99.2), run.time(1, 99.1) + 0.5, 1e-8);
  EXPECT_TRUE(run.curves[3].is_identity());
}

TEST(LogicalClock, TheMeasuredTimeCatchesUp) {
  const ClockRun run(messages({{0, 100, 1, 99.9}}), 2, {.gamma = 0.99, .ramp = 0.01});
  EXPECT_NEAR(run.time(1, 104.9), 104.9 + 0.100001 - 0.05, 1e-8);
  EXPECT_NEAR(run.time(1, 115), 115, 1e-9);
}

// Two clocks each of whose first receives is waiting for the other's send behind it: no order of times can satisfy
// that.
TEST(LogicalClock, CirclesAreBroken) {
  const ClockRun run(messages({{0, 2, 1, 1}, {1, 2, 0, 1}}), 2);
  EXPECT_EQ(run.ignored, 1u);
}

// The junctions of `edges`, in another order.
CrossEdges shuffled(const CrossEdges& edges, unsigned seed) {
  std::vector<std::size_t> order(edges.junctions.size());
  std::iota(order.begin(), order.end(), 0u);
  std::shuffle(order.begin(), order.end(), std::mt19937(seed));
  CrossEdges other;
  other.latency = edges.latency;
  for (const std::size_t j : order) {
    const auto slots = edges.slots_of(edges.junctions[j]);
    add_junction(other, {slots.begin(), slots.end()});
  }
  return other;
}

void expect_same(const ClockRun& one, const ClockRun& other, const std::string& what) {
  EXPECT_EQ(one.ignored, other.ignored) << what;
  ASSERT_EQ(one.curves.size(), other.curves.size()) << what;
  for (std::size_t c = 0; c < one.curves.size(); ++c)
    EXPECT_EQ(one.curves[c].knots(), other.curves[c].knots()) << what << ", clock " << c;
}

// A receive is passed before another one of its tick moves both: its send has the room of the later time.
TEST(LogicalClock, EffectsOfOneTickHaveOneTime) {
  CrossEdges edges = messages({{0, 1, 1, 2}, {2, 3, 1, 2}});
  Exchange alone;
  run_logical_clock(edges, {ClockId(0), 3}, 0.99999, alone);
  EXPECT_EQ(edges.slots[1].logical_effect(), at(3.000001));
  EXPECT_EQ(edges.slots[3].logical_effect(), at(3.000001));
}

TEST(LogicalClock, TheOrderOfJunctionsDoesNotMatter) {
  for (unsigned seed = 1; seed <= 40; ++seed) {
    const std::uint32_t clocks = 2 + seed % 5;
    const CrossEdges tangle = random_tangle(seed, clocks);
    expect_same(ClockRun(tangle, clocks), ClockRun(shuffled(tangle, seed), clocks), "tangle " + std::to_string(seed));
  }
}

TEST(LogicalClock, AnyNumberOfProcessesFindsTheSame) {
  for (unsigned seed = 1; seed <= 6; ++seed) {
    const std::uint32_t clocks = 1 + seed;
    const CrossEdges ring = random_ring(seed, clocks), tangle = random_tangle(seed, clocks);
    const ClockRun one(ring, clocks), one_tangled(tangle, clocks);
    for (const int processes : {2, 3, 5}) {
      const std::string what = "seed " + std::to_string(seed) + " on " + std::to_string(processes);
      expect_same(one, ClockRun(ring, clocks, {}, processes), "ring, " + what);
      expect_same(one_tangled, ClockRun(tangle, clocks, {}, processes), "tangle, " + what);
    }
  }
}

// More messages than are sent at once.
TEST(LogicalClock, LongRunsOfSendsTravelInRounds) {
  std::vector<SampleMessage> all;
  for (int i = 0; i < 40000; ++i) all.emplace_back(0, i + 1, 1, i + 0.5);
  for (int i = 0; i < 10; ++i) all.emplace_back(1, 50000 + i, 0, 50000 + i);
  const CrossEdges edges = messages(all);
  const ClockRun two(edges, 2, {}, 2);
  expect_same(ClockRun(edges, 2), two, "two processes");
  EXPECT_EQ(violations(edges, two.curves), 0u);
}

TEST(LogicalClock, RandomRingsWithAndWithoutAlignment) {
  for (unsigned seed = 1; seed <= 20; ++seed) {
    const CrossEdges edges = random_ring(seed, 2 + seed % 5);
    const std::uint32_t clocks = 2 + seed % 5;
    const ClockRun plain(edges, clocks);
    EXPECT_EQ(plain.ignored, 0u);
    EXPECT_EQ(violations(edges, plain.curves), 0u);
    CrossEdges aligned = copy_of(edges);
    Exchange alone;
    std::vector<ShiftCurve> curves = align_clocks(aligned, clocks, alone);
    for (const unsigned workers : {2u, 5u}) {
      const std::vector<ShiftCurve> same = align_clocks(aligned, clocks, alone, workers);
      for (std::uint32_t c = 0; c < clocks; ++c) EXPECT_EQ(same[c].knots(), curves[c].knots());
      EXPECT_EQ(estimate_latency(aligned, 1e9, alone, workers), estimate_latency(aligned, 1e9, alone));
    }
    EXPECT_LT(violations(edges, curves), violations(edges, std::vector<ShiftCurve>(clocks)) / 4);
    apply_curves(aligned, curves);
    const ClockRun finer(aligned, clocks);
    for (std::uint32_t c = 0; c < clocks; ++c) curves[c] = compose(curves[c], finer.curves[c]);
    EXPECT_EQ(violations(edges, curves), 0u);
  }
}

}  // namespace
}  // namespace tarry
