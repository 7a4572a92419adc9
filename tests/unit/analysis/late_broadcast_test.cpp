// late_broadcast_test.cpp -- Late Broadcast on operations written down with their times.
#include <gtest/gtest.h>

#include "analysis_of.hpp"

namespace tarry {
namespace {

using enum Metric;

// Rank 1 is the root and begins at 5; rank 0 begins before, rank 2 after it.
void add_scatter(SyntheticTrace& trace, Bytes root_sends, Bytes first_receives, Ticks first_ends = 8) {
  trace.on(0).collective(2, first_ends, CollectiveOp::kScatterv, {.root = 1, .sent = 0, .received = first_receives});
  trace.on(1).collective(5, 6, CollectiveOp::kScatterv, {.root = 1, .sent = root_sends, .received = 0});
  trace.on(2).collective(7, 8, CollectiveOp::kScatterv, {.root = 1, .sent = 0, .received = 8});
}

TEST(LateBroadcast, ReceiversThatBeginBeforeTheRootWait) {
  SyntheticTrace trace(3);
  add_scatter(trace, 16, 8);
  AnalysisOf found(trace);
  EXPECT_EQ(found.value(kLateBroadcast, "MPI_Scatterv", 0), 3);
  EXPECT_EQ(found.total(kLateBroadcast), 3);
  EXPECT_TRUE(found.waits().ranks[1].collectives[0].is_synchronised);
  EXPECT_FALSE(found.waits().ranks[2].collectives[0].is_synchronised);
  EXPECT_EQ(found.waits().ranks[0].collectives[0].cause, WorldRank(1));
  EXPECT_EQ(found.total(kCommsSource), 1);
  EXPECT_EQ(found.total(kCommsDestination), 2);
}

TEST(LateBroadcast, NobodyWaitsForARootThatSendsNothing) {
  SyntheticTrace trace(3);
  add_scatter(trace, 0, 8);
  AnalysisOf found(trace);
  EXPECT_EQ(found.total(kLateBroadcast), 0);
  EXPECT_EQ(found.total(kSyncsCollective), 1);
}

TEST(LateBroadcast, WhoReceivesNothingDoesNotWait) {
  SyntheticTrace trace(3);
  add_scatter(trace, 16, 0);
  AnalysisOf found(trace);
  EXPECT_EQ(found.total(kLateBroadcast), 0);
  EXPECT_FALSE(found.waits().ranks[1].collectives[0].is_synchronised);
}

TEST(LateBroadcast, EndsWithTheOperationAtTheLatest) {
  SyntheticTrace trace(3);
  add_scatter(trace, 16, 8, 4);
  EXPECT_EQ(AnalysisOf(trace).total(kLateBroadcast), 2);
}

TEST(LateBroadcast, RootsAreRanksOfTheCommunicator) {
  SyntheticTrace trace(3);
  const std::uint64_t pair = trace.comm({2, 0});
  trace.on(0).collective(2, 8, CollectiveOp::kBcast, {.root = 0, .sent = 0, .comm = pair});
  trace.on(2).collective(5, 6, CollectiveOp::kBcast, {.root = 0, .comm = pair});
  AnalysisOf found(trace);
  EXPECT_EQ(found.value(kLateBroadcast, "MPI_Bcast", 0), 3);
}

TEST(LateBroadcast, ARootThatIsNoMemberOnlyCounts) {
  for (const std::uint64_t root : {std::uint64_t{3}, kNoField}) {
    SyntheticTrace trace(3);
    for (std::uint32_t r = 0; r < 3; ++r) trace.on(r).collective(r, 8, CollectiveOp::kBcast, {.root = root});
    AnalysisOf found(trace);
    EXPECT_EQ(found.total(kLateBroadcast), 0);
    EXPECT_EQ(found.total(kCommsExchange), 3);
  }
}

}  // namespace
}  // namespace tarry
