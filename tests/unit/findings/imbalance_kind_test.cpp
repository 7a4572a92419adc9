// imbalance_kind_test.cpp -- distributions that are built to be of a kind are called by its name.
#include "findings/imbalance/imbalance_kind.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numeric>

#include "tests/unit/findings/random_distributions.hpp"

namespace tarry {
namespace {

constexpr double kClear = 5;  // steps between groups, in units of the noise

bool is_named_right(const BuiltDistribution& built, const ImbalanceKind& kind) {
  if (kind.shape == built.shape) return built.is_mixture || kind.minority == built.minority;
  // A minority that the spread hides: what is left to see is the spread.
  return built.is_mixture && (kind.shape == ImbalanceShape::kUnclear || kind.shape == ImbalanceShape::kSpread ||
                              kind.deviation < 0.025 * kind.mean);
}

struct Tally {
  int right = 0, unclear = 0, wrong = 0, wrong_with_certainty = 0;
};

Tally name_all(DistributionMaker maker, int count) {
  Tally tally;
  for (int i = 0; i < count; ++i) {
    const BuiltDistribution built = maker.next();
    const ImbalanceKind kind = imbalance_kind(built.values);
    if (is_named_right(built, kind)) ++tally.right;
    else if (kind.shape == ImbalanceShape::kUnclear) ++tally.unclear;
    else ++tally.wrong, tally.wrong_with_certainty += kind.certainty >= 0.99;
    if (kind.shape == ImbalanceShape::kUnclear) EXPECT_EQ(kind.certainty, 0);
    else EXPECT_GT(kind.certainty, 0.5) << built.what;
  }
  return tally;
}

TEST(ImbalanceKind, TwoHundredBuiltDistributionsHaveTheirNames) {
  const Tally tally = name_all(DistributionMaker(2026, kClear), 200);
  EXPECT_GE(tally.right, 190) << tally.unclear << " unclear";
  EXPECT_EQ(tally.wrong, 0);
}

TEST(ImbalanceKind, HardlyAnyOfManyIsWrong) {
  const Tally tally = name_all(DistributionMaker(19, kClear), 1000);
  EXPECT_GE(tally.right, 950) << tally.unclear << " unclear";
  EXPECT_LE(tally.wrong, 2);
  EXPECT_EQ(tally.wrong_with_certainty, 0);
}

TEST(ImbalanceKind, ValuesWithoutGroupsSeldomLookLikeGroups) {
  std::mt19937_64 random(3);
  for (const std::size_t processes : {4u, 5u, 6u, 8u, 12u, 16u, 32u, 64u, 256u}) {
    int with_groups = 0;
    constexpr int kDraws = 300;
    for (int i = 0; i < kDraws; ++i) {
      std::vector<double> values;
      for (std::size_t k = 0; k < processes; ++k)
        values.push_back(i % 2 ? std::uniform_real_distribution<>(1, 2)(random)
                               : std::normal_distribution<>(8, 1)(random));
      with_groups += imbalance_kind(values).groups.size() > 1;
    }
    EXPECT_LE(with_groups, kDraws / 40) << processes;
  }
}

TEST(ImbalanceKind, OneSlowProcessOfEight) {
  const std::vector<double> values{1, 1.01, 0.99, 1, 1.5, 1.01, 1, 0.99};
  const ImbalanceKind kind = imbalance_kind(values);
  EXPECT_EQ(kind.shape, ImbalanceShape::kOverloadedMinority);
  EXPECT_EQ(kind.minority, std::vector<std::size_t>{4});
  EXPECT_GT(kind.certainty, 0.99);
  EXPECT_DOUBLE_EQ(kind.median, 1);
  EXPECT_DOUBLE_EQ(kind.most, 1.5);
  EXPECT_NEAR(kind.mean, 1.0625, 1e-12);
  EXPECT_NEAR(kind.percentage, (1.5 - 1.0625) / 1.5 * 8 / 7, 1e-12);
  EXPECT_GT(kind.skewness, 1);
  EXPECT_LT(kind.robust_deviation, 0.02);
  ASSERT_EQ(kind.groups.size(), 2u);
  EXPECT_EQ(kind.groups[0].size, 7u);
  EXPECT_NEAR(kind.groups[0].mean, 1, 1e-9);
}

TEST(ImbalanceKind, TwoOverloadedGroupsAreOneMinority) {
  std::vector<double> values;
  for (int i = 0; i < 100; ++i) values.push_back((i < 4 ? 1.25 : i < 10 ? 1.5 : 1) + 0.01 * (i % 3));
  const ImbalanceKind kind = imbalance_kind(values);
  EXPECT_EQ(kind.shape, ImbalanceShape::kOverloadedMinority);
  EXPECT_EQ(kind.minority.size(), 10u);
  EXPECT_EQ(kind.groups.size(), 3u);
}

TEST(ImbalanceKind, ExceptionsOnBothSidesAreClusters) {
  std::vector<double> values(32, 1);
  values[3] = 2;
  values[20] = 0.2;
  EXPECT_EQ(imbalance_kind(values).shape, ImbalanceShape::kClusters);
  EXPECT_EQ(imbalance_kind(values).highest, std::vector<std::size_t>{3});
}

TEST(ImbalanceKind, AProcessThatDoesAllIsAMinority) {
  std::vector<double> values(16, 0);
  values[0] = 3;
  const ImbalanceKind kind = imbalance_kind(values);
  EXPECT_EQ(kind.shape, ImbalanceShape::kOverloadedMinority);
  EXPECT_DOUBLE_EQ(kind.percentage, 1);
}

TEST(ImbalanceKind, FewProcessesHaveNoKindUnlessTheyAreEqual) {
  EXPECT_EQ(imbalance_kind(std::vector<double>{5}).shape, ImbalanceShape::kBalanced);
  EXPECT_EQ(imbalance_kind(std::vector<double>{5, 9}).shape, ImbalanceShape::kUnclear);
  EXPECT_EQ(imbalance_kind(std::vector<double>{5, 5, 9}).shape, ImbalanceShape::kUnclear);
  EXPECT_EQ(imbalance_kind(std::vector<double>{5, 5, 5.01}).shape, ImbalanceShape::kBalanced);
  // A gap among four may be by chance; a wide one is not.
  EXPECT_EQ(imbalance_kind(std::vector<double>{5, 5.3, 5.6, 6.5}).shape, ImbalanceShape::kUnclear);
  EXPECT_EQ(imbalance_kind(std::vector<double>{5, 5.02, 5.01, 8}).shape, ImbalanceShape::kOverloadedMinority);
}

TEST(ImbalanceKind, ValuesThatTellNothing) {
  EXPECT_EQ(imbalance_kind({}).shape, ImbalanceShape::kUnclear);
  const std::vector<double> zeros(8, 0), equal(8, 3.5);
  EXPECT_EQ(imbalance_kind(zeros).shape, ImbalanceShape::kBalanced);
  EXPECT_EQ(imbalance_kind(equal).shape, ImbalanceShape::kBalanced);
  EXPECT_EQ(imbalance_kind(equal).percentage, 0);
  for (const double bad : {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()}) {
    std::vector<double> values(8, 1);
    values[2] = bad;
    EXPECT_EQ(imbalance_kind(values).shape, ImbalanceShape::kUnclear);
  }
}

TEST(ImbalanceKind, NegativeAndExtremeValuesAreNumbersLikeOthers) {
  std::vector<double> values(16, -1);
  values[5] = -9;
  EXPECT_EQ(imbalance_kind(values).shape, ImbalanceShape::kUnderloadedMinority);
  values.assign(16, 1e308);
  values[5] = -1e308;
  const ImbalanceKind kind = imbalance_kind(values);
  EXPECT_FALSE(std::isnan(kind.certainty));
  values.assign(16, 1e-310);
  values[5] = 3e-310;
  EXPECT_FALSE(std::isnan(imbalance_kind(values).certainty));
}

TEST(ImbalanceKind, AMillionProcesses) {
  std::mt19937_64 random(5);
  std::vector<double> values(1'000'000);
  for (double& value : values) value = std::normal_distribution<>(1, 0.01)(random);
  EXPECT_EQ(imbalance_kind(values).shape, ImbalanceShape::kBalanced);
  values[123'456] = 1.5;
  const ImbalanceKind slow = imbalance_kind(values);
  EXPECT_EQ(slow.shape, ImbalanceShape::kOverloadedMinority);
  EXPECT_EQ(slow.minority, std::vector<std::size_t>{123'456});
  std::iota(values.begin(), values.end(), 1e6);
  EXPECT_EQ(imbalance_kind(values).shape, ImbalanceShape::kSpread);
}

}  // namespace
}  // namespace tarry
