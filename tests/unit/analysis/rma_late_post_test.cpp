// rma_late_post_test.cpp -- waits in post, start, complete, wait.
#include <gtest/gtest.h>

#include "analysis_of.hpp"
#include "rma_trace.hpp"

namespace tarry {
namespace {

using enum Metric;

TEST(RmaLatePost, InTheStart) {
  SyntheticTrace trace(3);
  RmaStream(trace, 0).start(10, 45, {1, 2}).put(46, 47, 1).complete(48, 50);
  RmaStream(trace, 1).post(20, 21, {0}).wait(30, 51);
  RmaStream(trace, 2).post(40, 41, {0}).wait(42, 51);
  AnalysisOf found(trace);
  EXPECT_EQ(found.value(kRmaSyncLatePost, "MPI_Win_start", 0), 30);
  EXPECT_EQ(found.total(kRmaSyncLatePost), 30);
  EXPECT_EQ(found.total(kRmaCommLatePost), 0);
  EXPECT_EQ(found.faults(), 0u);
}

TEST(RmaLatePost, InTheComplete) {
  SyntheticTrace trace(2);
  RmaStream(trace, 0).start(10, 11, {1}).complete(15, 50);
  RmaStream(trace, 1).post(40, 41, {0}).wait(42, 51);
  AnalysisOf found(trace);
  EXPECT_EQ(found.value(kRmaSyncLatePost, "MPI_Win_complete", 0), 25);
  EXPECT_EQ(found.total(kRmaSyncLatePost), 25);
}

TEST(RmaLatePost, InAnAccessForItsOwnTarget) {
  SyntheticTrace trace(3);
  RmaStream(trace, 0).start(10, 11, {1, 2}).put(12, 22, 1).put(22, 42, 2).complete(43, 50);
  RmaStream(trace, 1).post(20, 21, {0}).wait(30, 51);
  RmaStream(trace, 2).post(40, 41, {0}).wait(42, 51);
  AnalysisOf found(trace);
  EXPECT_EQ(found.value(kRmaCommLatePost, "MPI_Put", 0), 8 + 18);
  EXPECT_EQ(found.total(kRmaSyncLatePost), 0);
}

TEST(RmaLatePost, EpochsOfTwoProcessesMatchInOrder) {
  SyntheticTrace trace(2);
  RmaStream(trace, 0).start(0, 5, {1}).complete(6, 7).start(10, 35, {1}).complete(36, 37);
  RmaStream(trace, 1).post(2, 3, {0}).wait(4, 8).post(30, 31, {0}).wait(32, 38);
  AnalysisOf found(trace);
  EXPECT_EQ(found.value(kRmaSyncLatePost, "MPI_Win_start", 0), 2 + 20);
  EXPECT_EQ(found.value(kRmaEarlyWait, "MPI_Win_wait", 1), 2 + 4);
}

TEST(RmaLatePost, AStartWithoutItsPostIsAFault) {
  SyntheticTrace trace(2);
  RmaStream(trace, 0).start(0, 5, {1}).complete(6, 7);
  AnalysisOf found(trace);
  EXPECT_EQ(found.total(kRmaSyncLatePost), 0);
  EXPECT_EQ(found.faults(Fault::kIncompleteCollective), 1u);
}

TEST(RmaEarlyWait, UntilTheLastCompletes) {
  SyntheticTrace trace(3);
  RmaStream(trace, 0).start(1, 2, {2}).put(10, 18, 2).complete(20, 21);
  RmaStream(trace, 1).start(1, 2, {2}).complete(30, 31);
  RmaStream(trace, 2).post(0, 1, {0, 1}).wait(5, 35);
  AnalysisOf found(trace);
  EXPECT_EQ(found.value(kRmaEarlyWait, "MPI_Win_wait", 2), 25);
  EXPECT_EQ(found.value(kRmaLateComplete, "MPI_Win_wait", 2), 12);
}

TEST(RmaEarlyWait, EndsWithTheCall) {
  SyntheticTrace trace(2);
  RmaStream(trace, 0).start(1, 2, {1}).complete(40, 41);
  RmaStream(trace, 1).post(0, 1, {0}).wait(5, 35);
  AnalysisOf found(trace);
  EXPECT_EQ(found.total(kRmaEarlyWait), 30);
  EXPECT_EQ(found.total(kRmaLateComplete), 30);
}

TEST(RmaEarlyWait, TestsNeverWait) {
  SyntheticTrace trace(2);
  RmaStream(trace, 0).start(1, 2, {1}).complete(30, 31);
  RmaStream(trace, 1).post(0, 1, {0});
  const GroupId group(trace.definitions().groups.size() - 1);
  const record::RmaGroupSync sync{.sync_level = 1, .window = WindowId(0), .group = group};
  trace.on(1).enter(5, "MPI_Win_test").add(34, sync).leave(35);
  AnalysisOf found(trace);
  EXPECT_EQ(found.total(kRmaEarlyWait), 0);
  EXPECT_EQ(found.value(kRmaPairs, "MPI_Win_test", 1), 1);
}

TEST(RmaPairwise, GroupsBothWays) {
  SyntheticTrace trace(4);
  RmaStream(trace, 0).start(5, 6, {1, 2, 3}).put(7, 8, 1).put(8, 9, 1).complete(10, 11);
  for (std::uint32_t r = 1; r < 4; ++r) RmaStream(trace, r).post(0, 1, {0}).wait(2, 12);
  AnalysisOf found(trace);
  EXPECT_EQ(found.value(kRmaPairs, "MPI_Win_complete", 0), 3);
  EXPECT_EQ(found.value(kRmaPairsUnneeded, "MPI_Win_complete", 0), 2);
  EXPECT_EQ(found.value(kRmaPairs, "MPI_Win_wait", 1), 1);
  EXPECT_EQ(found.value(kRmaPairsUnneeded, "MPI_Win_wait", 1), 0);
  EXPECT_EQ(found.value(kRmaPairsUnneeded, "MPI_Win_wait", 2), 1);
  EXPECT_EQ(found.total(kRmaPairs), 6);
}

}  // namespace
}  // namespace tarry
