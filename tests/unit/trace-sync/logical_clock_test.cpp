// logical_clock_test.cpp -- conditions between clocks are restored, with known corrections.
#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <tuple>

#include "tools/trace-sync/align.hpp"
#include "tools/trace-sync/amortize.hpp"

namespace tarry {
namespace {

constexpr Ticks kSecond = 1'000'000'000;

Ticks at(double seconds) { return std::llround(seconds * kSecond); }

CrossEdges messages(std::vector<std::tuple<std::uint32_t, double, std::uint32_t, double>> all, double latency = 1e-6) {
  CrossEdges edges;
  edges.latency = at(latency);
  for (const auto& [from, sent, to, received] : all) {
    edges.junctions.push_back({.first_slot = edges.slots.size(), .slots = 2, .unknown_causes = 1});
    edges.slots.push_back({.cause = at(sent), .clock = from});
    edges.slots.push_back({.effect = at(received), .clock = to});
  }
  return edges;
}

CrossEdges copy_of(const CrossEdges& edges) {
  CrossEdges copy;
  copy.junctions.append(edges.junctions);
  copy.slots.append(edges.slots);
  copy.latency = edges.latency;
  return copy;
}

struct ClockRun {
  std::vector<ShiftCurve> curves;
  std::uint64_t ignored = 0;

  ClockRun(const CrossEdges& measured, std::uint32_t clocks, ClockControl control = {}) {
    CrossEdges edges = copy_of(measured);
    const LogicalTimes times = run_logical_clock(edges, clocks, control.gamma);
    ignored = times.ignored;
    curves = amortize(edges, times, control, 1);
  }
  double time(std::uint32_t clock, double seconds) const {
    return static_cast<double>(curves[clock].apply(at(seconds))) / kSecond;
  }
};

std::uint64_t violations(const CrossEdges& edges, const std::vector<ShiftCurve>& curves) {
  std::uint64_t count = 0;
  for (const Junction& junction : edges.junctions)
    for (std::uint64_t c = junction.first_slot; c < junction.first_slot + junction.slots; ++c)
      for (std::uint64_t e = junction.first_slot; e < junction.first_slot + junction.slots; ++e) {
        const ClockSlot &cause = edges.slots[c], &effect = edges.slots[e];
        if (c == e || cause.cause == kNoTime || effect.effect == kNoTime) continue;
        count += curves[cause.clock].apply(cause.cause) > curves[effect.clock].apply(effect.effect);
      }
  return count;
}

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

// A send at 95 whose receiver has no room: the ramp begins only behind it.
TEST(Amortize, NoCauseOnTheRampPassesItsEffect) {
  const CrossEdges edges = messages({{0, 100, 1, 99.9}, {1, 95, 2, 95.01}});
  const ClockRun run(edges, 3);
  EXPECT_EQ(violations(edges, run.curves), 0u);
  EXPECT_NEAR(run.time(1, 95), 95.01 - 1e-6, 1e-8);
  EXPECT_GT(run.time(1, 99), 99.07);
}

TEST(Amortize, EventsOfOneTickStayTogether) {
  const CrossEdges edges = messages({{0, 100, 1, 99}, {1, 99, 2, 99.5}, {0, 100, 1, 99}});
  const ClockRun run(edges, 3);
  EXPECT_EQ(violations(edges, run.curves), 0u);
}

// Two clocks each of whose first receives is waiting for the other's send behind it: no order of times can satisfy
// that.
TEST(LogicalClock, CirclesAreBroken) {
  const ClockRun run(messages({{0, 2, 1, 1}, {1, 2, 0, 1}}), 2);
  EXPECT_EQ(run.ignored, 1u);
}

// Messages of a ring of clocks that lie apart by up to 10 ms, with a varying drift.
CrossEdges random_ring(unsigned seed, std::uint32_t clocks) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> part(0, 1);
  std::vector<double> offset(clocks), wave(clocks), time(clocks, 0);
  for (std::uint32_t c = 0; c < clocks; ++c) {
    offset[c] = 0.02 * part(random) - 0.01;
    wave[c] = 1e-3 * part(random);
  }
  const auto local = [&](std::uint32_t c, double true_time) { return 1 + true_time + offset[c] + wave[c] * std::sin(true_time); };
  std::vector<std::tuple<std::uint32_t, double, std::uint32_t, double>> all;
  for (int i = 0; i < 2000; ++i) {
    const std::uint32_t from = random() % clocks, to = (from + 1 + random() % (clocks - 1)) % clocks;
    const double sent = time[from] += 1e-3 * part(random);
    const double received = time[to] = std::max(time[to], sent + 5e-6) + 1e-4 * part(random);
    all.emplace_back(from, local(from, sent), to, local(to, received));
  }
  return messages(all);
}

TEST(LogicalClock, RandomRingsWithAndWithoutAlignment) {
  for (unsigned seed = 1; seed <= 20; ++seed) {
    const CrossEdges edges = random_ring(seed, 2 + seed % 5);
    const std::uint32_t clocks = 2 + seed % 5;
    const ClockRun plain(edges, clocks);
    EXPECT_EQ(plain.ignored, 0u);
    EXPECT_EQ(violations(edges, plain.curves), 0u);
    CrossEdges aligned = copy_of(edges);
    std::vector<ShiftCurve> curves = align_clocks(aligned, clocks);
    for (const unsigned workers : {2u, 5u}) {
      const std::vector<ShiftCurve> same = align_clocks(aligned, clocks, workers);
      for (std::uint32_t c = 0; c < clocks; ++c) EXPECT_EQ(same[c].knots(), curves[c].knots());
      EXPECT_EQ(estimate_latency(aligned, 1e9, workers), estimate_latency(aligned, 1e9));
    }
    EXPECT_LT(violations(edges, curves), violations(edges, std::vector<ShiftCurve>(clocks)) / 4);
    apply_curves(aligned, curves);
    const ClockRun finer(aligned, clocks);
    for (std::uint32_t c = 0; c < clocks; ++c) curves[c] = compose(curves[c], finer.curves[c]);
    EXPECT_EQ(violations(edges, curves), 0u);
  }
}

TEST(Align, ClocksWithinTheirLimitsStay) {
  const CrossEdges edges = messages({{0, 1, 1, 1.1}, {1, 2, 0, 2.1}, {0, 3, 1, 3.1}});
  for (const ShiftCurve& curve : align_clocks(edges, 2)) EXPECT_TRUE(curve.is_identity());
}

TEST(Align, AConstantOffsetIsFound) {
  std::vector<std::tuple<std::uint32_t, double, std::uint32_t, double>> all;
  for (int i = 0; i < 100; ++i) {  // clock 1 is 5 ms ahead; a way takes 10 us
    all.emplace_back(0, i + 1, 1, i + 1.00501);
    all.emplace_back(1, i + 1.50501, 0, i + 1.50002);
  }
  const std::vector<ShiftCurve> curves = align_clocks(messages(all), 2);
  for (const double seconds : {1.0, 50.0, 100.0})
    EXPECT_NEAR(static_cast<double>(curves[1].apply(at(seconds)) - at(seconds)) / kSecond, -0.005, 2e-5);
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
      EXPECT_NEAR(static_cast<double>(both.apply(time)), static_cast<double>(second.apply(first.apply(time))), 3) << time;
      EXPECT_GE(both.apply(time), last);
      last = both.apply(time);
    }
  }
}

TEST(Latency, HalfOfTheShortestWayThereAndBack) {
  EXPECT_EQ(estimate_latency(messages({{0, 1, 1, 1.000012}, {1, 2, 0, 1.999994}}), 1e9), 3000);
  EXPECT_EQ(estimate_latency(messages({{0, 1, 1, 1.5}}), 1e9), 1000);
  EXPECT_EQ(estimate_latency(messages({{0, 1, 1, 1.5}, {1, 2, 0, 2.5}}), 1e9), 10000);
}

}  // namespace
}  // namespace tarry
