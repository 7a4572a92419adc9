// mutated_traces_test.cpp -- damaged traces: whatever is dropped, doubled, swapped or garbled, a report is made.
#include <gtest/gtest.h>

#include <cmath>

#include "tests/unit/analysis/analysis_of.hpp"
#include "tests/unit/analysis/golden_traces.hpp"
#include "mutated_trace.hpp"
#include "analysis/writing/write_report.hpp"

namespace tarry {
namespace {

void check(SyntheticTrace& trace, std::uint32_t seed) {
  AnalysisOf found(trace, seed % 2 ? Compatibility::none() : Compatibility::reference(), 1 + seed % 2);
  found.for_each_value([&](Metric metric, PathIndex, const AnalysedThread&, double value) {
    EXPECT_TRUE(std::isfinite(value)) << seed << ' ' << info_of(metric).unique_name;
  });
  const Report report = make_report(found.trace().definitions(), found.trace().regions(), found.take_result(),
                                    trace.faults().summary(), 2);
  EXPECT_EQ(report.structure.locations.size(), trace.definitions().locations.size());
}

void check_many(void (*write)(SyntheticTrace&), std::uint32_t ranks, std::uint32_t threads, std::uint32_t seeds) {
  for (std::uint32_t seed = 0; seed < seeds; ++seed) {
    SyntheticTrace trace(ranks, threads);
    write(trace);
    Mutator mutator(trace, seed);
    for (std::size_t n = mutator.pick(4); n < 4; ++n) mutator.mutate();
    check(trace, seed);
  }
}

TEST(MutatedTraces, OfMessagesAndCollectives) { check_many(add_mixture, 3, 1, 1000); }
TEST(MutatedTraces, OfWindows) { check_many(add_windows, 3, 1, 1000); }
TEST(MutatedTraces, OfAChain) { check_many(add_chain, 3, 1, 300); }
TEST(MutatedTraces, OfATeam) { check_many(add_team_of_three, 1, 3, 500); }
TEST(MutatedTraces, OfThreadsAndMessages) { check_many(add_hybrid, 2, 2, 500); }
TEST(MutatedTraces, OfSpawnedProcesses) { check_many(add_worlds, 3, 1, 1000); }
TEST(MutatedTraces, OfThreadsAndLocks) { check_many(add_locks, 1, 3, 1000); }

// Without damage the mixture has none: what the mutations are mutations of is sound.
TEST(MutatedTraces, TheMixtureItselfIsSound) {
  SyntheticTrace trace(3);
  add_mixture(trace);
  AnalysisOf found(trace);
  EXPECT_EQ(trace.faults().summary(), "");
  EXPECT_GT(found.total(Metric::kLateSender), 0);
}

TEST(MutatedTraces, TheLocksThemselvesAreSound) {
  SyntheticTrace trace(1, 3);
  add_locks(trace);
  AnalysisOf found(trace);
  EXPECT_EQ(trace.faults().summary(), "");
  for (const Metric metric : {Metric::kOmpLockContentionCritical, Metric::kPthreadLockContentionMutex,
                              Metric::kPthreadLockContentionCondition, Metric::kDelayThreadLockLongTerm})
    EXPECT_GT(found.total(metric), 0) << info_of(metric).unique_name;
  EXPECT_EQ(found.total(Metric::kCriticalPath), 100);
}

TEST(MutatedTraces, TheWorldsThemselvesAreSound) {
  SyntheticTrace trace(3);
  add_worlds(trace);
  AnalysisOf found(trace);
  EXPECT_EQ(trace.faults().summary(), "");
  EXPECT_GT(found.total(Metric::kLateSender), 0);
  EXPECT_EQ(found.total(Metric::kCriticalPath), 72 - 1);
}

TEST(MutatedTraces, TheWindowsThemselvesAreSound) {
  SyntheticTrace trace(3);
  add_windows(trace);
  AnalysisOf found(trace);
  EXPECT_EQ(trace.faults().summary(), "");
  for (const Metric metric : {Metric::kRmaWaitAtFence, Metric::kRmaSyncLatePost, Metric::kRmaEarlyWait,
                              Metric::kRmaSyncLockContention, Metric::kRmaSyncProgress})
    EXPECT_GT(found.total(metric), 0) << info_of(metric).unique_name;
}

}  // namespace
}  // namespace tarry
