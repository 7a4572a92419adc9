// nested_teams_test.cpp -- delays of threads that fork teams of their own within a parallel region.
#include <gtest/gtest.h>

#include "analysis_of.hpp"
#include "golden_traces.hpp"

namespace tarry {
namespace {

using enum Metric;

constexpr const char* kInner = "!$omp parallel @a.c:2";

// Thread 0 waits for thread 1 in a barrier of their team from 10 to 44. Thread 1 forks a team with thread 2, and waits
// for it from 12 to 40.
void add_nested_team(SyntheticTrace& trace) {
  trace.on(0, 0).enter(0, "main").fork(0, 2).team_begin(0, 1).enter(0, kParallel);
  trace.on(0, 0).visit(10, 44, kBarrier).leave(50).team_end(50, 1).join(50).leave(60);
  trace.on(0, 1).team_begin(0, 1).enter(0, kParallel).fork(2, 2);
  trace.on(0, 1).team_begin(2, 2).enter(2, kInner).visit(2, 12, "short").visit(12, 40, kBarrier);
  trace.on(0, 1).leave(42).team_end(42, 2).join(42).visit(44, 44, kBarrier).leave(50);
  trace.on(0, 1).team_end(50, 1);
  trace.on(0, 2).team_begin(2, 2).enter(2, kInner).visit(2, 40, "long").visit(40, 40, kBarrier).leave(42);
  trace.on(0, 2).team_end(42, 2);
}

TEST(NestedTeams, WhoWaitsForATeamPassesItsCostsOn) {
  SyntheticTrace trace(1, 3);
  add_nested_team(trace);
  AnalysisOf found(trace);
  const std::string outer = std::string("main/") + kParallel, inner = outer + "/" + kInner;
  EXPECT_EQ(found.faults(), 0u);
  EXPECT_EQ(found.value(kOmpExplicitBarrierWait, outer + "/" + kBarrier, 0, 0), 34);
  EXPECT_EQ(found.value(kOmpExplicitBarrierWait, inner + "/" + kBarrier, 0, 1), 28);
  // Thread 1 did 10 in short() and 2 in the inner region, and waited for 28 since the fork: these 40 cost thread 0 34.
  const double cost = 34.0 / 40;
  EXPECT_DOUBLE_EQ(found.value(kDelayThreadBarrier, inner + "/short", 0, 1), 10 * cost);
  EXPECT_DOUBLE_EQ(found.value(kDelayThreadBarrier, inner, 0, 1), 2 * cost);
  EXPECT_DOUBLE_EQ(found.value(kDelayThreadBarrier, inner + "/long", 0, 2), 28);
  EXPECT_DOUBLE_EQ(found.value(kDelayThreadBarrierLongTerm, inner + "/long", 0, 2), 28 * cost);
  EXPECT_DOUBLE_EQ(found.total(kDelayThreadBarrier), 28 + 12 * cost);
  EXPECT_DOUBLE_EQ(found.total(kDelayThreadBarrierLongTerm), 28 * cost);
}

}  // namespace
}  // namespace tarry
