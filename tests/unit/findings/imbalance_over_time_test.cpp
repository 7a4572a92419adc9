// imbalance_over_time_test.cpp -- static, dynamic and drifting imbalance, constructed.
#include "findings/imbalance/imbalance_over_time.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <random>

namespace tarry {
namespace {

constexpr std::size_t kIterations = 64, kProcesses = 8;

// value(iteration, process)
IterationSeries series_by(const std::function<double(std::size_t, std::size_t)>& value,
                          std::size_t iterations = kIterations, std::size_t processes = kProcesses) {
  IterationSeries series{"step", "comp", "sec", {}, {}, {}};
  for (std::size_t p = 0; p < processes; ++p) series.ranks.push_back(static_cast<std::int64_t>(p));
  for (std::size_t i = 0; i < iterations; ++i) {
    const auto number = static_cast<std::int64_t>(i);
    series.iterations.push_back({number, number, 1});
    for (std::size_t p = 0; p < processes; ++p) series.values.push_back(value(i, p));
  }
  return series;
}

TimeCourse course_of(const IterationSeries& series) { return classify_over_time(series).course; }

TEST(ImbalanceOverTime, OneProcessHasMoreInAllIterations) {
  const auto found = classify_over_time(series_by([](std::size_t, std::size_t p) { return p == 3 ? 15.0 : 10.0; }));
  EXPECT_EQ(found.course, TimeCourse::kStatic);
  EXPECT_NEAR(found.static_fraction, 1, 1e-9);
  EXPECT_NEAR(found.slow_fraction, 1, 1e-9);
  EXPECT_NEAR(found.neighbour_correlation, 1, 1e-9);
  EXPECT_NEAR(found.imbalance, 15 / 10.625 - 1, 1e-9);
}

TEST(ImbalanceOverTime, AnotherProcessInEachIteration) {
  const auto found =
      classify_over_time(series_by([](std::size_t i, std::size_t p) { return p == 3 * i % kProcesses ? 15.0 : 10.0; }));
  EXPECT_EQ(found.course, TimeCourse::kDynamic);
  EXPECT_NEAR(found.static_fraction, 0, 1e-9);
  EXPECT_LT(found.neighbour_correlation, 0);
}

TEST(ImbalanceOverTime, AProcessAfterTheOther) {
  const auto found = classify_over_time(
      series_by([](std::size_t i, std::size_t p) { return p == i * kProcesses / kIterations ? 15.0 : 10.0; }));
  EXPECT_EQ(found.course, TimeCourse::kDrifting);
  EXPECT_LT(found.static_fraction, 0.05);
  EXPECT_GT(found.slow_fraction, 0.9);
}

TEST(ImbalanceOverTime, AWaveThatTurnsSlowly) {
  EXPECT_EQ(course_of(series_by([](std::size_t i, std::size_t p) {
              return 10 + 3 * std::sin(6.283 * (static_cast<double>(i) / kIterations + static_cast<double>(p) / 8));
            })),
            TimeCourse::kDrifting);
}

TEST(ImbalanceOverTime, NoiseIsDynamicOrBalanced) {
  std::mt19937 random(1);
  std::uniform_real_distribution<double> noise(-1, 1);
  EXPECT_EQ(course_of(series_by([&](std::size_t, std::size_t) { return 10 + noise(random); })), TimeCourse::kDynamic);
  EXPECT_EQ(course_of(series_by([&](std::size_t, std::size_t) { return 10 + 0.1 * noise(random); })),
            TimeCourse::kBalanced);
}

// 200 of each kind, with noise of half the size of the imbalance: at least 95 % are named right, none as another kind.
TEST(ImbalanceOverTime, RandomSeriesAreNamedRight) {
  std::mt19937 random(7);
  std::uniform_real_distribution<double> noise(-0.5, 0.5);
  std::uniform_int_distribution<std::size_t> counts(24, 200), sizes(4, 32);
  for (const TimeCourse kind : {TimeCourse::kStatic, TimeCourse::kDynamic, TimeCourse::kDrifting}) {
    int right = 0, wrong = 0;
    for (int run = 0; run < 200; ++run) {
      const std::size_t iterations = counts(random), processes = sizes(random);
      std::vector<std::size_t> chosen;
      for (std::size_t i = 0; i < iterations; ++i)
        chosen.push_back(kind == TimeCourse::kStatic     ? 2
                         : kind == TimeCourse::kDrifting ? i * processes / iterations
                                                         : random() % processes);
      const auto value = [&](std::size_t i, std::size_t p) {
        const bool is_loaded = (p + processes - chosen[i]) % processes < std::max<std::size_t>(1, processes / 4);
        return 10 + noise(random) + (is_loaded ? 2.0 : 0.0);
      };
      const TimeCourse found = course_of(series_by(value, iterations, processes));
      right += found == kind;
      wrong += found != kind && found != TimeCourse::kUnclear;
    }
    EXPECT_GE(right, 190) << name_of(kind);
    EXPECT_EQ(wrong, 0) << name_of(kind);
  }
}

TEST(ImbalanceOverTime, OneIterationDoesNotDecide) {
  const auto found = classify_over_time(series_by([](std::size_t i, std::size_t p) {
    if (i == 0) return p == 0 ? 1000.0 : 10.0;
    return p >= 4 ? 15.0 : 10.0;
  }));
  EXPECT_EQ(found.course, TimeCourse::kStatic);
  EXPECT_EQ(found.left_out, 1u);
}

TEST(ImbalanceOverTime, FewIterationsAreUnclear) {
  EXPECT_EQ(course_of(series_by([](std::size_t, std::size_t p) { return p == 3 ? 15.0 : 10.0; }, 7)),
            TimeCourse::kUnclear);
  EXPECT_EQ(course_of(series_by([](std::size_t, std::size_t) { return 1.0; }, kIterations, 1)), TimeCourse::kUnclear);
  IterationSeries clusters = series_by([](std::size_t, std::size_t p) { return p == 3 ? 15.0 : 10.0; });
  clusters.iterations[5].count = 2;
  EXPECT_EQ(course_of(clusters), TimeCourse::kUnclear);
  EXPECT_EQ(course_of(IterationSeries()), TimeCourse::kUnclear);
}

TEST(ImbalanceOverTime, HalfAndHalfIsUnclear) {
  EXPECT_EQ(course_of(series_by([](std::size_t i, std::size_t p) {
              return 10.0 + (p == 3 ? 3 : 0) + (p == 3 * i % kProcesses ? 3 : 0);
            })),
            TimeCourse::kUnclear);
}

}  // namespace
}  // namespace tarry
