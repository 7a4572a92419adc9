// metric_totals_test.cpp -- sums over all locations.
#include "report/algebra/metric_totals.hpp"

#include <gtest/gtest.h>

#include "tests/unit/report/sample_report.hpp"

namespace tarry {
namespace {

TEST(MetricTotals, StoredExclusive) {
  const MetricTotals totals = total_of(sample_report(), MetricId(0));
  EXPECT_EQ(totals.exclusive, (std::vector<double>{3, 33, 63, 93, 123, 153}));
  EXPECT_EQ(totals.inclusive[1], 33 + 63 + 93);
  EXPECT_EQ(totals.whole, 468);
}

TEST(MetricTotals, StoredInclusive) {
  const MetricTotals totals = total_of(sample_report(), MetricId(1));
  EXPECT_DOUBLE_EQ(totals.whole, 3 * 21 + 6 * 3 / 8.0);
  EXPECT_DOUBLE_EQ(totals.exclusive[5], 3 * 6 + 3 / 8.0);
  EXPECT_DOUBLE_EQ(totals.exclusive[0], 3 * 1 + 3 / 8.0);
}

TEST(MetricTotals, MinimumOfAll) {
  const MetricTotals totals = total_of(sample_report(), MetricId(3));
  EXPECT_EQ(totals.whole, 0.5);
  EXPECT_EQ(totals.inclusive[4], 4.5);
}

TEST(MetricTotals, DerivedAreNotStored) { EXPECT_EQ(total_of(sample_report(), MetricId(4)).whole, 0); }

}  // namespace
}  // namespace tarry
