// linear_fit_test.cpp -- least squares against what is known.
#include "scaling/model/linear_fit.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace tarry {
namespace {

using Columns = std::vector<std::vector<double>>;

std::optional<LinearFit> fit(const Columns& columns, const std::vector<double>& values) {
  LinearFitter fitter;
  const std::vector<std::span<const double>> spans(columns.begin(), columns.end());
  return fitter.fit(spans, values);
}

TEST(LinearFit, IsTheLineOfTheTextbook) {
  // Through (1,1), (2,3), (3,2): slope 1/2, remainder 3/2.
  const auto line = fit({{1, 1, 1}, {1, 2, 3}}, {1, 3, 2});
  ASSERT_TRUE(line);
  EXPECT_NEAR(line->coefficients[0], 1, 1e-12);
  EXPECT_NEAR(line->coefficients[1], 0.5, 1e-12);
  EXPECT_NEAR(line->remainder, 1.5, 1e-12);
  // The variance of the fitted value is that of a mean in the middle, and larger outside.
  EXPECT_NEAR(line->variance_factor(std::vector<double>{1, 2}), 1.0 / 3, 1e-12);
  EXPECT_NEAR(line->variance_factor(std::vector<double>{1, 4}), 1.0 / 3 + 4.0 / 2, 1e-12);
}

TEST(LinearFit, KeepsItsDigitsWhereColumnsAreNearlyAlike) {
  // Powers 11/4 and 3 of large numbers, as models have them.
  Columns columns(3);
  std::vector<double> values;
  for (const double p : {1000.0, 2000.0, 3000.0, 5000.0, 8000.0, 10000.0}) {
    columns[0].push_back(1);
    columns[1].push_back(std::pow(p, 2.75));
    columns[2].push_back(std::pow(p, 3));
    values.push_back(5 + 3 * columns[1].back() + 2 * columns[2].back());
  }
  const auto found = fit(columns, values);
  ASSERT_TRUE(found);
  EXPECT_NEAR(found->coefficients[1], 3, 1e-9);
  EXPECT_NEAR(found->coefficients[2], 2, 1e-9);
}

TEST(LinearFit, NeedsColumnsThatDiffer) {
  EXPECT_FALSE(fit({{1, 1, 1}, {2, 2, 2}}, {1, 3, 2}));
  EXPECT_FALSE(fit({{1, 1}, {1, 2}, {1, 4}}, {1, 3}));
  EXPECT_FALSE(fit({{0, 0, 0}}, {1, 3, 2}));
  EXPECT_FALSE(fit({{1, INFINITY, 1}}, {1, 3, 2}));
}

}  // namespace
}  // namespace tarry
