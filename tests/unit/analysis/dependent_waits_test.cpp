// dependent_waits_test.cpp -- collectives in which each waits for those it needs: exact waits, causes and costs.
#include <gtest/gtest.h>

#include "analysis_of.hpp"

namespace tarry {
namespace {

using enum Metric;

// Starts a non-blocking barrier and waits for it in `completing`.
void ibarrier(SyntheticStream& on, Ticks start, Ticks wait, Ticks end, const std::string& completing = "MPI_Wait") {
  on.enter(start, "MPI_Ibarrier").collective_request(start, 1).leave(start + 1);
  on.enter(wait, completing).collective_complete(end, 1, CollectiveOp::kBarrier, {.sent = 0, .received = 0}).leave(end);
}

TEST(NonBlockingCollective, WaitsInTheCompletingCallForTheLastToStart) {
  SyntheticTrace trace(2);
  ibarrier(trace.on(0), 0, 2, 7);
  ibarrier(trace.on(1), 6, 8, 9);
  AnalysisOf found(trace);
  EXPECT_EQ(found.value(kCollectiveRequestWait, "MPI_Wait", 0), 4);
  EXPECT_EQ(found.total(kCollectiveRequestWait), 4);
  EXPECT_EQ(found.total(kDelayRequestAll), 4);
  EXPECT_EQ(found.value(kSyncsCollective, "MPI_Wait", 0), 1);
  EXPECT_EQ(found.faults(), 0u);
}

TEST(NonBlockingCollective, DoesNotExistInCompat) {
  SyntheticTrace trace(2);
  ibarrier(trace.on(0), 0, 2, 7);
  ibarrier(trace.on(1), 6, 8, 9);
  AnalysisOf found(trace, Quirks::compat());
  EXPECT_EQ(found.total(kCollectiveRequestWait) + found.total(kSyncsCollective) + found.total(kDelay), 0);
}

TEST(NonBlockingCollective, TestsNeverWait) {
  SyntheticTrace trace(2);
  ibarrier(trace.on(0), 0, 2, 7, "MPI_Test");
  ibarrier(trace.on(1), 6, 8, 9);
  EXPECT_EQ(AnalysisOf(trace).total(kCollectiveRequestWait), 0);
}

TEST(NonBlockingCollective, MatchInTheOrderInWhichTheyStart) {
  SyntheticTrace trace(2);
  trace.on(0).enter(0, "MPI_Ibarrier").collective_request(0, 1).collective_request(1, 2).leave(1);
  trace.on(0).enter(2, "MPI_Wait").collective_complete(10, 2, CollectiveOp::kBarrier).leave(10);
  trace.on(0).enter(11, "MPI_Wait").collective_complete(12, 1, CollectiveOp::kBarrier).leave(12);
  trace.on(1).enter(5, "MPI_Ibarrier").collective_request(5, 1).collective_request(9, 2).leave(9);
  trace.on(1).enter(10, "MPI_Wait").collective_complete(11, 1, CollectiveOp::kBarrier).leave(11);
  trace.on(1).enter(12, "MPI_Wait").collective_complete(13, 2, CollectiveOp::kBarrier).leave(13);
  EXPECT_EQ(AnalysisOf(trace).total(kCollectiveRequestWait), 7);
}

TEST(NonBlockingCollective, OfACallThatCompletesManyTheLongestWaitCounts) {
  SyntheticTrace trace(2);
  trace.on(0).enter(0, "MPI_Ibarrier").collective_request(0, 1).collective_request(1, 2).leave(1);
  trace.on(0).enter(2, "MPI_Waitall").collective_complete(8, 1, CollectiveOp::kBarrier);
  trace.on(0).collective_complete(8, 2, CollectiveOp::kBarrier).leave(8);
  trace.on(1).enter(4, "MPI_Ibarrier").collective_request(4, 1).collective_request(6, 2).leave(6);
  trace.on(1).enter(9, "MPI_Waitall").collective_complete(9, 1, CollectiveOp::kBarrier);
  trace.on(1).collective_complete(9, 2, CollectiveOp::kBarrier).leave(9);
  AnalysisOf found(trace);
  EXPECT_EQ(found.value(kCollectiveRequestWait, "MPI_Waitall", 0), 4);
  EXPECT_EQ(found.total(kCollectiveRequestWait), 4);
}

TEST(NonBlockingCollective, ALateSenderOfTheSameCallComesFirst) {
  SyntheticTrace trace(2);
  trace.on(0).enter(0, "MPI_Ibarrier").collective_request(0, 1).leave(1);
  trace.on(0).enter(1, "MPI_Irecv").irecv_request(1, 2).leave(2);
  trace.on(0).enter(2, "MPI_Waitall").collective_complete(9, 1, CollectiveOp::kBarrier).irecv(9, 2, 1).leave(9);
  trace.on(1).enter(3, "MPI_Send").send(3, 0).leave(4);
  ibarrier(trace.on(1), 6, 9, 10);
  AnalysisOf found(trace);
  EXPECT_EQ(found.value(kLateSender, "MPI_Waitall", 0), 1);
  EXPECT_EQ(found.total(kCollectiveRequestWait), 0);
}

TEST(NonBlockingCollective, WhatNeverCompletesIsNoOperation) {
  SyntheticTrace trace(2);
  for (std::uint32_t r = 0; r < 2; ++r)
    trace.on(r).enter(0, "MPI_Ibarrier").collective_request(0, 1).leave(1).collective(2 + r, 9, CollectiveOp::kBarrier);
  AnalysisOf found(trace);
  EXPECT_EQ(found.total(kBarrierWait), 1);
  EXPECT_EQ(found.total(kSyncsCollective) + found.total(kCommsExchange), 2);
}

TEST(VectorExchange, WhoReceivesWaitsForTheLastThatSends) {
  SyntheticTrace trace(4);
  trace.on(0).collective(0, 9, CollectiveOp::kAlltoallv, {.sent = 0});
  trace.on(1).collective(2, 3, CollectiveOp::kAlltoallv, {.received = 0});
  trace.on(2).collective(5, 9, CollectiveOp::kAlltoallv);
  trace.on(3).collective(7, 9, CollectiveOp::kAlltoallv, {.sent = 0, .received = 0});
  AnalysisOf found(trace);
  EXPECT_EQ(found.value(kNxnWait, "MPI_Alltoallv", 0), 5);
  EXPECT_EQ(found.total(kNxnWait), 5);
  EXPECT_EQ(found.total(kNxnCompletion), 0);
  EXPECT_EQ(found.total(kDelayAllToAllAll), 5);
}

TEST(VectorExchange, NobodyWaitsForOneThatCameAfterItsOwnEnd) {
  SyntheticTrace trace(3);
  trace.on(0).collective(0, 4, CollectiveOp::kAlltoallw);
  trace.on(1).collective(2, 8, CollectiveOp::kAlltoallw);
  trace.on(2).collective(6, 8, CollectiveOp::kAlltoallw);
  AnalysisOf found(trace);
  EXPECT_EQ(found.value(kNxnWait, "MPI_Alltoallw", 0), 2);
  EXPECT_EQ(found.value(kNxnWait, "MPI_Alltoallw", 1), 4);
  EXPECT_EQ(AnalysisOf(trace, Quirks::compat()).total(kNxnWait), 0);
}

TEST(Creation, AllWaitForTheLastMember) {
  SyntheticTrace trace(2);
  for (std::uint32_t r = 0; r < 2; ++r) {
    trace.on(r).enter(1 + 4 * r, "MPI_Comm_dup").begin(1 + 4 * r).end(7, CollectiveOp::kCreateHandle).leave(7);
    trace.on(r).enter(9 - r, "MPI_File_open").begin(9 - r).end(12, CollectiveOp::kCreateHandle).leave(12);
    trace.on(r).enter(13 + r, "MPI_Comm_free").begin(13 + r).end(17, CollectiveOp::kDestroyHandle).leave(17);
  }
  AnalysisOf found(trace);
  EXPECT_EQ(found.value(kCommCreationWait, "MPI_Comm_dup", 0), 4);
  EXPECT_EQ(found.value(kFileCreationWait, "MPI_File_open", 1), 1);
  EXPECT_EQ(found.total(kCommCreationWait) + found.total(kFileCreationWait), 5);
  EXPECT_EQ(found.total(kDelayCreationAll), 5);
  EXPECT_EQ(found.total(kSyncs) + found.total(kComms), 0);
  EXPECT_EQ(AnalysisOf(trace, Quirks::compat()).total(kCommCreationWait), 0);
}

TEST(Intercommunicator, ReceiversWaitForTheRootInTheOtherGroup) {
  SyntheticTrace trace(4);
  const std::uint64_t inter = trace.comm({0, 1}, {2, 3});
  trace.on(0).collective(1, 9, CollectiveOp::kBcast, {.root = 1, .sent = 0, .comm = inter});
  trace.on(1).collective(6, 9, CollectiveOp::kBcast, {.root = 1, .sent = 0, .comm = inter});
  trace.on(2).collective(0, 2, CollectiveOp::kBcast, {.sent = 0, .received = 0, .comm = inter});
  trace.on(3).collective(4, 9, CollectiveOp::kBcast, {.received = 0, .comm = inter});
  AnalysisOf found(trace);
  EXPECT_EQ(found.value(kLateBroadcast, "MPI_Bcast", 0), 3);
  EXPECT_EQ(found.total(kLateBroadcast), 3);
  EXPECT_EQ(found.faults(), 0u);
  EXPECT_EQ(AnalysisOf(trace, Quirks::compat()).total(kLateBroadcast), 0);
}

TEST(Intercommunicator, EachGroupWaitsForTheOther) {
  SyntheticTrace trace(3);
  const std::uint64_t inter = trace.comm({0, 1}, {2});
  const Ticks begin[] = {7, 2, 4};
  for (std::uint32_t r = 0; r < 3; ++r)
    trace.on(r).collective(begin[r], 9, CollectiveOp::kBarrier, {.sent = 0, .received = 0, .comm = inter});
  AnalysisOf found(trace);
  const double waits[] = {0, 2, 3};
  for (std::uint32_t r = 0; r < 3; ++r) EXPECT_EQ(found.value(kBarrierWait, "MPI_Barrier", r), waits[r]) << r;
  EXPECT_EQ(found.total(kBarrierCompletion), 0);
  EXPECT_EQ(found.total(kDelayBarrierAll), 5);
}

TEST(DelayCosts, ScansAndTheEndOfTheRunHaveCauses) {
  SyntheticTrace trace(2);
  for (std::uint32_t r = 0; r < 2; ++r) {
    trace.on(r).enter(0, "main").visit(0, 1, "MPI_Init");
    trace.on(r).visit(1, r == 0 ? 6 : 2, "compute").collective(r == 0 ? 6 : 2, 7, CollectiveOp::kScan);
    trace.on(r).visit(7, r == 0 ? 8 : 10, "post").visit(r == 0 ? 8 : 10, 12, "MPI_Finalize").leave(12);
  }
  AnalysisOf found(trace);
  EXPECT_EQ(found.value(kEarlyScan, "main/MPI_Scan", 1), 4);
  EXPECT_EQ(found.value(kDelayScan, "main/compute", 0), 4);
  EXPECT_EQ(found.value(kFinalizeWait, "main/MPI_Finalize", 0), 2);
  EXPECT_EQ(found.value(kDelayFinalize, "main/post", 1), 2);
  EXPECT_EQ(found.total(kDelay), 6);
  EXPECT_EQ(found.value(kCriticalPath, "main/compute", 0), 5);  // the path leaves rank 1 at the scan
  EXPECT_EQ(AnalysisOf(trace, Quirks::compat()).total(kDelay), 0);
}

}  // namespace
}  // namespace tarry
