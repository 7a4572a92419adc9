// filter_proposal_test.cpp -- what a filter leaves out: enough, no more, and never MPI.
#include "tools/score/filter_proposal.hpp"

#include <gtest/gtest.h>

#include "tools/score/score_text.hpp"

namespace tarry {
namespace {

// Regions: main, tiny (many short visits), solve (few long ones), MPI_Send below main. One call path and process each.
struct Sample {
  ReportStructure report;
  ScoreTable table;

  Sample() {
    const char* names[] = {"main", "tiny", "solve", "MPI_Send"};
    for (std::uint32_t i = 0; i < 4; ++i) {
      ReportRegion region;
      region.name = region.mangled_name = names[i];
      report.regions.push_back(region);
      ReportCallPath path;
      path.region = i;
      if (i > 0) path.parent = CallPathId(0);
      report.call_paths.push_back(path);
    }
    report.processes.resize(2);
    table.classes = {RegionGroup::kCom, RegionGroup::kUser, RegionGroup::kUser, RegionGroup::kMpi};
    table.is_filterable = {true, true, true, false};
    table.costs = {cost(2, 1, 1), cost(2000, 1000, 0.001), cost(20, 10, 8), cost(30, 10, 1)};
    table.buffers = {{10, 9000, 90, 200}, {10, 5000, 90, 200}};
    table.threads = {1, 1};
    table.ranks = {0, 1};
    table.total_seconds = 10.001;
  }

  static ScoreCost cost(double events, double visits, double seconds) {
    return {events, events * 5, 1, visits, seconds};
  }
};

TEST(FilterProposal, LeavesOutWhatCostsMostForItsTime) {
  const Sample sample;
  ScoreOptions options;
  options.max_buffer = 1000;
  EXPECT_EQ(propose_filter(sample.table, sample.report, options), (std::vector<bool>{false, true, false, false}));
}

TEST(FilterProposal, LeavesOutNothingWhereTheTargetIsMet) {
  const Sample sample;
  ScoreOptions options;
  options.max_buffer = 100000;
  EXPECT_EQ(propose_filter(sample.table, sample.report, options), std::vector<bool>(4, false));
}

TEST(FilterProposal, NeverLeavesOutMpiEvenIfTheTargetIsMissed) {
  const Sample sample;
  ScoreOptions options;
  options.max_buffer = 1;
  const auto dropped = propose_filter(sample.table, sample.report, options);
  EXPECT_FALSE(dropped[3]);
  EXPECT_TRUE(dropped[1]);
  EXPECT_TRUE(dropped[2]);
}

TEST(FilterProposal, ShortVisitsGoInAnyCase) {
  const Sample sample;
  ScoreOptions options;
  options.min_time_per_visit = 1e-3;
  EXPECT_TRUE(propose_filter(sample.table, sample.report, options)[1]);
  EXPECT_FALSE(propose_filter(sample.table, sample.report, options)[2]);
}

TEST(FilterProposal, TotalsCountWhatIsLeft) {
  const Sample sample;
  const ScoreTotals all = totals_without(sample.table, sample.report, std::vector<bool>(4), 1e-3);
  EXPECT_DOUBLE_EQ(all.all.events, 2052);
  EXPECT_DOUBLE_EQ(all.largest_buffer, 9300);
  EXPECT_EQ(all.largest_rank, 0);
  EXPECT_DOUBLE_EQ(all.overhead, 2.052 / 10.001);
  const ScoreTotals left = totals_without(sample.table, sample.report, {false, true, false, false}, 1e-3);
  EXPECT_DOUBLE_EQ(left.all.events, 52);
  EXPECT_DOUBLE_EQ(left.largest_buffer, 300);
}

TEST(FilterProposal, TheFilterItWritesLeavesOutTheSame) {
  Sample sample;
  sample.report.regions[1].name = sample.report.regions[1].mangled_name = "odd *name [x] # y";
  const std::vector<bool> dropped = {false, true, false, false};
  const auto filter = RegionFilter::parse("test", filter_text(sample.report, dropped, "# a remark\n"));
  ASSERT_TRUE(filter.ok());
  EXPECT_EQ(apply_filter(filter.value(), sample.table, sample.report), dropped);
}

TEST(FilterProposal, AFilterCannotLeaveOutMpi) {
  const Sample sample;
  const auto filter = RegionFilter::parse("test", "SCOREP_REGION_NAMES_BEGIN EXCLUDE * SCOREP_REGION_NAMES_END");
  ASSERT_TRUE(filter.ok());
  EXPECT_EQ(apply_filter(filter.value(), sample.table, sample.report), (std::vector<bool>{true, true, true, false}));
}

TEST(ScoreText, SizesHaveThreeDigits) {
  EXPECT_EQ(format_size(0), "0 B");
  EXPECT_EQ(format_size(1023), "1023 B");
  EXPECT_EQ(format_size(1024), "1.00 kB");
  EXPECT_EQ(format_size(10.5 * 1048576), "10.5 MB");
  EXPECT_EQ(format_size(1023.9 * 1048576), "1.00 GB");
}

}  // namespace
}  // namespace tarry
