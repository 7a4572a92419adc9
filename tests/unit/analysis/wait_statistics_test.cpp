// wait_statistics_test.cpp -- statistics of waiting times: exact for few, within the stated error for many, the same in
// any order.
#include "analysis/instances/wait_statistics.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <random>

namespace tarry {
namespace {

WaitStatistics of(const std::vector<Ticks>& samples) {
  WaitStatistics all;
  for (const Ticks sample : samples) all.add(sample);
  return all;
}

TEST(WaitStatistics, FewAreExact) {
  const WaitStatistics all = of({5, 1, 4, 2});
  EXPECT_EQ(all.count(), 4u);
  EXPECT_EQ(all.sum(), 12);
  EXPECT_EQ(all.mean(), 3);
  EXPECT_EQ(all.minimum(), 1);
  EXPECT_EQ(all.maximum(), 5);
  EXPECT_EQ(all.variance(), 2.5);
  EXPECT_EQ(all.quantile(0.5), 3);
  EXPECT_EQ(all.quantile(0.25), 1.75);
  EXPECT_EQ(all.quantile(0.75), 4.25);
  EXPECT_EQ(all.quantile(1), 5);
  EXPECT_TRUE(all.is_exact());
}

TEST(WaitStatistics, OneSampleIsEverything) {
  const WaitStatistics one = of({7});
  EXPECT_EQ(one.variance(), 0);
  EXPECT_EQ(one.quantile(0.25), 7);
  EXPECT_EQ(one.quantile(0.75), 7);
}

TEST(WaitStatistics, ManyStayWithinTheStatedError) {
  std::mt19937_64 random(1);
  std::vector<Ticks> samples;
  for (int i = 0; i < 100000; ++i) samples.push_back(static_cast<Ticks>(1 + (random() >> (random() % 60))));
  for (Ticks& sample : samples) sample = std::max<Ticks>(1, sample & std::numeric_limits<Ticks>::max());
  const WaitStatistics all = of(samples);
  EXPECT_FALSE(all.is_exact());
  std::sort(samples.begin(), samples.end());
  for (const double fraction : {0.0, 0.1, 0.25, 0.5, 0.75, 0.99, 1.0}) {
    const double position = fraction * static_cast<double>(samples.size() - 1);
    const auto low = static_cast<std::size_t>(position);
    const auto left = static_cast<double>(samples[low]);
    const auto right = static_cast<double>(samples[std::min(low + 1, samples.size() - 1)]);
    const double exact = left + (position - static_cast<double>(low)) * (right - left);
    EXPECT_NEAR(all.quantile(fraction), exact, exact * WaitStatistics::kSketchError) << fraction;
  }
}

// However samples are distributed, and whichever part holds more than can be kept exactly.
TEST(WaitStatistics, DoNotDependOnOrderOrDistribution) {
  std::mt19937_64 random(2);
  for (const std::size_t count : {std::size_t{1000}, WaitStatistics::kMostExact, WaitStatistics::kMostExact + 1,
                                  3 * WaitStatistics::kMostExact}) {
    std::vector<Ticks> samples;
    for (std::size_t i = 0; i < count; ++i) samples.push_back(static_cast<Ticks>(1 + random() % 1000000007));
    const WaitStatistics whole = of(samples);
    std::shuffle(samples.begin(), samples.end(), random);
    WaitStatistics merged;
    for (std::size_t first = 0, size = 1; first < count; first += size, size *= 3) {
      const auto begin = samples.begin() + static_cast<std::ptrdiff_t>(first);
      const auto end = samples.begin() + static_cast<std::ptrdiff_t>(std::min(count, first + size));
      MessageBuffer buffer;
      of({begin, end}).put(buffer);
      merged.merge(WaitStatistics::get(buffer));
    }
    EXPECT_EQ(merged.count(), whole.count());
    EXPECT_EQ(merged.sum(), whole.sum());
    EXPECT_EQ(merged.variance(), whole.variance());
    EXPECT_EQ(merged.is_exact(), count <= WaitStatistics::kMostExact);
    for (const double fraction : {0.25, 0.5, 0.75}) EXPECT_EQ(merged.quantile(fraction), whole.quantile(fraction));
  }
}

// Damaged time stamps make waits of centuries.
TEST(WaitStatistics, HugeWaitsDoNotOverflow) {
  const Ticks huge = std::numeric_limits<Ticks>::max();
  const WaitStatistics all = of({huge, huge, huge, huge, huge});
  EXPECT_EQ(all.sum(), 5 * static_cast<double>(huge));
  EXPECT_NEAR(all.quantile(0.5), static_cast<double>(huge), 1);
  EXPECT_GE(all.variance(), 0);
}

}  // namespace
}  // namespace tarry
