// rma_lock_contention_test.cpp -- waits for locks of windows, and for the progress of their targets.
#include <gtest/gtest.h>

#include "analysis_of.hpp"
#include "rma_trace.hpp"

namespace tarry {
namespace {

using enum Metric;

// Rank 2 is the target and always in MPI.
void add_target(SyntheticTrace& trace) { RmaStream(trace, 2).visit(0, 1000, "MPI_Recv"); }

TEST(RmaLockContention, InTheLock) {
  SyntheticTrace trace(3);
  RmaStream(trace, 0).lock(0, 1, 2).put(2, 3, 2).unlock(20, 31, 2);
  RmaStream(trace, 1).lock(10, 33, 2).put(34, 35, 2).unlock(36, 40, 2);
  add_target(trace);
  AnalysisOf found(trace);
  EXPECT_EQ(found.value(kRmaSyncLockContention, "MPI_Win_lock", 1), 20);
  EXPECT_EQ(found.total(kRmaSyncLockContention) + found.total(kRmaCommLockContention), 20);
  EXPECT_EQ(found.total(kRmaSyncProgress) + found.total(kRmaCommProgress), 0);
}

TEST(RmaLockContention, InTheAccessOrTheUnlock) {
  SyntheticTrace trace(4);
  RmaStream(trace, 0).lock(0, 1, 2).unlock(20, 31, 2);
  RmaStream(trace, 1).lock(10, 11, 2).put(12, 33, 2).unlock(36, 51, 2);
  RmaStream(trace, 3).lock(10, 11, 2).put(12, 13, 2).unlock(26, 61, 2);
  add_target(trace);
  AnalysisOf found(trace);
  EXPECT_EQ(found.value(kRmaCommLockContention, "MPI_Put", 1), 18);
  EXPECT_EQ(found.value(kRmaSyncLockContention, "MPI_Win_unlock", 3), 24);
  EXPECT_EQ(found.total(kRmaSyncLockContention), 24);
}

TEST(RmaLockContention, SharedLocksDoNotExcludeEachOther) {
  SyntheticTrace trace(4);
  RmaStream(trace, 0).lock(0, 1, 2, true).unlock(20, 31, 2);
  RmaStream(trace, 1).lock(10, 33, 2, true).unlock(36, 41, 2);
  RmaStream(trace, 3).lock(12, 43, 2).unlock(46, 51, 2);
  add_target(trace);
  AnalysisOf found(trace);
  EXPECT_EQ(found.value(kRmaSyncLockContention, "MPI_Win_lock", 1), 0);
  EXPECT_EQ(found.value(kRmaSyncLockContention, "MPI_Win_lock", 3), 28);
}

TEST(RmaLockContention, LocksOfDifferentTargetsHaveNothingToDoWithEachOther) {
  SyntheticTrace trace(4);
  RmaStream(trace, 0).lock(0, 1, 2).unlock(20, 31, 2);
  RmaStream(trace, 1).lock(10, 33, 3).unlock(36, 41, 3);
  add_target(trace);
  RmaStream(trace, 3).visit(0, 1000, "MPI_Recv");
  EXPECT_EQ(AnalysisOf(trace).total(kRmaSyncLockContention), 0);
}

TEST(RmaLockContention, ALockOfAllWaitsForEachOfThem) {
  SyntheticTrace trace(4);
  RmaStream(trace, 0).lock(0, 1, 2).unlock(20, 31, 2).lock(35, 36, 3).unlock(40, 42, 3);
  RmaStream(trace, 1).lock_all(10, 45).put(46, 47, 2).unlock_all(50, 51);
  add_target(trace);
  RmaStream(trace, 3).visit(0, 1000, "MPI_Recv");
  AnalysisOf found(trace);
  EXPECT_EQ(found.value(kRmaSyncLockContention, "MPI_Win_lock", 1), 31);  // of 20 and 31 the longer
  EXPECT_EQ(found.total(kRmaSyncLockContention), 31);
}

TEST(RmaWaitForProgress, UntilTheTargetComesIntoMpi) {
  SyntheticTrace trace(2);
  RmaStream(trace, 0).lock(0, 1, 1).put(2, 3, 1).unlock(10, 45, 1);
  RmaStream(trace, 1).visit(0, 5, "MPI_Recv").visit(5, 40, "work").visit(40, 50, "MPI_Barrier");
  AnalysisOf found(trace);
  EXPECT_EQ(found.value(kRmaSyncProgress, "MPI_Win_unlock", 0), 30);
  EXPECT_EQ(found.total(kRmaSyncProgress) + found.total(kRmaCommProgress), 30);
}

TEST(RmaWaitForProgress, ACallThatEndsWithoutItsTargetNeedsNoProgress) {
  SyntheticTrace trace(2);
  RmaStream(trace, 0).lock(0, 1, 1).get(10, 30, 1).unlock(32, 39, 1);
  RmaStream(trace, 1).visit(0, 5, "MPI_Recv").visit(5, 40, "work").visit(40, 50, "MPI_Barrier");
  AnalysisOf found(trace);
  EXPECT_EQ(found.total(kRmaSyncProgress) + found.total(kRmaCommProgress), 0);
}

TEST(RmaWaitForProgress, InAnAccess) {
  SyntheticTrace trace(2);
  RmaStream(trace, 0).lock(0, 1, 1).get(10, 45, 1).unlock(46, 47, 1);
  RmaStream(trace, 1).visit(0, 5, "MPI_Recv").visit(5, 40, "work").visit(40, 50, "MPI_Barrier");
  EXPECT_EQ(AnalysisOf(trace).value(kRmaCommProgress, "MPI_Get", 0), 30);
}

TEST(RmaWaitForProgress, BeginsWhereLockContentionEnds) {
  SyntheticTrace trace(3);
  RmaStream(trace, 0).lock(0, 1, 2).unlock(20, 31, 2);
  RmaStream(trace, 1).lock(10, 60, 2).unlock(61, 65, 2);
  RmaStream(trace, 2).visit(0, 25, "MPI_Recv").visit(25, 50, "work").visit(50, 90, "MPI_Barrier");
  AnalysisOf found(trace);
  EXPECT_EQ(found.value(kRmaSyncLockContention, "MPI_Win_lock", 1), 20);
  EXPECT_EQ(found.value(kRmaSyncProgress, "MPI_Win_lock", 1), 20);
}

TEST(RmaWaitForProgress, OwnMemoryNeedsNobodyElse) {
  SyntheticTrace trace(1);
  RmaStream(trace, 0).lock(0, 1, 0).get(10, 45, 0).unlock(46, 47, 0);
  EXPECT_EQ(AnalysisOf(trace).total(kRmaCommProgress), 0);
}

// Ranks 1 and 2 come back at 40 and 60.
void away_from_mpi(SyntheticTrace& trace) {
  for (std::uint32_t r = 1; r < 3; ++r) {
    const Ticks back = 20 + 20 * r;
    RmaStream(trace, r).visit(0, 5, "MPI_Recv").visit(5, back, "work").visit(back, 100, "MPI_Barrier");
  }
}

TEST(RmaWaitForProgress, AFlushNeedsTheTargetsOfItsAccesses) {
  SyntheticTrace trace(3);
  RmaStream(trace, 0).lock_all(0, 1).put(2, 3, 2, 8, 5).put(3, 4, 1, 8, 6);
  RmaStream(trace, 0).flush(10, 50, "MPI_Win_flush", {6}).flush(50, 59, "MPI_Win_flush_local", {}).unlock_all(70, 71);
  away_from_mpi(trace);
  AnalysisOf found(trace);
  EXPECT_EQ(found.value(kRmaSyncProgress, "MPI_Win_flush", 0), 30);
  EXPECT_EQ(found.total(kRmaSyncProgress), 30);
}

TEST(RmaWaitForProgress, OfTheTargetsOfAFlushTheLastCounts) {
  for (const char* call : {"MPI_Win_flush_all", "MPI_Win_unlock_all"}) {
    SyntheticTrace trace(3);
    RmaStream(trace, 0).lock_all(0, 1).put(2, 3, 1, 8, 5).put(3, 4, 2, 8, 6).flush(10, 70, call, {5, 6});
    away_from_mpi(trace);
    AnalysisOf found(trace);
    EXPECT_EQ(found.value(kRmaSyncProgress, call, 0), 50);
    EXPECT_EQ(found.total(kRmaSyncProgress), 50);
  }
}

TEST(RmaWaitForProgress, OtherCallsThatCompleteAccessesNameTheirTarget) {
  SyntheticTrace trace(3);
  RmaStream(trace, 0).put(2, 3, 1, 8, 5).flush(10, 70, "MPI_Win_fence", {5}).flush(70, 80, "MPI_Win_flush", {5});
  away_from_mpi(trace);
  EXPECT_EQ(AnalysisOf(trace).total(kRmaSyncProgress), 0);
}

}  // namespace
}  // namespace tarry
