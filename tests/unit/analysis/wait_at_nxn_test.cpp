// wait_at_nxn_test.cpp -- by the formulas of docs/METRICS.md, "Wait at N x N" and "N x N Completion".
#include <gtest/gtest.h>

#include "analysis_of.hpp"

namespace tarry {
namespace {

using enum Metric;

TEST(WaitAtNxn, EverybodyWaitsForTheLast) {
  SyntheticTrace trace(3);
  const Ticks begin[] = {605, 705, 805}, end[] = {830, 835, 835};
  for (std::uint32_t r = 0; r < 3; ++r) trace.on(r).collective(begin[r], end[r], CollectiveOp::kAllreduce);
  AnalysisOf found(trace);
  const double waits[] = {200, 100, 0}, completions[] = {0, 5, 5};
  for (std::uint32_t r = 0; r < 3; ++r) {
    EXPECT_EQ(found.value(kNxnWait, "MPI_Allreduce", r), waits[r]) << r;
    EXPECT_EQ(found.value(kNxnCompletion, "MPI_Allreduce", r), completions[r]) << r;
  }
}

TEST(WaitAtNxn, WithoutOverlapThoseBeforeTheLastSenderWait) {
  SyntheticTrace trace(3);
  const Ticks begin[] = {0, 1, 5}, end[] = {3, 9, 9};
  for (std::uint32_t r = 0; r < 3; ++r) trace.on(r).collective(begin[r], end[r], CollectiveOp::kAllgatherv);
  AnalysisOf found(trace);
  const double waits[] = {3, 4, 0}, completions[] = {0, 4, 4};
  for (std::uint32_t r = 0; r < 3; ++r) {
    EXPECT_EQ(found.value(kNxnWait, "MPI_Allgatherv", r), waits[r]) << r;
    EXPECT_EQ(found.value(kNxnCompletion, "MPI_Allgatherv", r), completions[r]) << r;
  }
}

TEST(WaitAtNxn, WithoutOverlapWhoOnlySendsDoesNotWait) {
  SyntheticTrace trace(3);
  trace.on(0).collective(0, 3, CollectiveOp::kReduceScatter, {.received = 0});
  trace.on(1).collective(1, 9, CollectiveOp::kReduceScatter);
  trace.on(2).collective(5, 9, CollectiveOp::kReduceScatter);
  AnalysisOf found(trace);
  EXPECT_EQ(found.value(kNxnWait, "MPI_Reduce_scatter", 0), 0);
  EXPECT_EQ(found.value(kNxnWait, "MPI_Reduce_scatter", 1), 4);
  EXPECT_FALSE(found.waits().ranks[0].collectives[0].is_synchronised);
}

// The last sends nothing: it is the cause only if all were inside together, which takes more than touching.
TEST(WaitAtNxn, OverlapIsStrict) {
  for (const Ticks first_end : {5, 6}) {
    SyntheticTrace trace(2);
    trace.on(0).collective(0, first_end, CollectiveOp::kAllgatherv);
    trace.on(1).collective(5, 7, CollectiveOp::kAllgatherv, {.sent = 0});
    EXPECT_EQ(AnalysisOf(trace).total(kNxnWait), first_end == 5 ? 0 : 5) << first_end;
  }
}

TEST(WaitAtNxn, NotIfAMemberTakesNoPartOrNobodySends) {
  SyntheticTrace trace(3);
  for (std::uint32_t r = 0; r < 3; ++r)
    trace.on(r).collective(r, 8, CollectiveOp::kAlltoall, {.sent = r == 1 ? 0u : 8u, .received = r == 1 ? 0u : 8u});
  trace.on(0).collective(10, 12, CollectiveOp::kAllgather, {.sent = 0});
  for (std::uint32_t r = 1; r < 3; ++r) trace.on(r).collective(14, 16, CollectiveOp::kAllgather, {.sent = 0});
  AnalysisOf found(trace);
  EXPECT_EQ(found.total(kNxnWait) + found.total(kNxnCompletion), 0);
  EXPECT_EQ(found.total(kCommsExchange), 2);
  EXPECT_EQ(found.total(kSyncsCollective), 1);
  EXPECT_EQ(found.total(kCommsDestination), 3);
}

TEST(WaitAtNxn, OperationsThatAreNotAnalysedOnlyCount) {
  SyntheticTrace trace(2);
  const std::string name = "MPI_Neighbor_alltoallv";
  trace.on(0).enter(0, name).begin(0).end(8, CollectiveOp::kAlltoallv, {.sent = 3, .received = 5}).leave(8);
  trace.on(1).enter(4, name).begin(4).end(8, CollectiveOp::kAlltoallv, {.sent = 5, .received = 3}).leave(8);
  AnalysisOf found(trace);
  EXPECT_EQ(found.total(kNxnWait) + found.total(kNxnCompletion), 0);
  EXPECT_EQ(found.value(kBytesOut, name, 0), 3);
  EXPECT_EQ(found.value(kBytesIn, name, 0), 5);
  EXPECT_EQ(found.total(kBytes), 16);
}

}  // namespace
}  // namespace tarry
