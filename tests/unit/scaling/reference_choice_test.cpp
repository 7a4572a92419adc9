// reference_choice_test.cpp -- Extra-P's choice, on cases that its documented facts determine.
#include "scaling/model/reference_choice.hpp"

#include <gtest/gtest.h>

#include "scaling/model/term_families.hpp"
#include "tests/unit/scaling/model_cases.hpp"

namespace tarry {
namespace {

const std::vector<double> kPowersOfTwo = {4, 8, 16, 32, 64};

std::vector<MeasuredPoint> grid(const ScalingModel& truth) {
  std::mt19937_64 random(1);
  Places places;
  for (const double p : kPowersOfTwo)
    for (const double n : {10, 20, 30, 40, 50}) places.push_back({p, n});
  return measure(truth, places, 0, random, 1);
}

TEST(ReferenceChoice, IsConstantAtOnceWithoutRemainder) {
  const auto model = reference_choice(points_of(kPowersOfTwo, {42, 42, 42, 42, 42}));
  ASSERT_TRUE(model);
  EXPECT_TRUE(model->is_constant());
  EXPECT_EQ(model->constant, 42);
  EXPECT_EQ(model->figures.smape, 0);
  EXPECT_EQ(model->figures.adjusted_r2, 1);
  EXPECT_TRUE(reference_choice(points_of(kPowersOfTwo, {0, 0, 0, 0, 0}))->is_constant());
}

TEST(ReferenceChoice, FindsEachOfItsTermsInExactValues) {
  for (const Growth& growth : reference_growths()) {
    std::vector<double> values;
    for (const double p : kPowersOfTwo) values.push_back(3 + 2 * growth.at(p));
    const auto model = reference_choice(points_of(kPowersOfTwo, values));
    ASSERT_TRUE(model && model->terms.size() == 1) << growth.text("p");
    EXPECT_EQ(model->terms[0].growths[0], growth) << growth.text("p");
    EXPECT_NEAR(model->terms[0].coefficient, 2, 1e-6);
  }
}

TEST(ReferenceChoice, TakesTheMeanOfRepeats) {
  auto repeated = points_of(kPowersOfTwo, {4, 8, 16, 32, 64}), means = repeated;
  for (MeasuredPoint& point : repeated) point.values = {point.values[0] - 1, point.values[0] + 1};
  const auto left = reference_choice(repeated), right = reference_choice(means);
  EXPECT_EQ(left->terms[0].coefficient, right->terms[0].coefficient);
  EXPECT_EQ(left->figures.rss, right->figures.rss);
}

TEST(ReferenceChoice, LetsTermsFall) {
  const auto model = reference_choice(points_of(kPowersOfTwo, {96, 92, 84, 68, 36}));
  ASSERT_EQ(model->terms.size(), 1u);
  EXPECT_EQ(model->terms[0].growths[0], growth(1, 1, 0));
  EXPECT_NEAR(model->terms[0].coefficient, -1, 1e-9);
}

// One point is left out after the other: the figures of the constant are those of all points.
TEST(ReferenceChoice, ComparesLeftOutPointsWithTheConstantOfAll) {
  const std::vector<double> at = {1, 2, 4}, values = {1, 2, 6};
  const auto hypotheses = reference_hypotheses(at, values);
  ASSERT_EQ(hypotheses.size(), 43u);
  EXPECT_DOUBLE_EQ(hypotheses[0].constant, 3);
  EXPECT_DOUBLE_EQ(hypotheses[0].figures.rss, 4 + 1 + 9);
  EXPECT_NEAR(hypotheses[0].figures.smape, 200.0 / 3 * (2.0 / 4 + 1.0 / 5 + 3.0 / 9), 1e-12);
  // log2: lines through two points each predict the third: (0,1) (1,2) (2,6).
  EXPECT_EQ(hypotheses[1].growth, growth(0, 1, 1));
  EXPECT_NEAR(hypotheses[1].figures.rss, 9 + 1.5 * 1.5 + 9, 1e-9);
  EXPECT_NEAR(hypotheses[1].figures.adjusted_r2, 1 - (20.25 / 14) * 2 / 1, 1e-9);
}

TEST(ReferenceChoice, LeavesOutTermsThatDoNotCount) {
  // Terms of less than 5e-4 of all values count as nothing.
  for (const double most : {2e-4, 2e-3}) {
    std::vector<double> values;
    for (const double p : kPowersOfTwo) values.push_back(1000 * (1 + most * p / 64));
    EXPECT_EQ(reference_choice(points_of(kPowersOfTwo, values))->is_constant(), most < 5e-4) << most;
  }
}

TEST(ReferenceChoice, DropsATinyConstantOfAFold) {
  // Through 1e-4 + p: the constant is below 5e-4 of the smallest value in each fold, and what is left out is missed.
  std::vector<double> at = {1, 2, 3, 4, 5}, values;
  for (const double p : at) values.push_back(1e-4 + p);
  const auto hypotheses = reference_hypotheses(at, values);
  for (const ReferenceHypothesis& one : hypotheses) {
    if (!(one.growth == growth(1, 1, 0))) continue;
    EXPECT_NEAR(one.figures.rss, 5e-8, 1e-12);
    EXPECT_NEAR(one.constant, 1e-4, 1e-10);  // the last fit keeps it
  }
}

TEST(ReferenceChoice, SaysWhenPointsAreTooFew) {
  EXPECT_FALSE(reference_choice({}));
  EXPECT_FALSE(reference_choice(points_of({1, 2}, {3, 4})));
  EXPECT_TRUE(reference_choice(points_of({1, 2, 4}, {3, 4, 6})));
}

TEST(ReferenceChoice, CombinesParameters) {
  const Growth none;
  const ModelTerm log_p{.coefficient = 2, .growths = {growth(0, 1, 1), none}};
  const ModelTerm line_n{.coefficient = 0.5, .growths = {none, growth(1, 1, 0)}};
  const ModelTerm both{.coefficient = 0.02, .growths = {growth(0, 1, 1), growth(1, 1, 0)}};
  EXPECT_EQ(structure_of(*reference_choice(grid({.constant = 5, .terms = {log_p, line_n}, .figures = {}}))), "a+b");
  EXPECT_EQ(structure_of(*reference_choice(grid({.constant = 5, .terms = {both}, .figures = {}}))), "ab");
  EXPECT_EQ(structure_of(*reference_choice(grid({.constant = 5, .terms = {line_n, both}, .figures = {}}))), "ab+b");
  EXPECT_EQ(structure_of(*reference_choice(grid({.constant = 5, .terms = {line_n}, .figures = {}}))), "b");
  EXPECT_EQ(structure_of(*reference_choice(grid({.constant = 5, .terms = {}, .figures = {}}))), "");
}

TEST(TermFamilies, OfTwoParametersAreFour) {
  EXPECT_EQ(covering_families(1), (std::vector<TermFamily>{{1}}));
  EXPECT_EQ(covering_families(2), (std::vector<TermFamily>{{3}, {1, 2}, {1, 3}, {2, 3}}));
  for (const TermFamily& family : covering_families(3)) EXPECT_LE(family.size(), 3u);
}

}  // namespace
}  // namespace tarry
