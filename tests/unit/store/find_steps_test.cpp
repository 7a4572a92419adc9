// find_steps_test.cpp -- steps are found at the right place, and noise is none.
#include "store/find_steps.hpp"

#include <gtest/gtest.h>

#include <random>

#include "store/student.hpp"

namespace tarry {
namespace {

// `commits` points of `repeats` values with noise of 1 %, from `at` on (if it is not 0) larger by `step`.
std::vector<SeriesPoint> series(std::uint64_t seed, std::size_t commits, std::size_t repeats, std::size_t at,
                                double step) {
  std::mt19937_64 random(seed);
  std::normal_distribution<double> noise(1.0, 0.01);
  std::vector<SeriesPoint> points(commits);
  for (std::size_t i = 0; i < commits; ++i)
    for (std::size_t k = 0; k < repeats; ++k)
      points[i].push_back(250 * noise(random) * (at > 0 && i >= at ? 1 + step : 1));
  return points;
}

TEST(Steps, AreFoundInFiftyOfFiftyAndNoneWhereThereIsNone) {
  for (std::uint64_t seed = 1; seed <= 50; ++seed) {
    const std::size_t at = 3 + seed % 14;
    const auto found = find_steps(series(seed, 20, 3, at, 0.05));
    ASSERT_EQ(found.size(), 1u) << "seed " << seed;
    EXPECT_EQ(found[0].point, at) << "seed " << seed;
    EXPECT_NEAR(found[0].relative(), 0.05, 0.015);
    EXPECT_TRUE(find_steps(series(seed, 20, 3, 0, 0)).empty()) << "seed " << seed;
  }
}

// One run of each commit: the place is that of least squares, beside the true one now and then.
TEST(Steps, AreSeldomMissedWithoutRepeats) {
  int found_near = 0, false_steps = 0;
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    const auto found = find_steps(series(seed, 40, 1, 20, 0.05));
    found_near += found.size() == 1 && found[0].point >= 19 && found[0].point <= 21;
    false_steps += !find_steps(series(seed, 40, 1, 0, 0)).empty();
  }
  EXPECT_GE(found_near, 198);
  EXPECT_LE(false_steps, 1);
}

TEST(Steps, ThatHideEachOtherAreFoundBoth) {
  auto points = series(7, 30, 2, 0, 0);
  for (std::size_t i = 14; i < 18; ++i)
    for (double& value : points[i]) value *= 1.1;
  const auto found = find_steps(points);
  ASSERT_EQ(found.size(), 2u);
  EXPECT_EQ(found[0].point, 14u);
  EXPECT_EQ(found[1].point, 18u);
  EXPECT_LT(found[1].change(), 0);
}

TEST(Steps, OfCountsNeedNoNoise) {
  const std::vector<SeriesPoint> counts = {{100}, {100}, {100}, {103}, {103}};
  const auto found = find_steps(counts);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].point, 3u);
  EXPECT_EQ(found[0].change(), 3);
}

TEST(Steps, AreNotSeenInTooLittle) {
  EXPECT_TRUE(find_steps({}).empty());
  EXPECT_TRUE(find_steps({{1}}).empty());
  EXPECT_TRUE(find_steps({{1}, {2}}).empty());
  EXPECT_TRUE(find_steps({{0}, {0}, {0}}).empty());
  // A single run that differs is an outlier.
  EXPECT_TRUE(find_steps({{1.00}, {1.01}, {0.99}, {3}, {1.01}, {1.00}, {0.99}, {1.01}}).empty());
}

TEST(Student, HasTheValuesOfTables) {
  EXPECT_NEAR(student_two_sided(12.706, 1), 0.05, 1e-5);
  EXPECT_NEAR(student_two_sided(2.2281, 10), 0.05, 1e-5);
  EXPECT_NEAR(student_two_sided(3.3905, 60), 0.00124, 2e-5);
  EXPECT_EQ(student_two_sided(0, 5), 1);
}

}  // namespace
}  // namespace tarry
