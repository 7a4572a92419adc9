// analysis_test.cpp -- whole traces whose values docs/METRICS.md derives by hand, and traces with little in them.
#include <gtest/gtest.h>

#include "analysis_of.hpp"
#include "golden_traces.hpp"

namespace tarry {
namespace {

using enum Metric;

TEST(Analysis, ChainOfLateSenders) {
  SyntheticTrace trace(3);
  add_chain(trace);
  AnalysisOf found(trace);
  EXPECT_EQ(found.value(kLateSender, "main/MPI_Recv", 1), 300);
  EXPECT_EQ(found.value(kLateSender, "main/MPI_Recv", 2), 320);
  EXPECT_EQ(found.total(kLateSender), 620);
  EXPECT_EQ(found.value(kFinalizeWait, "main/MPI_Finalize", 0), 30);
  EXPECT_EQ(found.value(kFinalizeWait, "main/MPI_Finalize", 1), 10);
  EXPECT_EQ(found.total(kFinalizeWait), 40);
  EXPECT_EQ(found.total(kInitCompletion), 0);
  EXPECT_EQ(found.total(kTime), 3 * 550);
  EXPECT_EQ(found.value(kComputation, "main/c", 0), 400);
}

// The processes spend 275 or more behind the path, which is 125 long: they wait for nothing. The threads do.
TEST(Analysis, TimeOffTheCriticalPathIsNoWaiting) {
  SyntheticTrace trace(2, 2);
  trace.on(0, 0).enter(0, "main").visit(0, 100, "MPI_Init");
  trace.on(0, 0).visit(100, 125, "a").visit(125, 400, "MPI_Finalize").leave(400);
  trace.on(1, 0).enter(0, "main").visit(0, 100, "MPI_Init");
  trace.on(1, 0).visit(100, 115, "a").visit(115, 400, "MPI_Finalize").leave(400);
  trace.on(0, 1).enter(105, "main").leave(106);
  AnalysisOf found(trace);
  EXPECT_EQ(found.total(kCriticalPath), 125);
  EXPECT_NEAR(found.value(kIntraPartitionImbalance, "main/a", 0), 10, 1e-9);  // the wait of the other in MPI_Finalize
  EXPECT_EQ(found.value(kIntraPartitionImbalance, "main/MPI_Init", 0), 0);
  EXPECT_EQ(found.total(kInterPartitionImbalance), 0);
  EXPECT_NEAR(found.total(kImbalanceImpact), 10, 1e-9);
  AnalysisOf subtracted(trace, {.compatibility = CompatibilitySwitches{.subtracts_time_off_path = true}});
  EXPECT_LT(subtracted.value(kIntraPartitionImbalance, "main/a", 0), 0);
}

TEST(Analysis, ProgramsOfOneWorldStartTogether) {
  SyntheticTrace trace(3, 1);
  trace.on(0, 0)
      .enter(0, "mesh")
      .visit(0, 100, "MPI_Init")
      .visit(100, 110, "a")
      .visit(110, 150, "MPI_Finalize")
      .leave(150);
  trace.on(1, 0)
      .enter(0, "flow")
      .visit(2, 100, "MPI_Init")
      .visit(100, 140, "b")
      .visit(140, 150, "MPI_Finalize")
      .leave(150);
  trace.on(2, 0)
      .enter(0, "flow")
      .visit(0, 100, "MPI_Init")
      .visit(100, 132, "b")
      .visit(132, 150, "MPI_Finalize")
      .leave(150);
  AnalysisOf found(trace);
  EXPECT_NEAR(found.value(kInterPartitionImbalance, "flow/b", 1), 30, 1e-9);  // rank 0 has nothing of b
  EXPECT_NEAR(found.value(kIntraPartitionImbalance, "flow/b", 1), 8, 1e-9);   // rank 2 has less of it
  EXPECT_NEAR(found.total(kImbalanceImpact), 38, 1e-9);                       // and nobody waits for MPI_Init
  EXPECT_NEAR(found.total(kPerformanceImpact), 3 * 150, 1e-9);
}

TEST(Analysis, TeamOfThree) {
  SyntheticTrace trace(1, 3);
  add_team_of_three(trace);
  AnalysisOf found(trace);
  const std::string parallel = std::string("main/") + kParallel;
  const std::string barrier = parallel + "/" + kBarrier, implicit_barrier = parallel + "/" + kImplicitBarrier;
  const double time[] = {110, 110, 126}, fork[] = {20, 35, 45}, management[] = {60, 70, 75}, work[] = {50, 40, 51};
  const double wait[] = {160, 50, 0}, implicit_wait[] = {0, 100, 70};
  for (std::uint32_t t = 0; t < 3; ++t) {
    EXPECT_EQ(found.value(kTime, parallel, 0, t), time[t]) << t;
    EXPECT_EQ(found.value(kOmpFork, parallel, 0, t), fork[t]) << t;
    EXPECT_EQ(found.value(kOmpManagement, parallel, 0, t), management[t]) << t;
    EXPECT_EQ(found.value(kComputation, parallel, 0, t), work[t]) << t;
    EXPECT_EQ(found.value(kOmpExplicitBarrierWait, barrier, 0, t), wait[t]) << t;
    EXPECT_EQ(found.value(kOmpImplicitBarrierWait, implicit_barrier, 0, t), implicit_wait[t]) << t;
    EXPECT_EQ(found.value(kIdleThreads, "main", 0, t), t ? 210 : 0) << t;
    EXPECT_EQ(found.value(kIdleThreads, "main/c", 0, t), t ? 200 : 0) << t;
  }
  EXPECT_EQ(found.value(kTime, "main", 0), 210);
  EXPECT_EQ(found.total(kLimitedParallelism), 0);
  EXPECT_EQ(found.total(kTime), 3 * 1000);
  EXPECT_EQ(found.faults(), 0u);
}

TEST(Analysis, TwoProcessesOfTwoThreads) {
  SyntheticTrace trace(2, 2);
  add_hybrid(trace);
  AnalysisOf found(trace);
  const std::string implicit_barrier = std::string("main/") + kParallel + "/" + kImplicitBarrier;
  EXPECT_EQ(found.value(kBarrierWait, "main/MPI_Barrier", 1), 350);
  EXPECT_EQ(found.total(kBarrierWait), 350);
  EXPECT_EQ(found.value(kBarrierCompletion, "main/MPI_Barrier", 1), 5);
  EXPECT_EQ(found.total(kBarrierCompletion), 5);
  EXPECT_EQ(found.value(kOmpImplicitBarrierWait, implicit_barrier, 0, 0), 310);
  EXPECT_EQ(found.value(kOmpImplicitBarrierWait, implicit_barrier, 1, 1), 20);
  EXPECT_EQ(found.total(kOmpImplicitBarrierWait), 330);
  EXPECT_EQ(found.total(kTime), 4 * 810);
}

TEST(Analysis, NoEventsAtAll) {
  SyntheticTrace trace(3);
  AnalysisOf found(trace);
  EXPECT_EQ(found.total(kTime), 0);
  EXPECT_EQ(found.results().threads.size(), 3u);
  EXPECT_EQ(found.faults(), 0u);
}

TEST(Analysis, NoProcessesAtAll) {
  SyntheticTrace trace(0);
  EXPECT_TRUE(AnalysisOf(trace).results().threads.empty());
}

TEST(Analysis, AProcessWithoutEventsKeepsNobodyFromBeingAnalysed) {
  SyntheticTrace trace(3);
  trace.on(0)
      .enter(0, "main")
      .enter(5, "MPI_Send")
      .send(5, 1)
      .leave(6)
      .collective(7, 8, CollectiveOp::kBarrier)
      .leave(9);
  trace.on(1)
      .enter(0, "main")
      .enter(2, "MPI_Recv")
      .recv(6, 0)
      .leave(6)
      .collective(7, 8, CollectiveOp::kBarrier)
      .leave(9);
  AnalysisOf found(trace);
  EXPECT_EQ(found.total(kLateSender), 3);
  EXPECT_EQ(found.total(kBarrierWait), 0);
  EXPECT_EQ(found.faults(Fault::kIncompleteCollective), 1u);
}

// Its Enter of the parallel region is lost. The critical path leads to the worker and from there to the fork.
TEST(Analysis, AMasterThatKnowsNothingOfTheParallelRegion) {
  for (const Compatibility& compatibility : {Compatibility::none(), Compatibility::reference()}) {
    SyntheticTrace trace(1, 2);
    trace.on(0, 0).enter(0, "main").fork(2, 2).team_begin(2);
    trace.on(0, 0).visit(5, 9, kBarrier).team_end(10);
    trace.on(0, 0).join(10).leave(20);
    trace.on(0, 1).team_begin(3).enter(3, kParallel).visit(8, 9, kBarrier).leave(10);
    trace.on(0, 1).team_end(10);
    AnalysisOf found(trace, compatibility);
    EXPECT_EQ(found.total(kOmpExplicitBarrierWait), 3);
  }
}

TEST(Analysis, IsTheSameForEveryNumberOfWorkers) {
  for (const unsigned workers : {1u, 2u, 5u}) {
    SyntheticTrace trace(3);
    add_chain(trace);
    EXPECT_EQ(AnalysisOf(trace, Compatibility::none(), workers).total(kLateSender), 620) << workers;
  }
}

}  // namespace
}  // namespace tarry
