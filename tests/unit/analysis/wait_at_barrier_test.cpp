// wait_at_barrier_test.cpp -- Wait at Barrier and Barrier Completion.
//
// The first case is the barrier of docs/METRICS.md, "Checked by hand": ticks are hundredths of a second.
#include <gtest/gtest.h>

#include "analysis_of.hpp"

namespace tarry {
namespace {

using enum Metric;

TEST(WaitAtBarrier, UntilTheLastBegins) {
  SyntheticTrace trace(3);
  const Ticks begin[] = {210, 410, 510}, end[] = {520, 525, 525};
  for (std::uint32_t r = 0; r < 3; ++r) {
    trace.on(r).enter(0, "main").enter(begin[r] - 10, "MPI_Barrier").begin(begin[r]);
    trace.on(r).end(end[r], CollectiveOp::kBarrier, {.sent = 0, .received = 0}).leave(end[r] + 1).leave(600);
  }
  AnalysisOf found(trace);
  const double waits[] = {300, 100, 0}, completions[] = {0, 5, 5};
  for (std::uint32_t r = 0; r < 3; ++r) {
    EXPECT_EQ(found.value(kBarrierWait, "main/MPI_Barrier", r), waits[r]) << r;
    EXPECT_EQ(found.value(kBarrierCompletion, "main/MPI_Barrier", r), completions[r]) << r;
    EXPECT_EQ(found.value(kSyncsCollective, "main/MPI_Barrier", r), 1) << r;
    EXPECT_EQ(found.waits().ranks[r].collectives[0].cause, WorldRank(2));
  }
}

TEST(WaitAtBarrier, OfThoseThatBeginTogetherTheLowestRankIsTheCause) {
  SyntheticTrace trace(3);
  for (std::uint32_t r = 0; r < 3; ++r) trace.on(r).collective(r == 0 ? 1 : 5, 7, CollectiveOp::kBarrier);
  AnalysisOf found(trace);
  EXPECT_EQ(found.total(kBarrierWait), 4);
  EXPECT_EQ(found.waits().ranks[0].collectives[0].cause, WorldRank(1));
}

TEST(WaitAtBarrier, EndsWithTheOperationAtTheLatest) {
  SyntheticTrace trace(2);
  trace.on(0).collective(1, 4, CollectiveOp::kBarrier);
  trace.on(1).collective(9, 10, CollectiveOp::kBarrier);
  AnalysisOf found(trace);
  EXPECT_EQ(found.value(kBarrierWait, "MPI_Barrier", 0), 3);
  EXPECT_EQ(found.value(kBarrierCompletion, "MPI_Barrier", 0), 0);
  EXPECT_EQ(found.value(kBarrierCompletion, "MPI_Barrier", 1), 1);
}

TEST(WaitAtBarrier, OneMemberWaitsForNobody) {
  SyntheticTrace trace(2);
  const std::uint64_t lonely = trace.comm({1}), self = trace.comm({});
  for (const std::uint64_t comm : {lonely, self}) {
    const Ticks at = static_cast<Ticks>(comm) * 10;
    trace.on(1).collective(at, at + 5, CollectiveOp::kBarrier, {.sent = 0, .received = 0, .comm = comm});
  }
  AnalysisOf found(trace);
  EXPECT_EQ(found.total(kBarrierWait) + found.total(kBarrierCompletion), 0);
  EXPECT_EQ(found.total(kSyncsCollective), 2);
  EXPECT_EQ(found.faults(), 0u);
}

}  // namespace
}  // namespace tarry
