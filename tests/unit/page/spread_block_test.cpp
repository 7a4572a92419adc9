// spread_block_test.cpp -- how rows are spread, and which locations are kept of a large report.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <numeric>

#include "block_reader.hpp"
#include "page/blocks/blocks.hpp"
#include "page/blocks/inclusive_rows.hpp"
#include "page/blocks/kept_locations.hpp"
#include "sample_run.hpp"

namespace tarry {
namespace {

// main <work>; one thread in each of `values.size()` processes on two nodes; times of work.
Report report_of(const std::vector<double>& values) {
  Report report;
  ReportStructure& s = report.structure;
  s.regions.resize(2);
  s.call_paths.resize(2);
  s.call_paths[1].region = 1;
  s.call_paths[1].parent = CallPathId(0);
  s.system_nodes = {{"cluster", "machine", "", 0xffffffffu, {}}, {"a", "node", "", 0, {}}, {"b", "node", "", 0, {}}};
  for (std::uint32_t i = 0; i < values.size(); ++i) {
    s.processes.push_back({"", "process", i, 1 + i % 2, {}});
    s.locations.push_back({"", "thread", 0, i, {}});
  }
  ReportMetric time;
  time.unique_name = "time";
  const MetricId metric = report.add_metric(time);
  std::copy(values.begin(), values.end(), report.row(metric, CallPathId(1)).begin());
  report.row(metric, CallPathId(0))[0] = 100;
  return report;
}

struct SpreadRow {
  std::vector<std::uint32_t> bins;
  std::vector<double> numbers, groups;
};

// The rows of exclusive values, by path; those of inclusive ones follow.
std::map<std::uint32_t, SpreadRow> read_spread(BlockReader& in, std::uint32_t groups, std::uint32_t bins) {
  in.align();
  const std::uint32_t count = in.u32();
  in.u32();
  const auto paths = in.u32s(count);
  in.u32s(count);
  const auto all_bins = in.u32s(count * bins);
  std::vector<std::vector<double>> numbers;
  for (int i = 0; i < 6; ++i) numbers.push_back(in.planes(count));
  const auto sums = in.planes(std::size_t{count} * groups);
  std::map<std::uint32_t, SpreadRow> rows;
  for (std::uint32_t i = 0; i < count; ++i) {
    SpreadRow& row = rows[paths[i]];
    row.bins.assign(all_bins.begin() + i * bins, all_bins.begin() + (i + 1) * bins);
    for (const auto& column : numbers) row.numbers.push_back(column[i]);
    row.groups.assign(sums.begin() + i * groups, sums.begin() + (i + 1) * groups);
  }
  return rows;
}

TEST(SpreadBlock, QuartilesBinsAndSumsOfNodes) {
  SampleRun sample(report_of({0, 1, 2, 3, 4, 5, 6, 8}));
  const LocationGroups groups = group_locations(sample.report.structure);
  EXPECT_EQ(groups.what, "node");
  const BlockBytes bytes = spread_block(sample.run, 0, groups);
  BlockReader in(bytes);
  EXPECT_EQ(in.u32(), 8u);
  EXPECT_EQ(in.u32(), 3u);
  EXPECT_EQ(in.u32(), 32u);
  EXPECT_EQ(in.u32(), 1u);
  const auto exclusive = read_spread(in, 3, 32), inclusive = read_spread(in, 3, 32);
  EXPECT_TRUE(in.is_at_end());
  const SpreadRow& work = exclusive.at(1);
  EXPECT_EQ(work.numbers, (std::vector<double>{29, 0, 1.75, 3.5, 5.25, 8}));
  EXPECT_EQ(work.groups, (std::vector<double>{0, 12, 17}));
  EXPECT_EQ(work.bins[0], 1u);
  EXPECT_EQ(work.bins[4], 1u);
  EXPECT_EQ(work.bins[31], 1u);
  EXPECT_EQ(std::accumulate(work.bins.begin(), work.bins.end(), 0u), 8u);
  EXPECT_EQ(inclusive.at(0).numbers[0], 129);
  EXPECT_EQ(inclusive.at(0).numbers[5], 100);
  EXPECT_EQ(inclusive.at(1).numbers, work.numbers);
}

TEST(InclusiveRows, AreSumsOfTheSubtree) {
  SampleRun sample;
  for (const char* name : {"visits", "time", "time::mpi"}) {
    const std::uint32_t metric = sample.metric(name);
    InclusiveRows sums(sample.run, sample.run.metrics()[metric]);
    ASSERT_TRUE(sums.are_known());
    for (std::uint32_t path = static_cast<std::uint32_t>(sample.run.paths().size()); path-- > 0;) {
      const std::vector<double> own = sample.row(metric, path, Flavour::kExclusive);
      ASSERT_TRUE(sums.add(path, &own));
      const std::vector<double> wanted = sample.row(metric, path, Flavour::kInclusive);
      for (std::size_t i = 0; i < wanted.size(); ++i) EXPECT_DOUBLE_EQ(sums.row()[i], wanted[i]) << name << path;
    }
  }
}

TEST(InclusiveRows, AreNotKnownOfMinima) {
  SampleRun sample;
  EXPECT_FALSE(InclusiveRows(sample.run, sample.run.metrics()[sample.metric("min_time")]).are_known());
}

TEST(KeptLocations, AreTheHeaviestAndTheOutliers) {
  std::vector<double> values(100, 10);
  values[70] = 50;  // the heaviest of the call path; location 0 has more in its parent
  values[30] = 0;
  SampleRun sample(report_of(values));
  // In turn the heaviest and the one farthest from the median: 0 and 0, 70 and 70, 1 and 30.
  const auto kept = choose_locations(sample.run, 4 * 8);
  EXPECT_EQ(kept.size(), 4u);
  EXPECT_TRUE(std::is_sorted(kept.begin(), kept.end()));
  for (const std::uint32_t location : {0u, 30u, 70u})
    EXPECT_TRUE(std::ranges::binary_search(kept, location)) << location;
}

TEST(KeptLocations, AreAllWhereTheyFit) {
  SampleRun sample(report_of({1, 2, 3}));
  EXPECT_EQ(choose_locations(sample.run, 1000), (std::vector<std::uint32_t>{0, 1, 2}));
  EXPECT_EQ(choose_locations(sample.run, 1).size(), 1u);
}

}  // namespace
}  // namespace tarry
