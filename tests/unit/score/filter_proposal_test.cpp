// filter_proposal_test.cpp -- what a filter leaves out: enough, no more, and never MPI.
#include "score/filter_proposal.hpp"

#include <gtest/gtest.h>

#include "score/score_text.hpp"
#include "score/targets.hpp"

namespace tarry {
namespace {

// Regions: main, tiny (many short visits), solve (few long ones), MPI_Send below main. One call path and process each.
struct Sample {
  ReportStructure report;
  ScoreTable table;
  DilationModel model;

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
    table.kinds = {CostKind::kFunction, CostKind::kFunction, CostKind::kFunction, CostKind::kCall};
    table.is_filterable = {true, true, true, false};
    table.costs = {cost(2, 1, 1), cost(2000, 1000, 0.001), cost(20, 10, 8), cost(30, 10, 1)};
    table.buffers = {{10, 9000, 90, 200}, {10, 5000, 90, 200}};
    table.visits = {{1, 600, 5, 5}, {0, 400, 5, 5}};
    table.records = {{0, 0, 0, 5}, {0, 0, 0, 5}};
    table.seconds = {6, 4.001};
    table.threads = {1, 1};
    table.ranks = {0, 1};
    table.total_seconds = 10.001;
    model.facts.is_known = true;
    set_cost(CostKind::kFunction, 1e-3);
    set_cost(CostKind::kBusyFunction, 1e-3);
    set_cost(CostKind::kFiltered, 1e-4);
    set_cost(CostKind::kBusyFiltered, 1e-4);
    set_cost(CostKind::kCall, 2e-3);
    set_cost(CostKind::kRecord, 1e-3);
  }

  void set_cost(CostKind kind, Seconds seconds) { model.costs.seconds[static_cast<std::size_t>(kind)].fill(seconds); }

  static ScoreCost cost(double events, double visits, double seconds) {
    return {events, events * 5, 1, visits, seconds};
  }

  FilterProposal propose(const ScoreOptions& options) const {
    return propose_filter(table, report, Dilation(table, report, model), options);
  }
};

TEST(FilterProposal, LeavesOutWhatCostsMostForItsTime) {
  const Sample sample;
  ScoreOptions options;
  options.max_buffer = 1000;
  EXPECT_EQ(sample.propose(options).is_dropped, (std::vector<bool>{false, true, false, false}));
}

TEST(FilterProposal, LeavesOutNothingWhereTheTargetIsMet) {
  const Sample sample;
  ScoreOptions options;
  options.max_buffer = 100000;
  EXPECT_EQ(sample.propose(options).is_dropped, std::vector<bool>(4, false));
  options.max_buffer = 0;
  options.max_overhead = 0.2;
  EXPECT_EQ(sample.propose(options).is_dropped, std::vector<bool>(4, false));
}

TEST(FilterProposal, NeverLeavesOutMpiEvenIfTheTargetIsMissed) {
  const Sample sample;
  ScoreOptions options;
  options.max_buffer = 1;
  const auto dropped = sample.propose(options).is_dropped;
  EXPECT_FALSE(dropped[3]);
  EXPECT_TRUE(dropped[1]);
  EXPECT_TRUE(dropped[2]);
}

TEST(FilterProposal, ShortVisitsGoInAnyCase) {
  const Sample sample;
  ScoreOptions options;
  options.min_time_per_visit = 1e-3;
  EXPECT_TRUE(sample.propose(options).is_dropped[1]);
  EXPECT_FALSE(sample.propose(options).is_dropped[2]);
}

// Filtered calls of tiny take 60 ms of 5.379 s at run time, which is 1.1 %; the rest, without them, 21 ms.
TEST(FilterProposal, TheCompilerHasToFilterWhereHooksAloneCostTooMuch) {
  const Sample sample;
  ScoreOptions options;
  options.max_overhead = 0.03;
  EXPECT_EQ(sample.propose(options).place, FilterPlace::kRunTime);
  options.max_overhead = 0.005;
  const FilterProposal proposal = sample.propose(options);
  EXPECT_EQ(proposal.place, FilterPlace::kCompileTime);
  EXPECT_EQ(proposal.is_dropped, (std::vector<bool>{false, true, false, false}));
}

// 600 visits of tiny, 6 others, 5 calls of MPI with a record each in the process that records most.
TEST(Dilation, IsOfTheProcessThatRecordsMost) {
  const Sample sample;
  const Dilation dilation(sample.table, sample.report, sample.model);
  const double added = 606 * 1e-3 + 5 * 2e-3 + 5 * 1e-3;
  EXPECT_NEAR(dilation.undilated(), 6 - added, 1e-9);
  EXPECT_FALSE(dilation.is_uncertain());
  const ScoreTotals all = totals_without(sample.table, sample.report, dilation, std::vector<bool>(4));
  EXPECT_NEAR(all.dilation_of(FilterPlace::kRunTime, RecordingMode::kTrace), added / (6 - added), 1e-9);
  const ScoreTotals left = totals_without(sample.table, sample.report, dilation, {false, true, false, false});
  EXPECT_NEAR(left.dilation_of(FilterPlace::kRunTime, RecordingMode::kTrace), (added - 0.6 + 0.06) / (6 - added), 1e-9);
  EXPECT_NEAR(left.dilation_of(FilterPlace::kCompileTime, RecordingMode::kTrace), (added - 0.6) / (6 - added), 1e-9);
}

TEST(Dilation, ATraceAlsoHasToBeWritten) {
  Sample sample;
  sample.set_cost(CostKind::kByte, 0);
  sample.model.costs.seconds[static_cast<std::size_t>(CostKind::kByte)][0] = 1e-5;
  const Dilation dilation(sample.table, sample.report, sample.model);
  EXPECT_NEAR(dilation.recorded(0, 1, RecordingMode::kTrace), 0.6 + 9000 * 1e-5, 1e-9);
  EXPECT_NEAR(dilation.recorded(0, 1, RecordingMode::kSummary), 0.6, 1e-9);
}

TEST(Dilation, CallPathsAndOtherProcessesAreCounted) {
  Sample sample;
  sample.model.facts.lookup_seconds = 0.04;  // of 10 calls
  sample.model.facts.stretch = 2;
  const Dilation dilation(sample.table, sample.report, sample.model);
  EXPECT_NEAR(dilation.recorded(0, 3, RecordingMode::kSummary), 2 * (5 * 2e-3 + 5 * 1e-3) + 5 * 0.004, 1e-9);
}

TEST(Dilation, OfAnUnknownRecordingNothingIsTakenOff) {
  Sample sample;
  sample.model.facts = {};
  EXPECT_DOUBLE_EQ(Dilation(sample.table, sample.report, sample.model).undilated(), 6);
}

// A function that takes less than the costs say: what is left is positive, and known to be uncertain.
TEST(Dilation, TheUndilatedTimeIsNeverNegative) {
  Sample sample;
  sample.set_cost(CostKind::kFunction, 1);
  const Dilation dilation(sample.table, sample.report, sample.model);
  EXPECT_GT(dilation.undilated(), 0);
  EXPECT_TRUE(dilation.is_uncertain());
}

// Hooks cost a function more that works: more of it would have been overlapped.
TEST(Dilation, CostsGoByWhatAFunctionDoes) {
  Sample sample;
  sample.set_cost(CostKind::kFunction, 20e-9);
  sample.set_cost(CostKind::kBusyFunction, 30e-9);
  sample.set_cost(CostKind::kFiltered, 2e-9);
  sample.set_cost(CostKind::kBusyFiltered, 1e-9);
  sample.set_cost(CostKind::kByte, 0);
  sample.table.records = {{0, 0, 0, 0}, {0, 0, 0, 0}};
  const auto cost_if_a_visit_takes = [&](Seconds seconds, bool is_filtered) {
    sample.table.costs[1] = Sample::cost(2000, 1000, 1000 * seconds);
    const Dilation dilation(sample.table, sample.report, sample.model);
    const Seconds all =
        is_filtered ? dilation.filtered(0, 1, FilterPlace::kRunTime) : dilation.recorded(0, 1, RecordingMode::kSummary);
    return 1e9 * all / sample.table.visits[0][1];
  };
  EXPECT_NEAR(cost_if_a_visit_takes(9e-9, false), 20, 1e-6);  // nothing but the hooks that its own time holds
  EXPECT_NEAR(cost_if_a_visit_takes(14e-9, false), 25, 1e-6);
  EXPECT_NEAR(cost_if_a_visit_takes(1e-6, false), 30, 1e-6);
  EXPECT_NEAR(cost_if_a_visit_takes(14e-9, true), 1.5, 1e-6);
  EXPECT_NEAR(cost_if_a_visit_takes(1e-6, true), 1, 1e-6);
}

TEST(FilterProposal, TotalsCountWhatIsLeft) {
  const Sample sample;
  const Dilation dilation(sample.table, sample.report, sample.model);
  const ScoreTotals all = totals_without(sample.table, sample.report, dilation, std::vector<bool>(4));
  EXPECT_DOUBLE_EQ(all.all.events, 2052);
  EXPECT_DOUBLE_EQ(all.largest_buffer, 9300);
  EXPECT_EQ(all.largest_rank, 0);
  const ScoreTotals left = totals_without(sample.table, sample.report, dilation, {false, true, false, false});
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

TEST(FilterProposal, TellsOfRulesThatMatchNothing) {
  const Sample sample;
  const std::string& mpi = sample.report.regions[3].name;
  const auto filter = RegionFilter::parse(
      "test", "SCOREP_REGION_NAMES_BEGIN EXCLUDE * INCLUDE gone_* MANGLED _Z4gone " + mpi + " SCOREP_REGION_NAMES_END");
  ASSERT_TRUE(filter.ok());
  EXPECT_EQ(
      unused_rules_text(filter.value(), sample.table, sample.report),
      "no function of this run matches 'INCLUDE gone_*', 'INCLUDE MANGLED _Z4gone', 'INCLUDE MANGLED " + mpi + "'");
  // A recording leaves calls of MPI out by such a rule.
  ASSERT_TRUE(mpi.starts_with("MPI_"));
  const auto on_mpi =
      RegionFilter::parse("test", "SCOREP_REGION_NAMES_BEGIN EXCLUDE " + mpi + " MPI_Gone SCOREP_REGION_NAMES_END");
  ASSERT_TRUE(on_mpi.ok());
  EXPECT_EQ(unused_rules_text(on_mpi.value(), sample.table, sample.report),
            "no function of this run matches 'EXCLUDE MPI_Gone'");
  std::string many = "SCOREP_REGION_NAMES_BEGIN EXCLUDE *";
  for (int i = 0; i < 13; ++i) many += " gone" + std::to_string(i);
  const auto long_filter = RegionFilter::parse("test", many + " SCOREP_REGION_NAMES_END");
  ASSERT_TRUE(long_filter.ok());
  EXPECT_TRUE(
      unused_rules_text(long_filter.value(), sample.table, sample.report).ends_with("'EXCLUDE gone9' and 3 more"));
  const auto all = RegionFilter::parse("test", "SCOREP_REGION_NAMES_BEGIN EXCLUDE * SCOREP_REGION_NAMES_END");
  EXPECT_EQ(unused_rules_text(all.value(), sample.table, sample.report), "");
}

// What is said of a new filter.
struct Remarks : Sample {
  TargetRemarks of(const ScoreOptions& options) const {
    const Dilation dilation(table, report, model);
    FilterProposal proposal = propose_filter(table, report, dilation, options);
    return target_remarks({table, report, options, model, dilation, proposal.is_dropped, proposal.place, "filter"});
  }
};

TEST(Targets, WhereAllIsWellThereAreNoRules) {
  ScoreOptions options;
  options.max_overhead = 0.2;
  const TargetRemarks remarks = Remarks().of(options);
  ASSERT_EQ(remarks.notes.size(), 2u);
  EXPECT_EQ(remarks.notes[0], "recording everything adds 11.5% (at most 20.0% are allowed): the filter has no rules");
  EXPECT_EQ(remarks.notes[1], "tiny makes 96.8% of the largest buffer: --max-buffer 1k leaves it out");
  EXPECT_TRUE(remarks.failures.empty());
}

TEST(Targets, AFunctionThatForbidsThemIsNamed) {
  ScoreOptions options;
  options.max_buffer = 150;
  const TargetRemarks remarks = Remarks().of(options);
  ASSERT_EQ(remarks.failures.size(), 1u);
  EXPECT_EQ(remarks.failures[0],
            "--max-buffer 150 B cannot be met: MPI_Send takes 200 B of rank 0 (MPI is never filtered); the least is "
            "--max-buffer 1k, or record a part of the run (TARRY_SELECT)");
  options.max_buffer = 0;
  options.max_overhead = 1e-4;
  ASSERT_EQ(Remarks().of(options).failures.size(), 1u);
  EXPECT_EQ(Remarks().of(options).failures[0],
            "--max-overhead <0.1% cannot be met: recording MPI_Send takes 0.3% (MPI is never filtered); 0.3% is what "
            "is left if the filter is used to compile");
}

TEST(Targets, TheCompilerIsNamedWhereItIsNeeded) {
  ScoreOptions options;
  options.max_overhead = 0.005;
  const TargetRemarks remarks = Remarks().of(options);
  ASSERT_EQ(remarks.notes.size(), 1u);
  EXPECT_NE(remarks.notes[0].find("tarry instrument --filter"), std::string::npos);
  EXPECT_TRUE(remarks.failures.empty());
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
