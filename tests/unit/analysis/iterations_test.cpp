// iterations_test.cpp -- values by iteration: constructed traces with known times, waits and costs in each.
#include <gtest/gtest.h>

#include "analysis_of.hpp"

namespace tarry {
namespace {

using enum Metric;

// The analysis of a trace with a time series of a region.
class SeriesOf {
 public:
  SeriesOf(SyntheticTrace& trace, const std::string& region, unsigned workers = 1)
      : marks_(std::move(*IterationMarks::find(trace.definitions(), region))),
        found_(trace, AnalysisOptions{.iterations = &marks_}, workers) {}

  std::size_t size() const { return found_.result().iterations.rows.size(); }
  const IterationRange& range(std::size_t slot) const { return found_.result().iterations.rows[slot]; }
  double value(Metric metric, std::size_t slot, std::size_t column) const {
    const double* row = found_.results().iterations.find(metric, static_cast<PathIndex>(slot));
    return row ? row[column] : 0;
  }
  double total(Metric metric) const {
    double sum = 0;
    for (std::size_t slot = 0; slot < size(); ++slot)
      for (std::size_t column = 0; column < found_.results().threads.size(); ++column)
        sum += value(metric, slot, column);
    return sum;
  }
  AnalysisOf& found() { return found_; }

 private:
  IterationMarks marks_;
  AnalysisOf found_;
};

// In each of three iterations rank 0 computes 10, 50, 20 and sends; rank 1 computes 5 and receives.
void add_loop(SyntheticTrace& trace) {
  trace.on(0).enter(0, "main");
  trace.on(1).enter(0, "main");
  Ticks now = 0;
  for (const Ticks work : {10, 50, 20}) {
    trace.on(0).enter(now, "it").visit(now, now + work, "c").enter(now + work, "MPI_Send").send(now + work, 1);
    trace.on(0).leave(now + work + 1).leave(now + work + 1);
    trace.on(1).enter(now, "it").visit(now, now + 5, "c").enter(now + 5, "MPI_Recv").recv(now + work + 1, 0);
    trace.on(1).leave(now + work + 1).leave(now + work + 1);
    now += work + 1;
  }
  trace.on(0).leave(now + 100);
  trace.on(1).leave(now + 100);
}

TEST(Iterations, TimesWaitsCountsAndCosts) {
  SyntheticTrace trace(2);
  add_loop(trace);
  SeriesOf series(trace, "it");
  ASSERT_EQ(series.size(), 3u);
  const double work[] = {10, 50, 20};
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(series.range(i), (IterationRange{static_cast<std::int64_t>(i), static_cast<std::int64_t>(i), 1}));
    for (std::size_t rank = 0; rank < 2; ++rank) EXPECT_EQ(series.value(kTime, i, rank), work[i] + 1);
    EXPECT_EQ(series.value(kComputation, i, 0), work[i]);
    EXPECT_EQ(series.value(kComputation, i, 1), 5);
    EXPECT_EQ(series.value(kLateSender, i, 1), work[i] - 5);
    EXPECT_EQ(series.value(kLateSender, i, 0), 0);
    EXPECT_EQ(series.value(kVisits, i, 0), 3);
    EXPECT_EQ(series.value(kCommsSend, i, 0), 1);
    EXPECT_EQ(series.value(kComms, i, 1), 1);
    EXPECT_NEAR(series.value(kDelayLateSender, i, 0), work[i] - 5, 1e-9);
    EXPECT_NEAR(series.value(kDelay, i, 0), work[i] - 5, 1e-9);
    EXPECT_EQ(series.value(kTerminalLateSender, i, 1), work[i] - 5);
  }
  EXPECT_EQ(series.value(kImbalance, 1, 0), 0);  // does not add up, and is left out
}

TEST(Iterations, TheReportIsTheSameAsWithout) {
  SyntheticTrace trace(2);
  add_loop(trace);
  SeriesOf series(trace, "it");
  AnalysisOf plain(trace, AnalysisOptions{});
  std::vector<double> with, without;
  series.found().for_each_value([&](Metric, PathIndex, const AnalysedThread&, double value) { with.push_back(value); });
  plain.for_each_value([&](Metric, PathIndex, const AnalysedThread&, double value) { without.push_back(value); });
  EXPECT_EQ(with, without);
}

// Rank 1 last met rank 0 before the loop. Since then rank 0 has computed 30 in iteration 0, 10 in 1; rank 1 has
// computed 20. The cost of its wait is divided as 3 to 1.
TEST(Iterations, ACostIsDividedAmongTheIterationsOfTheDelay) {
  SyntheticTrace trace(2);
  for (const std::uint32_t rank : {0u, 1u}) trace.on(rank).enter(0, "main").collective(0, 1, CollectiveOp::kBarrier);
  trace.on(0).enter(1, "it").visit(1, 31, "c").leave(31).enter(31, "it").visit(31, 41, "c");
  trace.on(0).enter(41, "MPI_Send").send(41, 1).leave(42).leave(42).leave(50);
  trace.on(1).enter(1, "it").visit(1, 21, "c").leave(21).enter(21, "it").enter(21, "MPI_Recv").recv(42, 0);
  trace.on(1).leave(42).leave(42).leave(50);
  SeriesOf series(trace, "it");
  EXPECT_EQ(series.value(kLateSender, 0, 1), 0);
  EXPECT_EQ(series.value(kLateSender, 1, 1), 20);
  EXPECT_NEAR(series.value(kDelayLateSender, 0, 0), 15, 1e-9);
  EXPECT_NEAR(series.value(kDelayLateSender, 1, 0), 5, 1e-9);
}

TEST(Iterations, WhatAnIterationCallsAgainIsAPartOfIt) {
  SyntheticTrace trace(1);
  trace.on(0).enter(0, "main").enter(1, "f").enter(2, "g").visit(3, 5, "f").leave(6).leave(8).visit(8, 9, "f").leave(
      10);
  SeriesOf series(trace, "f");
  ASSERT_EQ(series.size(), 2u);
  EXPECT_EQ(series.value(kTime, 0, 0), 7);
  EXPECT_EQ(series.value(kVisits, 0, 0), 3);
  EXPECT_EQ(series.value(kTime, 1, 0), 1);
}

TEST(Iterations, NumbersOfAMarkedLoop) {
  SyntheticTrace trace(2);
  for (const char* name : {"step=4", "step=2", "step=..."})
    trace.define_region(name, Paradigm::kUser, RegionRole::kDynamicPhase);
  trace.on(0).enter(0, "main").visit(0, 1, "step=2").visit(1, 3, "step=4").visit(3, 6, "step=...");
  trace.on(0).visit(6, 10, "step=...").leave(20);
  trace.on(1).enter(0, "main").visit(0, 7, "step=4").visit(7, 8, "step=...").leave(20);
  SeriesOf series(trace, "step");
  ASSERT_EQ(series.size(), 4u);
  const std::int64_t numbers[] = {2, 4, 5, 6};
  const double times[][2] = {{1, 0}, {2, 7}, {3, 1}, {4, 0}};
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_EQ(series.range(i), (IterationRange{numbers[i], numbers[i], 1}));
    for (std::size_t rank = 0; rank < 2; ++rank) EXPECT_EQ(series.value(kTime, i, rank), times[i][rank]);
  }
}

// 10,000 visits on one rank and 5,000 on the other: four in each row, as there may be 4096 of these.
TEST(Iterations, ManyShareARow) {
  SyntheticTrace trace(2);
  for (const Ticks rank : {0, 1}) {
    SyntheticStream& stream = trace.on(static_cast<std::uint32_t>(rank)).enter(0, "main");
    for (Ticks i = 0; i < 10000 / (1 + rank); ++i)
      stream.enter(10 * i, "it").visit(10 * i + 1, 10 * i + 3, "f").leave(10 * i + 5);
    stream.leave(200000);
  }
  for (const unsigned workers : {1u, 2u}) {
    SeriesOf series(trace, "it", workers);
    ASSERT_EQ(series.size(), 2500u);
    EXPECT_EQ(series.range(2499), (IterationRange{9996, 9999, 4}));
    for (const std::size_t slot : {0u, 1249u, 2048u, 2499u}) {
      EXPECT_EQ(series.value(kTime, slot, 0), 20) << slot;
      EXPECT_EQ(series.value(kTime, slot, 1), slot < 1250 ? 20 : 0) << slot;
      EXPECT_EQ(series.value(kVisits, slot, 0), 8) << slot;
    }
    EXPECT_EQ(series.total(kTime), 75000);
    EXPECT_LT(series.found().trace().ranks()[0].tree.size(), 3 * 8192u);
  }
}

TEST(Iterations, ThreadsWorkInTheIterationThatHasForkedThem) {
  SyntheticTrace trace(1, 2);
  trace.on(0).enter(0, "main");
  for (const Ticks begin : {10, 50}) {
    const std::uint64_t team = 0;
    trace.on(0).enter(begin, "it").fork(begin, 2).team_begin(begin, team);
    trace.on(0).visit(begin, begin + 20, "!$omp parallel").team_end(begin + 20, team);
    trace.on(0).join(begin + 20).leave(begin + 25);
    trace.on(0, 1).team_begin(begin, team).enter(begin, "!$omp parallel");
    trace.on(0, 1).visit(begin, begin + 15, "f").leave(begin + 20).team_end(begin + 20, team);
  }
  trace.on(0).leave(100);
  SeriesOf series(trace, "it");
  ASSERT_EQ(series.size(), 2u);
  for (std::size_t i = 0; i < 2; ++i) {
    EXPECT_EQ(series.value(kExecution, i, 1), 20) << i;
    EXPECT_EQ(series.value(kTime, i, 1), 25) << i;  // idle for 5
    EXPECT_EQ(series.value(kIdleThreads, i, 1), 5) << i;
  }
}

}  // namespace
}  // namespace tarry
