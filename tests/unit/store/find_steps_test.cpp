// find_steps_test.cpp -- steps are found at the right place, and noise is none.
#include "store/find_steps.hpp"

#include <gtest/gtest.h>

#include "store/made_series.hpp"
#include "store/student.hpp"

namespace tarry {
namespace {

// Three runs of each commit, in histories of many kinds. Nearly all steps are found, at their commits and no other.
TEST(Steps, AreFoundAtTheirCommitsAndNoneWhereThereIsNone) {
  std::mt19937_64 random(20261125);
  int wrong = 0, not_failed = 0, false_steps = 0;
  for (int i = 0; i < 1000; ++i) {
    static constexpr std::size_t kCommits[] = {20, 40, 100, 200};
    MadeSeries made{.commits = kCommits[i % 4], .repeats = i % 3 == 0 ? 5u : 3u, .is_log_normal = i % 2 == 0};
    made.step_at = random_place(made.commits, random);
    const auto found = find_steps(make_series(made, random));
    wrong += found.size() != 1 || found[0].point != made.step_at;
    // What --fail-on 5% asks.
    not_failed += !found.empty() && found[0].largest_change() < 0.05 * found[0].before;
    made.step_at = 0;
    false_steps += !find_steps(make_series(made, random)).empty();
  }
  EXPECT_LE(wrong, 2);
  EXPECT_LE(not_failed, 2);
  EXPECT_LE(false_steps, 2);
}

// Runs of a commit that have something in common tell less than as many runs of different ones.
TEST(Steps, AreNotWhatTheRunsOfACommitHaveInCommon) {
  std::mt19937_64 random(1);
  int false_steps = 0, found_right = 0;
  for (int i = 0; i < 400; ++i) {
    MadeSeries made{.commits = 40, .repeats = 5, .common = i % 2 ? 0.005 : 0.008};
    false_steps += !find_steps(make_series(made, random)).empty();
    made.step_at = random_place(made.commits, random);
    const auto found = find_steps(make_series(made, random));
    found_right += found.size() == 1 && found[0].point == made.step_at;
  }
  EXPECT_LE(false_steps, 3);
  EXPECT_GE(found_right, 390);
}

// One run of each commit: the place is that of least squares, beside the true one now and then. This is told.
TEST(Steps, AreSeldomMissedWithoutRepeats) {
  std::mt19937_64 random(2);
  int found_near = 0, found_right = 0, outside = 0, false_steps = 0;
  for (int i = 0; i < 1000; ++i) {
    MadeSeries made{.commits = 40, .repeats = 1, .step_at = 20};
    const auto found = find_steps(make_series(made, random));
    found_near += found.size() == 1 && found[0].point >= 19 && found[0].point <= 21;
    found_right += found.size() == 1 && found[0].point == 20;
    outside += !found.empty() && (found[0].earliest > 20 || found[0].latest < 20);
    made.step_at = 0;
    false_steps += !find_steps(make_series(made, random)).empty();
  }
  EXPECT_GE(found_near, 990);
  EXPECT_GE(found_right, 965);
  EXPECT_LE(outside, 10);
  EXPECT_LE(false_steps, 3);
}

TEST(Steps, ThatHideEachOtherAreFoundBoth) {
  std::mt19937_64 random(7);
  auto points = make_series({.commits = 30, .repeats = 2}, random);
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
  EXPECT_NEAR(student_limit(0.025, 10), 2.2281, 1e-4);
  EXPECT_NEAR(student_limit(0.0005, 18), 3.9216, 1e-4);
}

TEST(Fisher, HasTheValuesOfTables) {
  EXPECT_NEAR(fisher_upper(3.3258, 5, 10), 0.05, 1e-5);
  EXPECT_NEAR(fisher_upper(10.0443, 1, 10), 0.01, 1e-5);
  EXPECT_EQ(fisher_upper(0, 3, 4), 1);
}

// Two commits and their repeats: only these tell how much noise there is.
TEST(Steps, OfTwoCommitsAreJudgedByTheirRepeats) {
  const auto found = find_steps({{1.00, 1.01, 0.99, 1.00, 1.01, 0.99}, {1.10, 1.11, 1.09, 1.10, 1.11, 1.09}});
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].point, 1u);
}

}  // namespace
}  // namespace tarry
