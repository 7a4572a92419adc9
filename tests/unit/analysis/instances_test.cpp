// instances_test.cpp -- single waits: which are kept, who was waited for, and on which call path time was lost.
#include "analysis/instances/instances.hpp"

#include <gtest/gtest.h>

#include "analysis_of.hpp"
#include "golden_traces.hpp"

namespace tarry {
namespace {

using enum Metric;

AnalysisOptions keep(std::size_t most) { return {.instances = most}; }

const std::vector<WaitInstance>& worst(const AnalysisOf& found, Metric metric) {
  return found.result().instances.at(metric).worst;
}

TEST(Instances, NameTheWaiterTheDelayerAndItsCallPath) {
  SyntheticTrace trace(3);
  add_chain(trace);
  AnalysisOf found(trace, keep(5));
  const auto& waits = worst(found, kLateSender);
  ASSERT_EQ(waits.size(), 2u);
  // Rank 2 waits 320 for rank 1, which waits 300 for rank 0, which computes longer.
  EXPECT_EQ(waits[0].world_rank, WorldRank(2));
  EXPECT_EQ(waits[0].wait, 320);
  EXPECT_EQ(waits[0].enter, 200);
  EXPECT_EQ(waits[0].exit, 540);
  EXPECT_EQ(found.path_name(waits[0].path), "main/MPI_Recv");
  EXPECT_EQ(waits[0].cause.world_rank, WorldRank(1));
  EXPECT_EQ(found.path_name(waits[0].cause.path), "main/MPI_Send");
  EXPECT_EQ(waits[1].world_rank, WorldRank(1));
  EXPECT_EQ(waits[1].wait, 300);
  EXPECT_EQ(waits[1].cause.world_rank, WorldRank(0));
  EXPECT_EQ(found.path_name(waits[1].delay_path), "main/c");
}

TEST(Instances, CountAndSumAreThoseOfTheMetric) {
  SyntheticTrace trace(3);
  add_chain(trace);
  AnalysisOf found(trace, keep(1));
  for (const auto& [metric, kind] : found.result().instances) {
    EXPECT_EQ(kind.statistics.sum(), found.total(metric)) << info_of(metric).unique_name;
    EXPECT_EQ(kind.worst.size(), 1u);
    EXPECT_EQ(kind.worst[0].wait, kind.statistics.maximum());
  }
  EXPECT_EQ(found.result().instances.at(kLateSender).statistics.count(), 2u);
}

TEST(Instances, NothingUnlessAskedFor) {
  SyntheticTrace trace(3);
  add_chain(trace);
  EXPECT_TRUE(AnalysisOf(trace).result().instances.empty());
}

TEST(Instances, EqualOnesComeByTimeThenRank) {
  SyntheticTrace trace(4);
  for (std::uint32_t r = 0; r < 4; ++r) trace.on(r).enter(0, "main");
  for (const Ticks t : {10, 100}) {
    for (std::uint32_t r = 0; r < 3; ++r) trace.on(r).collective(t, t + 6, CollectiveOp::kBarrier, {.sent = 0, .received = 0});
    trace.on(3).collective(t + 5, t + 6, CollectiveOp::kBarrier, {.sent = 0, .received = 0});
  }
  for (std::uint32_t r = 0; r < 4; ++r) trace.on(r).leave(200);
  for (const unsigned workers : {1u, 2u, 3u, 5u}) {
    AnalysisOf found(trace, keep(4), workers);
    const auto& waits = worst(found, kBarrierWait);
    ASSERT_EQ(waits.size(), 4u);
    for (std::size_t i = 0; i < 4; ++i) {
      EXPECT_EQ(waits[i].enter, i < 3 ? 10 : 100);
      EXPECT_EQ(waits[i].world_rank, WorldRank(i % 3));
      EXPECT_EQ(waits[i].cause.world_rank, WorldRank(3));
      EXPECT_EQ(found.path_name(waits[i].cause.path), "main/MPI_Barrier");
    }
    EXPECT_EQ(found.result().instances.at(kBarrierWait).statistics.count(), 6u);
  }
}

TEST(Instances, ThreadsNameTheLastThreadOfTheTeam) {
  SyntheticTrace trace(1, 3);
  add_team_of_three(trace);
  AnalysisOf found(trace, keep(1));
  const WaitInstance& wait = worst(found, kOmpExplicitBarrierWait)[0];
  EXPECT_EQ(wait.thread, ThreadIndex(0));
  EXPECT_EQ(wait.wait, 160);  // 340 to 500
  EXPECT_EQ(wait.cause.thread, ThreadIndex(2));
  EXPECT_EQ(found.path_name(wait.delay_path), std::string("main/") + kParallel + "/v");
}

TEST(Instances, EarlyScanWaitsForTheLastRankBelow) {
  SyntheticTrace trace(3);
  const Ticks begin[] = {5, 9, 2};
  for (std::uint32_t r = 0; r < 3; ++r) trace.on(r).enter(0, "main").collective(begin[r], 12, CollectiveOp::kScan).leave(20);
  AnalysisOf found(trace, keep(3));
  const auto& waits = worst(found, kEarlyScan);
  ASSERT_EQ(waits.size(), 1u);
  EXPECT_EQ(waits[0].world_rank, WorldRank(2));
  EXPECT_EQ(waits[0].cause.world_rank, WorldRank(1));
  EXPECT_EQ(waits[0].wait, 7);
}

}  // namespace
}  // namespace tarry
