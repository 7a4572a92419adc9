// align_test.cpp -- the smooth correction that messages in both directions allow.
#include <gtest/gtest.h>

#include <random>

#include "sample_edges.hpp"

namespace tarry {
namespace {

TEST(Align, ClocksWithinTheirLimitsStay) {
  Exchange alone;
  const CrossEdges edges = messages({{0, 1, 1, 1.1}, {1, 2, 0, 2.1}, {0, 3, 1, 3.1}});
  for (const ShiftCurve& curve : align_clocks(edges, 2, alone)) EXPECT_TRUE(curve.is_identity());
}

TEST(Align, AConstantOffsetIsFound) {
  Exchange alone;
  std::vector<std::tuple<std::uint32_t, double, std::uint32_t, double>> all;
  for (int i = 0; i < 100; ++i) {  // clock 1 is 5 ms ahead; a way takes 10 us
    all.emplace_back(0, i + 1, 1, i + 1.00501);
    all.emplace_back(1, i + 1.50501, 0, i + 1.50002);
  }
  const std::vector<ShiftCurve> curves = align_clocks(messages(all), 2, alone);
  for (const double seconds : {1.0, 50.0, 100.0})
    EXPECT_NEAR(static_cast<double>(curves[1].apply(at(seconds)) - at(seconds)) / kSecond, -0.005, 2e-5);
}

// Junctions lie at any process, and there may be processes without any.
TEST(Align, AnyNumberOfProcessesFindsTheSame) {
  for (unsigned seed = 1; seed <= 10; ++seed) {
    const std::uint32_t clocks = 2 + seed % 5;
    const CrossEdges ring = random_ring(seed, clocks);
    Exchange alone;
    const std::vector<ShiftCurve> one = align_clocks(ring, clocks, alone);
    for (const std::size_t processes : {2u, 3u})
      ThreadGroup::run(static_cast<int>(processes + 1), [&](Exchange& exchange) {
        const auto rank = static_cast<std::size_t>(exchange.rank());
        const CrossEdges part = part_of(ring, [&](std::size_t j) { return j % processes == rank; });
        const std::vector<ShiftCurve> same = align_clocks(part, clocks, exchange);
        ASSERT_EQ(same.size(), one.size());
        for (std::uint32_t c = 0; c < clocks; ++c) EXPECT_EQ(same[c].knots(), one[c].knots()) << seed;
        EXPECT_EQ(estimate_latency(part, 1e9, exchange), estimate_latency(ring, 1e9, alone));
      });
  }
}

TEST(Align, WithoutConditionsAllClocksStay) {
  ThreadGroup::run(2, [](Exchange& exchange) {
    const std::vector<ShiftCurve> curves = align_clocks({}, 3, exchange);
    ASSERT_EQ(curves.size(), 3u);
    for (const ShiftCurve& curve : curves) EXPECT_TRUE(curve.is_identity());
  });
}

TEST(ShiftCurve, ComposedAsOneAfterTheOther) {
  std::mt19937 random(5);
  const auto any = [&](Ticks jump) {
    std::vector<ShiftCurve::Knot> knots;
    Ticks time = 0;
    for (int i = 0; i < 20; ++i) {
      time += 200 + static_cast<Ticks>(random() % 1000);
      knots.push_back({time, static_cast<Ticks>(random() % static_cast<unsigned>(jump))});
    }
    return ShiftCurve(knots);
  };
  for (int round = 0; round < 50; ++round) {
    const ShiftCurve first = any(100), second = any(200), both = compose(first, second);
    Ticks last = std::numeric_limits<Ticks>::min();
    for (Ticks time = -100; time < 25000; ++time) {
      const Ticks in_turn = second.apply(first.apply(time));
      EXPECT_NEAR(static_cast<double>(both.apply(time)), static_cast<double>(in_turn), 3) << time;
      EXPECT_GE(both.apply(time), last);
      last = both.apply(time);
    }
  }
}

}  // namespace
}  // namespace tarry
