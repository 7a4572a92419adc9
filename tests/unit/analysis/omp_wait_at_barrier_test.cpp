// omp_wait_at_barrier_test.cpp -- waiting in OpenMP barriers; the plain cases are in analysis_test.cpp.
#include <gtest/gtest.h>

#include "analysis_of.hpp"
#include "golden_traces.hpp"

namespace tarry {
namespace {

using enum Metric;

// Two barriers of one parallel region at one call path, which the threads enter in different order.
TEST(OmpWaitAtBarrier, TheKthBarrierOfARegionIsTheSameForAll) {
  SyntheticTrace trace(1, 2);
  trace.on(0, 0).enter(0, "main").fork(0, 2).team_begin(0);
  trace.on(0, 0).enter(0, kParallel).visit(2, 6, kBarrier).visit(14, 15, kBarrier).leave(20);
  trace.on(0, 0).team_end(20).join(20).leave(30);
  trace.on(0, 1).team_begin(1).enter(1, kParallel).visit(5, 6, kBarrier).visit(7, 15, kBarrier);
  trace.on(0, 1).leave(20).team_end(20);
  AnalysisOf found(trace);
  const std::string path = std::string("main/") + kParallel + "/" + kBarrier;
  EXPECT_EQ(found.value(kOmpExplicitBarrierWait, path, 0, 0), 3);
  EXPECT_EQ(found.value(kOmpExplicitBarrierWait, path, 0, 1), 7);
}

// Thread 0 is in a barrier from 2 on and executes two tasks there, until 14; thread 1 comes at `enter`.
void record_tasks(SyntheticTrace& trace, Ticks enter) {
  trace.on(0, 0).enter(0, "main").fork(0, 2).team_begin(0);
  trace.on(0, 0).enter(0, kParallel).enter(2, kBarrier).visit(3, 5, "task").visit(8, 14, "task").leave(19).leave(20);
  trace.on(0, 0).team_end(20).join(20).leave(30);
  trace.on(0, 1).team_begin(0).enter(0, kParallel).visit(enter, 19, kBarrier).leave(20);
  trace.on(0, 1).team_end(20);
}

TEST(OmpWaitAtBarrier, NobodyWaitsInATask) {
  SyntheticTrace trace(1, 2);
  record_tasks(trace, 17);
  const std::string path = std::string("main/") + kParallel + "/" + kBarrier;
  AnalysisOf found(trace);
  EXPECT_EQ(found.value(kOmpExplicitBarrierWait, path, 0, 0), 17 - 2 - (2 + 6));
  EXPECT_EQ(found.value(kOmpExplicitBarrierWait, path, 0, 1), 0);
  EXPECT_EQ(found.total(kCriticalPath), 30);
  AnalysisOf compatible(trace, CompatibilitySwitches{.waits_while_working = true});
  EXPECT_EQ(compatible.value(kOmpExplicitBarrierWait, path, 0, 0), 17 - 2);
}

TEST(OmpWaitAtBarrier, OthersWaitForTheLastTask) {
  SyntheticTrace trace(1, 2);
  record_tasks(trace, 10);
  const std::string path = std::string("main/") + kParallel + "/" + kBarrier;
  AnalysisOf found(trace);
  EXPECT_EQ(found.value(kOmpExplicitBarrierWait, path, 0, 0), 0);
  EXPECT_EQ(found.value(kOmpExplicitBarrierWait, path, 0, 1), 14 - 10);
  EXPECT_EQ(found.value(kCriticalPath, path + "/task", 0, 0), 2 + 6);
  EXPECT_EQ(found.total(kCriticalPath), 30);
  AnalysisOf compatible(trace, CompatibilitySwitches{.waits_while_working = true});
  EXPECT_EQ(compatible.value(kOmpExplicitBarrierWait, path, 0, 0), 10 - 2);
}

TEST(OmpWaitAtBarrier, OutsideParallelRegionsNobodyWaits) {
  SyntheticTrace trace(1, 2);
  trace.on(0, 0).enter(0, "main").visit(1, 5, kBarrier).leave(9);
  AnalysisOf found(trace);
  EXPECT_EQ(found.total(kOmpExplicitBarrierWait), 0);
  EXPECT_EQ(found.total(kOmpExplicitBarrier), 4);
}

}  // namespace
}  // namespace tarry
