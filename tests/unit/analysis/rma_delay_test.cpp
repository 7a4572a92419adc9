// rma_delay_test.cpp -- root causes of waits in one-sided communication, and the critical path through them.
#include <gtest/gtest.h>

#include "analysis_of.hpp"
#include "rma_trace.hpp"

namespace tarry {
namespace {

using enum Metric;

void begin(SyntheticTrace& trace, std::uint32_t ranks) {
  for (std::uint32_t r = 0; r < ranks; ++r) trace.on(r).visit(0, 1, "MPI_Init");
}
void end(SyntheticTrace& trace, std::uint32_t ranks, Ticks time) {
  for (std::uint32_t r = 0; r < ranks; ++r) trace.on(r).visit(time, time + 1, "MPI_Finalize");
}

TEST(RmaDelay, WhatMadeTheLastLateForAFence) {
  SyntheticTrace trace(3);
  begin(trace, 3);
  RmaStream(trace, 0).visit(1, 5, "c").fence(5, 26);
  RmaStream(trace, 1).visit(1, 25, "c").fence(25, 26);
  RmaStream(trace, 2).visit(1, 15, "c").fence(15, 26);
  end(trace, 3, 26);
  AnalysisOf found(trace);
  EXPECT_EQ(found.total(kRmaWaitAtFence), 30);
  EXPECT_EQ(found.value(kDelayOneSided, "c", 1), 30);
  EXPECT_EQ(found.total(kDelayOneSidedAll), 30);
  EXPECT_EQ(found.total(kDelay), 30);
  EXPECT_EQ(found.value(kCriticalPath, "c", 1), 24);
  EXPECT_EQ(found.total(kCriticalPath), 26);
}

// Rank 2 waits for rank 1, which waited for rank 0: the cause is rank 0's work.
TEST(RmaDelay, TravelsFromOneWindowOperationToTheNext) {
  SyntheticTrace trace(3);
  begin(trace, 3);
  RmaStream(trace, 0).visit(1, 21, "c").post(21, 22, {1}).wait(22, 32);
  RmaStream(trace, 1).start(1, 22, {0}).complete(22, 23).post(30, 31, {2}).wait(31, 34);
  RmaStream(trace, 2).start(1, 31, {1}).complete(31, 33);
  end(trace, 3, 40);
  AnalysisOf found(trace);
  EXPECT_EQ(found.value(kRmaSyncLatePost, "MPI_Win_start", 1), 20);
  EXPECT_EQ(found.value(kRmaSyncLatePost, "MPI_Win_start", 2), 29);
  EXPECT_EQ(found.value(kDelayOneSided, "c", 0), 20);
  EXPECT_GT(found.value(kDelayOneSidedLongTerm, "c", 0), 0);
  EXPECT_DOUBLE_EQ(found.total(kDelayOneSidedAll), found.total(kRmaSyncLatePost) + found.total(kRmaEarlyWait));
}

TEST(RmaDelay, ALockIsPassedOnByTheUnlock) {
  SyntheticTrace trace(3);
  begin(trace, 3);
  RmaStream(trace, 0).lock(1, 2, 2).visit(2, 30, "c").unlock(30, 32, 2);
  RmaStream(trace, 1).lock(1, 33, 2).unlock(33, 34, 2);
  RmaStream(trace, 2).visit(1, 40, "MPI_Recv");
  end(trace, 3, 40);
  AnalysisOf found(trace);
  EXPECT_EQ(found.value(kRmaSyncLockContention, "MPI_Win_lock", 1), 30);
  EXPECT_GT(found.value(kDelayOneSided, "c", 0), 0);
  EXPECT_DOUBLE_EQ(found.total(kDelayOneSidedAll), 30);
}

TEST(RmaDelay, ProgressHasNoCosts) {
  SyntheticTrace trace(2);
  begin(trace, 2);
  RmaStream(trace, 0).lock(1, 2, 1).unlock(10, 45, 1);
  RmaStream(trace, 1).visit(1, 5, "MPI_Recv").visit(5, 40, "work").visit(40, 50, "MPI_Barrier");
  end(trace, 2, 50);
  AnalysisOf found(trace);
  EXPECT_EQ(found.total(kRmaSyncProgress), 30);
  EXPECT_EQ(found.total(kDelay), 0);
}

}  // namespace
}  // namespace tarry
