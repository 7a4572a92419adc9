// selection_test.cpp -- windows, phases and metrics: what the user's words mean, and what then counts.
#include "analysis/selection.hpp"

#include <gtest/gtest.h>

#include "analysis_of.hpp"
#include "golden_traces.hpp"

namespace tarry {
namespace {

using enum Metric;
using Range = TimeRanges::Range;

TimeSelector window(Ticks begin, Ticks end) {
  return [=](std::span<const LocationId> locations) {
    return std::vector<TimeRanges>(locations.size(), TimeRanges({{begin, end}}));
  };
}

std::vector<TimeRanges> phases(SyntheticTrace& trace, const std::string& name, TimeWindow window = {}) {
  const auto selection = TimeSelection::create(trace, window, name);
  EXPECT_TRUE(selection.ok());
  std::vector<LocationId> locations;
  for (std::uint32_t i = 0; i < trace.definitions().locations.size(); ++i) locations.push_back(LocationId(i));
  return selection.value().of_process(locations);
}

TEST(Window, ParsesSeconds) {
  EXPECT_EQ(TimeWindow::parse("2:5.5").value().begin, 2);
  EXPECT_EQ(TimeWindow::parse("2:5.5").value().end, 5.5);
  EXPECT_EQ(TimeWindow::parse(":5").value().begin, 0);
  EXPECT_EQ(TimeWindow::parse("5:").value().end, std::numeric_limits<double>::infinity());
  for (const char* wrong : {"", "5", "5:2", "2:2", "a:", ":b", "-1:2", "1:2:3", "nan:", ":inf"})
    EXPECT_FALSE(TimeWindow::parse(wrong).ok()) << wrong;
}

// Rank 1 waits from 200 to 500 for rank 0, which computes from 100 to 500. Rank 2 waits from 200 to 520 for rank 1.
TEST(Window, CutsTimesWaitsAndCosts) {
  SyntheticTrace trace(3);
  add_chain(trace);
  AnalysisOf found(trace, AnalysisOptions{.instances = 2}, 1, window(300, 505));
  EXPECT_EQ(found.value(kTime, "main/c", 0), 200);
  EXPECT_EQ(found.value(kTime, "main/MPI_Send", 0), 5);
  EXPECT_EQ(found.value(kTime, "main/c", 1), 0);
  EXPECT_EQ(found.value(kLateSender, "main/MPI_Recv", 1), 200);
  EXPECT_EQ(found.value(kLateSender, "main/MPI_Recv", 2), 205);
  EXPECT_NEAR(found.total(kDelay), 405, 1e-9);
  EXPECT_NEAR(found.value(kDelayLateSender, "main/c", 0), 200, 1e-9);
  EXPECT_NEAR(found.total(kWaitsDirectOrIndirect), 405, 1e-9);
  EXPECT_EQ(found.total(kCriticalPath), 205);
  EXPECT_EQ(found.value(kCriticalPath, "main/c", 0), 200);
  const WaitInstance& worst = found.result().instances.at(kLateSender).worst[0];
  EXPECT_EQ(worst.wait, 205);
  EXPECT_EQ(worst.world_rank, WorldRank(2));
}

TEST(Window, CountsWhatHappensInIt) {
  SyntheticTrace trace(3);
  add_chain(trace);
  AnalysisOf before(trace, AnalysisOptions(), 1, window(0, 300));
  AnalysisOf after(trace, AnalysisOptions(), 1, window(300, 1000));
  EXPECT_EQ(before.value(kVisits, "main/MPI_Recv", 1), 1);
  EXPECT_EQ(after.value(kVisits, "main/MPI_Recv", 1), 0);
  EXPECT_EQ(before.total(kLateSenderComms), 2);  // where the wait begins
  EXPECT_EQ(after.total(kLateSenderComms), 0);
  EXPECT_EQ(before.total(kCommsSend), 0);
  EXPECT_EQ(after.total(kCommsSend), 2);
  EXPECT_EQ(after.total(kBytesReceived), 16);
}

// A collective's waiting begins with its BEGIN record, and its completion ends with its END.
TEST(Window, CutsCollectives) {
  SyntheticTrace trace(2);
  for (std::uint32_t r = 0; r < 2; ++r) {
    const Ticks begin = r == 0 ? 12 : 20;
    trace.on(r).enter(0, "main").enter(10, "MPI_Barrier").begin(begin);
    trace.on(r).end(r == 0 ? 24 : 30, CollectiveOp::kBarrier, {.sent = 0, .received = 0}).leave(30).leave(40);
  }
  AnalysisOf found(trace, AnalysisOptions(), 1, window(15, 28));
  EXPECT_EQ(found.value(kBarrierWait, "main/MPI_Barrier", 0), 5);
  EXPECT_EQ(found.value(kBarrierCompletion, "main/MPI_Barrier", 1), 4);
  EXPECT_NEAR(found.total(kDelayBarrier) + found.total(kDelayBarrierLongTerm), 5, 1e-9);
  EXPECT_EQ(found.total(kSyncsCollective), 1);
}

TEST(Phase, IsFromTheFirstEnterToTheLastLeave) {
  SyntheticTrace trace(1);
  trace.on(0).enter(0, "main").enter(1, "solve").visit(2, 3, "f").enter(4, "solve").leave(5).leave(6).leave(7);
  trace.on(0).enter(8, "main").enter(9, "solve_2");
  EXPECT_EQ(phases(trace, "solve")[0].all(), (std::vector<Range>{{1, 6}}));
  EXPECT_EQ(phases(trace, "solve*")[0].all(), (std::vector<Range>{{1, 6}, {9, std::numeric_limits<Ticks>::max()}}));
  EXPECT_EQ(phases(trace, "solve", {2, 3})[0].all(), (std::vector<Range>{{2, 3}}));
  EXPECT_FALSE(TimeSelection::create(trace, {}, "sovle").ok());
  EXPECT_NE(TimeSelection::create(trace, {}, "sovle").error().hint.find("'solve'"), std::string::npos);
}

// In archives of ours, a Leave does not name its region.
TEST(Phase, EndsWithALeaveThatNamesNothing) {
  SyntheticTrace trace(1);
  trace.on(0).enter(0, "main").enter(1, "solve").visit(2, 3, "f").leave(6).visit(7, 8, "g").leave(9);
  for (Event& event : trace.on(0).events())
    if (event.kind == EventKind::kLeave) set_record(event, record::Leave{});
  EXPECT_EQ(phases(trace, "solve")[0].all(), (std::vector<Range>{{1, 6}}));
}

TEST(Phase, OfTheMasterIsThatOfItsWorkers) {
  SyntheticTrace trace(1, 3);
  add_team_of_three(trace);
  const auto all = phases(trace, "v");
  EXPECT_TRUE(all[0].all().empty());
  EXPECT_EQ(all[2].all(), (std::vector<Range>{{250, 490}}));
  EXPECT_EQ(phases(trace, "main")[1].all(), (std::vector<Range>{{0, 1000}}));
}

TEST(Phase, WithoutPhaseAndWindowEverythingCounts) {
  SyntheticTrace trace(1);
  EXPECT_FALSE(TimeSelection::create(trace, {}, "").value().is_partial());
  EXPECT_TRUE(TimeSelection::create(trace, {.begin = 1}, "").value().is_partial());
}

// Three windows over a run with threads add up to the whole.
TEST(Window, PartsAddUp) {
  const auto totals = [](const TimeSelector& selector) {
    SyntheticTrace trace(2, 2);
    add_hybrid(trace);
    AnalysisOf found(trace, AnalysisOptions(), 1, selector);
    std::vector<double> sums;
    for (const Metric metric : {kTime, kVisits, kIdleThreads, kOmpManagement, kBarrierWait, kOmpImplicitBarrierWait,
                                kDelay, kDelayIdleThreads, kCriticalPath})
      sums.push_back(found.total(metric));
    return sums;
  };
  const std::vector<double> whole = totals({});
  std::vector<double> sums(whole.size());
  for (const auto& [begin, end] : {std::pair<Ticks, Ticks>{0, 200}, {200, 405}, {405, 711}, {711, 2000}}) {
    const std::vector<double> part = totals(window(begin, end));
    for (std::size_t i = 0; i < sums.size(); ++i) sums[i] += part[i];
  }
  for (std::size_t i = 0; i < sums.size(); ++i) EXPECT_NEAR(sums[i], whole[i], 1e-9 * whole[i]) << i;
}

TEST(Metrics, WantedOnesBringTheirParents) {
  const auto metrics = MetricSelection::parse("mpi_latesender,delay_*");
  ASSERT_TRUE(metrics.ok());
  for (const Metric metric : {kLateSender, kMpiPointToPoint, kMpi, kTime, kDelay, kDelayBarrier})
    EXPECT_TRUE(metrics.value().is_wanted(metric)) << info_of(metric).unique_name;
  for (const Metric metric : {kLateReceiver, kLateSenderWrongOrder, kVisits, kCriticalPath})
    EXPECT_FALSE(metrics.value().is_wanted(metric)) << info_of(metric).unique_name;
  EXPECT_TRUE(MetricSelection().is_wanted(kCriticalPath));
}

TEST(Metrics, UnknownOnesAreRefusedWithTheNearest) {
  const auto wrong = MetricSelection::parse("time,mpi_latesendr");
  ASSERT_FALSE(wrong.ok());
  EXPECT_NE(wrong.error().text().find("mpi_latesender"), std::string::npos);
  EXPECT_FALSE(MetricSelection::parse("").ok());
  EXPECT_FALSE(MetricSelection::parse("time,").ok());
}

// Every metric alone has the value that it has among all.
TEST(Metrics, AloneAreTheSameAsAmongAll) {
  SyntheticTrace trace(2, 2);
  add_hybrid(trace);
  AnalysisOf whole(trace);
  for (const Metric metric : catalogue()) {
    const MetricInfo& info = info_of(metric);
    AnalysisOf alone(trace, AnalysisOptions{.metrics = MetricSelection::parse(info.unique_name).value()});
    EXPECT_EQ(alone.total(info.metric), whole.total(info.metric)) << info.unique_name;
    if (info.metric != kVisits) {
      EXPECT_EQ(alone.total(kVisits), 0);
    }
  }
}

}  // namespace
}  // namespace tarry
