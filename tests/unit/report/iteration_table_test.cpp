// iteration_table_test.cpp -- values by iteration and process, kept in a report.
#include "report/tables/iteration_table.hpp"

#include <gtest/gtest.h>

namespace tarry {
namespace {

IterationTable example() {
  return {"step",
          true,
          {0, 2, -1},
          {{-3, -3, 1}, {0, 7, 8}},
          {{"time", "sec", 1e-9, {1, 2, 3, 4, 5, 1e15}}, {"delay", "sec", 1e-9, {0, 0.25, 0, -1e-9, 0, 1}}}};
}

TEST(IterationTable, SurvivesTheReport) {
  std::vector<ReportFile> files;
  add_iteration_table({}, files);
  EXPECT_TRUE(files.empty());
  EXPECT_TRUE(read_iteration_table(files).value().rows.empty());
  add_iteration_table(example(), files);
  const auto read = read_iteration_table(files);
  ASSERT_TRUE(read.ok());
  EXPECT_EQ(read.value(), example());
}

TEST(IterationTable, WholeNumbersAreShort) {
  std::vector<ReportFile> files;
  IterationTable table{"r", false, {0, 1}, {{0, 0, 1}}, {{"visits", "occ", 1, {1, 2}}}};
  add_iteration_table(table, files);
  const std::size_t whole = files[0].bytes.size();
  table.metrics[0].values[0] = 0.5;
  files.clear();
  add_iteration_table(table, files);
  EXPECT_EQ(files[0].bytes.size(), whole + 2 * 7);
}

TEST(IterationTable, EmptyRowsAreDropped) {
  IterationTable table{"r",
                       false,
                       {0, 1},
                       {{0, 0, 1}, {1, 1, 1}, {2, 2, 1}, {3, 3, 1}},
                       {{"time", "sec", 1, {0, 0, 1, 0, 0, 0, 2, 3}}, {"visits", "occ", 1, {0, 0, 0, 0, 0, 0, 0, 1}}}};
  drop_empty_rows(table);
  EXPECT_EQ(table.rows, (std::vector<IterationRange>{{1, 1, 1}, {3, 3, 1}}));
  EXPECT_EQ(table.metrics[0].values, (std::vector<double>{1, 0, 2, 3}));
  EXPECT_EQ(table.metrics[1].values, (std::vector<double>{0, 0, 0, 1}));
}

TEST(IterationTable, DamageIsFound) {
  std::vector<ReportFile> files;
  add_iteration_table(example(), files);
  const std::vector<std::uint8_t> bytes = files[0].bytes;
  std::size_t readable = 0;
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    files[0].bytes.assign(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(size));
    readable += read_iteration_table(files).ok();
  }
  EXPECT_EQ(readable, 2u);  // without metrics, or with one
  for (std::size_t at = 0; at < bytes.size(); ++at)
    for (const int value : {0x00, 0x7f, 0x80, 0xff}) {
      files[0].bytes = bytes;
      files[0].bytes[at] = static_cast<std::uint8_t>(value);
      auto read = read_iteration_table(files);
      if (!read.ok()) continue;
      for (const IterationMetric& metric : read->metrics)
        ASSERT_EQ(metric.values.size(), read->rows.size() * read->ranks.size());
    }
}

}  // namespace
}  // namespace tarry
