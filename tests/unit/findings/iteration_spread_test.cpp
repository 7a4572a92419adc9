// iteration_spread_test.cpp -- quartiles over processes, and iterations that stick out.
#include "findings/iterations/iteration_spread.hpp"

#include <gtest/gtest.h>

#include "findings/iterations/iteration_finding.hpp"

namespace tarry {
namespace {

IterationSeries series_of_rows(const std::vector<std::vector<double>>& rows) {
  IterationSeries series{"step", "time", "sec", {}, {}, {}};
  for (std::size_t p = 0; p < rows[0].size(); ++p) series.ranks.push_back(static_cast<std::int64_t>(p));
  for (std::size_t i = 0; i < rows.size(); ++i) {
    series.iterations.push_back({static_cast<std::int64_t>(i), static_cast<std::int64_t>(i), 1});
    series.values.insert(series.values.end(), rows[i].begin(), rows[i].end());
  }
  return series;
}

TEST(IterationSpread, QuartilesAreBetweenTheNearestValues) {
  EXPECT_EQ(spread_over_processes(std::vector<double>{4, 1, 3, 2}), (Spread{1, 1.75, 2.5, 3.25, 4, 0}));
  EXPECT_EQ(spread_over_processes(std::vector<double>{1, 5, 5}), (Spread{1, 3, 5, 5, 5, 1}));
  EXPECT_EQ(spread_over_processes(std::vector<double>{7}), (Spread{7, 7, 7, 7, 7, 0}));
  EXPECT_EQ(spread_over_processes({}), Spread());
}

TEST(IterationSpread, FarMoreThanTheOthersSticksOut) {
  const auto found = find_outlying(
      series_of_rows({{1, 1}, {2, 4}, {1, 1}, {1, 1}, {9, 1}, {1, 1}, {1, 1}, {1, 1}, {1, 1}, {1, 1}, {1.2, 1}}));
  ASSERT_EQ(found.size(), 2u);
  EXPECT_EQ(found[0], (OutlyingIteration{4, 5, 1, 0, 9}));
  EXPECT_EQ(found[1], (OutlyingIteration{1, 3, 1, 1, 4}));
}

TEST(IterationSpread, SmallDifferencesDoNotStickOut) {
  EXPECT_TRUE(find_outlying(series_of_rows({{1}, {1}, {1}, {1}, {1.4}, {1}})).empty());
  EXPECT_TRUE(find_outlying(series_of_rows({{1}, {1}, {1}, {9}})).empty());  // too few to tell
}

TEST(IterationSpread, IterationsThatShareARowCountAsTheirMean) {
  IterationSeries series = series_of_rows({{1}, {1}, {1}, {1}, {8}, {1}});
  series.iterations[4].count = 8;
  EXPECT_TRUE(find_outlying(series).empty());
}

TEST(IterationSpread, TheReportNamesThem) {
  Report report;
  EXPECT_FALSE(find_outlying_iterations(report, "mpi_latesender"));
  IterationTable table{"step", true, {0, 5}, {}, {{"mpi_latesender", "sec", 0.5, {}}}};
  for (std::int64_t i = 0; i < 10; ++i) {
    table.rows.push_back({10 * i, 10 * i, 1});
    for (int rank = 0; rank < 2; ++rank)
      table.metrics[0].values.push_back(i >= 5 || i == 0 ? 2 : 20.0 * rank * double(i));
  }
  add_iteration_table(table, report.files);
  const auto found = find_outlying_iterations(report, "mpi_latesender");
  EXPECT_FALSE(find_outlying_iterations(report, "mpi_barrier_wait"));
  EXPECT_FALSE(found);  // four of ten are no exception
  table.metrics[0].values = std::vector<double>(20, 2);
  table.metrics[0].values[9] = 22;  // iteration 40 at rank 5
  report.files.clear();
  add_iteration_table(table, report.files);
  const auto one = find_outlying_iterations(report, "mpi_latesender");
  ASSERT_TRUE(one);
  EXPECT_EQ(one->region, "step");
  EXPECT_EQ(outlying_text(*one), "40 (6 s, 6 times the median, most at rank 5)");
}

}  // namespace
}  // namespace tarry
