// values_block_test.cpp -- values in blocks are those of the report.
#include <gtest/gtest.h>

#include <map>

#include "block_reader.hpp"
#include "page/blocks/blocks.hpp"
#include "sample_run.hpp"

namespace tarry {
namespace {

using Table = std::map<std::uint32_t, std::vector<double>>;  // by path

Table read_table(BlockReader& in, std::size_t locations, std::size_t rows) {
  const auto paths = in.u32s(rows), counts = in.u32s(rows);
  in.align();
  std::size_t columns = 0, values = 0;
  for (const std::uint32_t count : counts) {
    columns += count == locations ? 0 : count;
    values += count;
  }
  const auto column = in.u32s(columns);
  const auto value = in.planes(values);
  Table table;
  std::size_t at = 0, next = 0;
  for (std::size_t row = 0; row < rows; ++row) {
    std::vector<double>& cells = table[paths[row]];
    cells.resize(locations);
    for (std::uint32_t i = 0; i < counts[row]; ++i) cells[counts[row] == locations ? i : column[next++]] = value[at++];
  }
  return table;
}

struct Values {
  Table exclusive, inclusive;
  bool has_inclusive = false;
};

Values read_values(const BlockBytes& bytes) {
  BlockReader in(bytes);
  Values values;
  const std::uint32_t locations = in.u32(), rows = in.u32();
  values.has_inclusive = in.u32();
  in.u32();
  values.exclusive = read_table(in, locations, rows);
  if (values.has_inclusive) {
    in.align();
    const std::uint32_t more = in.u32();
    in.u32();
    values.inclusive = read_table(in, locations, more);
  }
  EXPECT_TRUE(in.is_at_end());
  return values;
}

// A path without a row has zeros.
void expect_rows(SampleRun& sample, std::uint32_t metric, const Table& table, Flavour flavour) {
  for (std::uint32_t path = 0; path < sample.run.paths().size(); ++path) {
    const std::vector<double> wanted = sample.row(metric, path, flavour);
    const auto found = table.find(path);
    const std::vector<double> cells = found == table.end() ? std::vector<double>(wanted.size()) : found->second;
    EXPECT_EQ(testing::PrintToString(cells), testing::PrintToString(wanted)) << path;  // NaN equals NaN there
  }
}

TEST(ValuesBlock, HasEveryValueOfEveryMetric) {
  SampleRun sample;
  for (std::uint32_t metric = 0; metric < sample.run.metrics().size(); ++metric) {
    SCOPED_TRACE(metric);
    const auto block = values_block(sample.run, metric, {});
    ASSERT_TRUE(block);
    if (block->empty()) continue;
    const Values values = read_values(*block);
    expect_rows(sample, metric, values.exclusive, Flavour::kExclusive);
    if (values.has_inclusive) expect_rows(sample, metric, values.inclusive, Flavour::kInclusive);
    EXPECT_EQ(values.has_inclusive, sample.run.metrics()[metric].together == Together::kNotAtAll);
  }
}

TEST(ValuesBlock, GhostsAreNotThere) {
  SampleRun sample;
  EXPECT_EQ(sample.metric("visits"), 0u);
  EXPECT_EQ(sample.run.metrics().size() + 1, sample.report.structure.metrics.size());
}

TEST(ValuesBlock, HasOnlyTheLocationsThatAreKept) {
  SampleRun sample;
  const std::vector<std::uint32_t> kept = {0, 2};
  const std::uint32_t visits = sample.metric("visits");
  const auto block = values_block(sample.run, visits, {0, &kept});
  ASSERT_TRUE(block);
  const Values values = read_values(*block);
  for (const auto& [path, cells] : values.exclusive) {
    const std::vector<double> all = sample.row(visits, path, Flavour::kExclusive);
    EXPECT_EQ(cells, (std::vector<double>{all[0], all[2]}));
  }
}

TEST(TotalsBlock, HasSumsOverLocations) {
  SampleRun sample;
  const BlockBytes bytes = totals_block(sample.run);
  BlockReader in(bytes);
  ASSERT_EQ(in.u32(), sample.run.metrics().size());
  ASSERT_EQ(in.u32(), sample.run.paths().size());
  for (const PageMetric& metric : sample.run.metrics()) {
    in.align();
    const std::uint32_t count = in.u32();
    in.u32();
    const auto paths = in.u32s(count);
    const auto exclusive = in.f64s(count), inclusive = in.f64s(count);
    const MetricTotals& totals = sample.run.values().totals(metric.id);
    for (std::uint32_t i = 0; i < count && metric.together == Together::kSum; ++i) {
      EXPECT_EQ(exclusive[i], totals.exclusive[sample.run.paths()[paths[i]]]);
      EXPECT_EQ(inclusive[i], totals.inclusive[sample.run.paths()[paths[i]]]);
    }
  }
  EXPECT_TRUE(in.is_at_end());
}

}  // namespace
}  // namespace tarry
