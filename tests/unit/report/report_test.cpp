// report_test.cpp -- values of a report, whatever the stored flavour.
#include "report/tree/report.hpp"

#include <gtest/gtest.h>

#include <cfloat>

#include "tests/unit/report/sample_report.hpp"

namespace tarry {
namespace {

TEST(Report, FindsMetricsAndRows) {
  Report report = sample_report();
  EXPECT_EQ(report.find_metric("time::mpi"), MetricId(2));
  EXPECT_FALSE(report.find_metric("nothing").is_valid());
  EXPECT_TRUE(report.find_row(MetricId(2), CallPathId(0)).empty());
  EXPECT_EQ(report.find_row(MetricId(2), CallPathId(3)).size(), 3u);
  EXPECT_EQ(report.find_row(MetricId(5), CallPathId(5)).size(), 15u);
  EXPECT_EQ(report.row_count(MetricId(0)), 6u);
}

TEST(Report, RowsStayWhereTheyAre) {
  Report report = sample_report();
  report.structure.call_paths.resize(5000);
  const auto first = report.row(MetricId(0), CallPathId(0));
  for (std::uint32_t path = 0; path < 5000; ++path) report.row(MetricId(0), CallPathId(path))[0] = path;
  EXPECT_EQ(first.data(), report.row(MetricId(0), CallPathId(0)).data());
  for (std::uint32_t path = 0; path < 5000; ++path) ASSERT_EQ(report.find_row(MetricId(0), CallPathId(path))[0], path);
}

TEST(Report, BothFlavoursAlongTheCallTree) {
  const Report report = sample_report();
  EXPECT_DOUBLE_EQ(report.exclusive(MetricId(1), CallPathId(0), 2), 1.25);
  EXPECT_DOUBLE_EQ(report.inclusive(MetricId(1), CallPathId(0), 0), 21);
  EXPECT_DOUBLE_EQ(report.exclusive(MetricId(0), CallPathId(1), 1), 11);
  EXPECT_DOUBLE_EQ(report.inclusive(MetricId(0), CallPathId(1), 1), 63);
  EXPECT_DOUBLE_EQ(report.inclusive(MetricId(3), CallPathId(4), 0), 4.5);
  EXPECT_DOUBLE_EQ(report.exclusive(MetricId(2), CallPathId(2), 2), -0.25);
}

TEST(Report, WholeRowsEqualSingleValues) {
  const Report report = sample_report();
  std::vector<double> values;
  for (const std::uint32_t metric : {0u, 1u, 2u, 3u, 5u})
    for (std::uint32_t path = 0; path < 6; ++path) {
      if (!report.exclusive_row(MetricId(metric), CallPathId(path), values)) continue;
      for (std::uint32_t location = 0; location < 3; ++location)
        EXPECT_EQ(values[location], report.exclusive(MetricId(metric), CallPathId(path), location));
    }
}

TEST(Report, RoundingIsNoTime) {
  Report report = sample_report();
  report.row(MetricId(1), CallPathId(4))[0] = 0.3;
  report.row(MetricId(1), CallPathId(5))[0] = 0.1 + 0.2;
  EXPECT_EQ(report.exclusive(MetricId(1), CallPathId(4), 0), 0);
}

TEST(Report, AbsentMinimumIsNeutral) {
  Report report = sample_report();
  ReportMetric metric;
  metric.unique_name = "m";
  metric.type = ValueType::kMinDouble;
  const MetricId id = report.add_metric(metric);
  EXPECT_EQ(report.exclusive(id, CallPathId(0), 0), DBL_MAX);
  EXPECT_EQ(report.inclusive(id, CallPathId(0), 0), DBL_MAX);
}

}  // namespace
}  // namespace tarry
