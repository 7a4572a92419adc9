// evidence_choice_test.cpp -- our own choice of a model, where the answer follows from the values.
#include "scaling/model/evidence_choice.hpp"

#include <gtest/gtest.h>

#include "scaling/model/confidence.hpp"
#include "tests/unit/scaling/model_cases.hpp"

namespace tarry {
namespace {

const Places kRanks = line_of({4, 8, 16, 32, 64});

ScalingModel one_term(double constant, double coefficient, const Growth& growth) {
  return {.constant = constant, .terms = {{.coefficient = coefficient, .growths = {growth}}}, .figures = {}};
}

TEST(EvidenceChoice, FindsExactTermsAndSums) {
  std::mt19937_64 random(1);
  for (const Growth& truth : all_growths()) {
    const auto choice = evidence_choice(measure(one_term(100, 40, truth), kRanks, 0, random));
    ASSERT_TRUE(choice && choice->model.terms.size() == 1) << truth.text("p");
    EXPECT_EQ(choice->model.terms[0].growths[0], truth) << truth.text("p");
  }
  ScalingModel sum = one_term(5, 2, growth(0, 1, 1));
  sum.terms.push_back({.coefficient = 0.1, .growths = {growth(1, 1, 0)}});
  const auto choice = evidence_choice(measure(sum, kRanks, 0, random));
  ASSERT_EQ(choice->model.terms.size(), 2u);
  EXPECT_EQ(choice->model.leading(0), growth(1, 1, 0));
  EXPECT_NEAR(choice->model.constant, 5, 1e-3);
}

TEST(EvidenceChoice, SeesWorkThatIsShared) {
  std::mt19937_64 random(3);
  const auto shared = evidence_choice(measure(one_term(1, 100, growth(-1, 1, 0)), kRanks, 0.02, random));
  ASSERT_TRUE(shared);
  EXPECT_NEAR(shared->model.leading(0).slope_beyond(64), -1, 0.25);
  // What is shared, and what all add: the sum grows in the end.
  ScalingModel both = one_term(0.5, 100, growth(-1, 1, 0));
  both.terms.push_back({.coefficient = 0.3, .growths = {growth(1, 1, 0)}});
  EXPECT_NEAR(evidence_choice(measure(both, kRanks, 0.01, random))->model.leading(0).slope_beyond(64), 1, 0.25);
}

TEST(EvidenceChoice, PredictsNoNegativeTimes) {
  // A straight line down to zero would be negative from there on.
  const auto choice = evidence_choice(points_of({1, 2, 3, 4, 5}, {100, 81, 59, 41, 20}));
  ASSERT_TRUE(choice);
  EXPECT_GE(choice->model.at(std::vector<double>{20}), 0);
}

TEST(EvidenceChoice, NeedsFourPoints) {
  EXPECT_FALSE(evidence_choice({}));
  EXPECT_FALSE(evidence_choice(points_of({1, 2, 4}, {1, 2, 4})));
  EXPECT_TRUE(evidence_choice(points_of({1, 2, 4, 8}, {1, 2, 4, 8})));
}

TEST(EvidenceChoice, TakesZerosAndNegativeValues) {
  EXPECT_TRUE(evidence_choice(points_of({1, 2, 4, 8, 16}, {0, 0, 0, 0, 0}))->model.is_constant());
  const auto half = evidence_choice(points_of({1, 2, 4, 8, 16}, {0, 2, 6, 14, 30}));
  EXPECT_EQ(half->model.leading(0), growth(1, 1, 0));
  const auto below = evidence_choice(points_of({1, 2, 4, 8, 16}, {-1, -2, -4, -8, -16}));
  EXPECT_NEAR(below->model.at(std::vector<double>{32}), -32, 1);
}

TEST(EvidenceChoice, WeighsValuesByTheirNoise) {
  // Of values that are off by the same amount everywhere, the large ones tell more; by the same share, the small ones.
  std::mt19937_64 random(5);
  std::normal_distribution<double> normal;
  std::vector<MeasuredPoint> absolute, relative;
  for (const double p : {1.0, 10.0, 100.0, 1000.0, 10000.0}) {
    absolute.push_back({.at = {p}, .values = {}});
    relative.push_back({.at = {p}, .values = {}});
    for (int i = 0; i < 8; ++i) {
      absolute.back().values.push_back(p + 5 * normal(random));
      relative.back().values.push_back(p * (1 + 0.05 * normal(random)));
    }
  }
  EXPECT_EQ(estimate_noise_power(absolute), NoisePower::kAbsolute);
  EXPECT_EQ(estimate_noise_power(relative), NoisePower::kRelative);
}

TEST(EvidenceChoice, ModelsThreeParameters) {
  const Growth none;
  const ModelTerm product{.coefficient = 0.5, .growths = {growth(1, 1, 0), growth(-1, 1, 0), none}};
  const ScalingModel truth{.constant = 2, .terms = {product}, .figures = {}};
  Places places;
  for (const double n : {100, 200, 400, 800})
    for (const double p : {1, 2, 4, 8})
      for (const double b : {1, 2, 3, 4}) places.push_back({n, p, b});
  std::mt19937_64 random(2);
  EXPECT_EQ(structure_of(evidence_choice(measure(truth, places, 0.02, random, 3))->model), "ab");
}

TEST(ConfidenceBand, HoldsTheTruthAsOftenAsItSays) {
  const ScalingModel truth = one_term(7, 4, growth(1, 2, 0));
  std::mt19937_64 random(11);
  int inside = 0, wide = 0;
  for (int trial = 0; trial < 200; ++trial) {
    const auto choice = evidence_choice(measure(truth, kRanks, 0.05, random));
    const std::vector<double> at = {64};
    const ConfidenceBand band = band_of(*choice, at);
    inside += band.lower <= truth.at(at) && truth.at(at) <= band.upper;
    wide += band.upper - band.lower > 0.3 * truth.at(at);
  }
  EXPECT_GE(inside, 180);  // 95 percent of 200, and three standard deviations
  EXPECT_LE(wide, 20);
}

TEST(ConfidenceBand, OfOneModelIsStudents) {
  // The mean of 1, 2, 3, 4, 5: 3 +- 2.776 sqrt(2.5 / 5).
  const ScalingModel mean{.constant = 3, .terms = {}, .figures = {}};
  const auto band = band_of(mean, points_of({1, 2, 3, 4, 5}, {1, 2, 3, 4, 5}), std::vector<double>{100});
  ASSERT_TRUE(band);
  EXPECT_NEAR(band->upper - 3, 2.776445 * std::sqrt(0.5), 0.005);
  EXPECT_NEAR(student_quantile(3), 3.182446, 0.01);
  EXPECT_NEAR(student_quantile(30), 2.042272, 1e-4);
}

}  // namespace
}  // namespace tarry
