// idle_threads_test.cpp -- worker threads that have nothing to do; the full team is in analysis_test.cpp.
#include <gtest/gtest.h>

#include "analysis_of.hpp"
#include "golden_traces.hpp"

namespace tarry {
namespace {

using enum Metric;

// Thread 2 is not in the team.
TEST(IdleThreads, WhoIsNotInTheTeamMissesTheRegion) {
  SyntheticTrace trace(1, 3);
  trace.on(0, 0).enter(0, "main").fork(10, 2).team_begin(10);
  trace.on(0, 0).enter(12, kParallel).visit(13, 28, "w").leave(30).team_end(30);
  trace.on(0, 0).join(31).leave(50);
  trace.on(0, 1).team_begin(11).enter(14, kParallel).leave(30);
  trace.on(0, 1).team_end(30);
  AnalysisOf found(trace);
  const std::string parallel = std::string("main/") + kParallel;
  EXPECT_EQ(found.value(kLimitedParallelism, parallel, 0, 2), 21);  // from fork to join
  EXPECT_EQ(found.total(kLimitedParallelism), 21);
  EXPECT_EQ(found.value(kIdleThreads, parallel, 0, 2), 21);
  EXPECT_EQ(found.value(kIdleThreads, "main", 0, 1), 29);
  EXPECT_EQ(found.value(kIdleThreads, "main", 0, 2), 29);
  EXPECT_EQ(found.total(kTime), 3 * 50);
}

TEST(IdleThreads, ThreadsThatNeverWereInATeamAreNotIdle) {
  SyntheticTrace trace(1, 2);
  trace.on(0, 0).enter(0, "main").leave(50);
  trace.on(0, 1).enter(5, "thread").leave(15);
  AnalysisOf found(trace);
  EXPECT_EQ(found.total(kIdleThreads), 0);
  EXPECT_EQ(found.total(kTime), 60);
}

}  // namespace
}  // namespace tarry
