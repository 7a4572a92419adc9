// figures_imbalance_test.cpp -- the figures of Boehme's chapter 3: what imbalance looks like, and what it costs.
#include "analysed_figure.hpp"

namespace tarry {
namespace {

using enum Metric;

// Figure 3.1: the resources of a run are processes x run time: work, communication and waiting. A process that finishes
// early waits for the end.
TEST(FigureTimeLine, ResourcesAreProcessesTimesRunTime) {
  const AnalysedFigure figure(kTimeLineModel);
  figure.expect_invariants();
  // Rank 1 receives at 20 what is sent at 50, rank 2 at 20 + 26 what rank 1 sends at 54 + 40.
  EXPECT_EQ(figure.at(kLateSender, "MPI_Recv", 1), 30);
  EXPECT_EQ(figure.at(kLateSender, "MPI_Recv", 2), 48);
  EXPECT_EQ(figure.span(), 94 + 4 + 20);
  EXPECT_EQ(figure.total(kTime), 3 * 118);
  EXPECT_EQ(figure.total(kComputation), 90 + 96 + 20);
  EXPECT_EQ(figure.at(kFinalizeWait, "MPI_Finalize", 0), 118 - 80);
  EXPECT_EQ(figure.at(kFinalizeWait, "MPI_Finalize", 1), 118 - 94);
  EXPECT_EQ(figure.waits(), 30 + 48 + 38 + 24);
  // Nothing but the rest of two receives is communication without waiting.
  EXPECT_EQ(figure.total(kTime) - figure.total(kComputation) - figure.waits(), 4 + 4);
}

// The workload deviation of section 3.2 (d = work - average) and its impact: max d of run time and P x max d of
// resources. So much is waited.
void expect_simple_impact(const AnalysedFigure& figure, double largest_deviation) {
  figure.expect_invariants();
  EXPECT_EQ(figure.waits(), figure.ranks() * largest_deviation);
  EXPECT_EQ(figure.total(kCriticalPathImbalance), largest_deviation);
  EXPECT_EQ(figure.total(kImbalanceImpact), figure.ranks() * largest_deviation);
  EXPECT_EQ(figure.total(kDelay) - figure.total(kDelayFinalizeAll), figure.ranks() * largest_deviation);
}

// Section 3.3.2 (Figures 3.2, 3.3): a few processes with more work make all others wait, a few with less only
// themselves. With 30 more or less than 30 or 60, of four: 3 x 30, and 30.
TEST(FigureMinorities, OverloadCostsMoreThanUnderload) {
  const AnalysedFigure overloaded(kOverloadedMinority), underloaded(kUnderloadedMinority);
  expect_simple_impact(overloaded, 60 - 150 / 4.0);
  expect_simple_impact(underloaded, 60 - 210 / 4.0);
  EXPECT_EQ(overloaded.total(kBarrierWait), 3 * 30);
  EXPECT_EQ(underloaded.total(kBarrierWait), 30);
  EXPECT_EQ(overloaded.at(kImbalanceAbove, "A", 0), 22.5);
  EXPECT_EQ(overloaded.at(kImbalanceBelow, "A"), 22.5);
  EXPECT_EQ(underloaded.at(kImbalanceBelow, "A", 0), 22.5);
  EXPECT_EQ(underloaded.at(kImbalanceAbove, "A"), 22.5);
}

// ... and the more processes there are, the more so.
TEST(FigureMinorities, OverloadGrowsWithTheNumberOfProcesses) {
  for (const std::uint32_t ranks : {2u, 8u, 64u}) {
    const AnalysedFigure over({"", "", ranks, [](FigureTrace& f) {
                                 for (std::uint32_t r = 0; r < f.ranks(); ++r) f.work(r, "A", r == 0 ? 60 : 30);
                                 f.barrier();
                               }});
    const AnalysedFigure under({"", "", ranks, [](FigureTrace& f) {
                                  for (std::uint32_t r = 0; r < f.ranks(); ++r) f.work(r, "A", r == 0 ? 30 : 60);
                                  f.barrier();
                                }});
    over.expect_invariants();
    under.expect_invariants();
    EXPECT_EQ(over.total(kDelayBarrier), 30 * (ranks - 1));
    EXPECT_EQ(over.at(kDelayBarrier, "A", 0), 30 * (ranks - 1));
    EXPECT_EQ(under.total(kDelayBarrier), 30);
    EXPECT_DOUBLE_EQ(under.total(kCriticalPathImbalance), 30.0 / ranks);
  }
}

// Figure 3.4a: two imbalances of opposite pattern cancel each other; neither costs anything, though each function is
// imbalanced. The critical-path imbalance cannot tell: it judges call paths one by one. It leaves out those of which
// the path does less than the average (section 5.2.3). So it shows what A alone would cost.
TEST(FigureInterference, OppositeImbalancesCancel) {
  const AnalysedFigure figure(kCancelling);
  figure.expect_invariants();
  EXPECT_EQ(figure.span(), 80);
  EXPECT_EQ(figure.at(kImbalance, "A"), 20 + 20);
  EXPECT_EQ(figure.at(kImbalance, "B"), 20 + 20);
  EXPECT_EQ(figure.waits(), 0);
  EXPECT_EQ(figure.total(kDelay) - figure.total(kDelayFinalizeAll), 0);
  EXPECT_EQ(figure.total(kImbalanceImpact), 0);
  EXPECT_EQ(figure.at(kCriticalPath, "A", 0), 60);
  EXPECT_EQ(figure.at(kCriticalPath, "B", 0), 20);
  EXPECT_EQ(figure.total(kCriticalPathImbalance), 60 - 40);
}

// Figure 3.4b: synchronisation in between breaks that, and their impacts add up.
TEST(FigureInterference, SynchronisationBreaksTheCancellation) {
  const AnalysedFigure figure(kSeparated);
  figure.expect_invariants();
  EXPECT_EQ(figure.span(), 120);
  EXPECT_EQ(figure.at(kBarrierWait, "MPI_Barrier", 1), 40);
  EXPECT_EQ(figure.at(kBarrierWait, "MPI_Barrier", 0), 40);
  EXPECT_EQ(figure.at(kDelayBarrier, "A", 0), 40);
  EXPECT_EQ(figure.at(kDelayBarrier, "B", 1), 40);
  EXPECT_EQ(figure.total(kDelay) - figure.total(kDelayFinalizeAll), 80);
  EXPECT_EQ(figure.at(kCriticalPath, "A", 0), 60);
  EXPECT_EQ(figure.at(kCriticalPath, "B", 1), 60);
  EXPECT_EQ(figure.at(kCriticalPathImbalance, "A", 0), 60 - 40);
  EXPECT_EQ(figure.at(kCriticalPathImbalance, "B", 1), 60 - 40);
  EXPECT_EQ(figure.at(kImbalanceImpact, "A", 0), 40);
  EXPECT_EQ(figure.at(kImbalanceImpact, "B", 1), 40);
}

// Figure 3.4c: imbalances of equal pattern in two functions add up without any synchronisation between them.
TEST(FigureInterference, EqualImbalancesAddUp) {
  const AnalysedFigure figure(kAggravating);
  figure.expect_invariants();
  EXPECT_EQ(figure.span(), 120);
  EXPECT_EQ(figure.at(kBarrierWait, "MPI_Barrier", 1), 80);
  EXPECT_EQ(figure.at(kDelayBarrier, "A", 0), 40);
  EXPECT_EQ(figure.at(kDelayBarrier, "B", 0), 40);
  EXPECT_EQ(figure.total(kDelay) - figure.total(kDelayFinalizeAll), 80);
  EXPECT_EQ(figure.at(kCriticalPathImbalance, "A", 0), 60 - 40);
  EXPECT_EQ(figure.at(kCriticalPathImbalance, "B", 0), 60 - 40);
  EXPECT_EQ(figure.at(kImbalanceImpact, "A", 0), 40);
  EXPECT_EQ(figure.at(kImbalanceImpact, "B", 0), 40);
}

// Figure 3.5a: the same process does more in every iteration; a profile shows it.
TEST(FigureEvolution, StaticImbalanceIsInTheProfile) {
  const AnalysedFigure figure(kStatic);
  figure.expect_invariants();
  EXPECT_EQ(figure.at(kComputation, "A", 0), 90);
  EXPECT_EQ(figure.at(kImbalanceAbove, "A", 0), 90 - 50);
  EXPECT_EQ(figure.at(kImbalanceBelow, "A", 1), 50 - 30);
  EXPECT_EQ(figure.total(kBarrierWait), 3 * 2 * 20);
  EXPECT_EQ(figure.at(kDelayBarrier, "A", 0), 120);
  EXPECT_EQ(figure.at(kCriticalPath, "A", 0), 90);
  EXPECT_EQ(figure.at(kCriticalPathImbalance, "A", 0), 90 - 50);
}

// Figure 3.5b: the excess moves on in every iteration. All processes have the same work in total, and a profile shows
// no imbalance at all. Yet as much is wasted as in the static case, and the costs show where. Table 5.1 is the same in
// a real program: a function takes longer on the critical path than on any process.
TEST(FigureEvolution, DynamicImbalanceIsNotInTheProfile) {
  const AnalysedFigure figure(kDynamic);
  figure.expect_invariants();
  EXPECT_EQ(figure.total(kImbalance), 0);
  EXPECT_EQ(figure.total(kBarrierWait), 3 * 2 * 20);
  for (std::uint32_t r = 0; r < 3; ++r) {
    EXPECT_EQ(figure.at(kComputation, "A", r), 50);
    EXPECT_EQ(figure.at(kDelayBarrier, "A", r), 2 * 20);
    EXPECT_EQ(figure.at(kCriticalPath, "A", r), 30);
    EXPECT_DOUBLE_EQ(figure.at(kCriticalPathImbalance, "A", r), 40 / 3.0);
    EXPECT_EQ(figure.at(kImbalanceImpact, "A", r), 40);
  }
  EXPECT_EQ(figure.at(kCriticalPath, "A"), 90);
  EXPECT_DOUBLE_EQ(figure.total(kCriticalPathImbalance), 90 - 50);
}

// Figure 3.6a: imbalance within one partition of a program whose processes do different things.
TEST(FigurePartitions, ImbalanceWithinAPartition) {
  const AnalysedFigure figure(kIntraPartition);
  figure.expect_invariants();
  EXPECT_EQ(figure.total(kBarrierWait), 20);
  EXPECT_EQ(figure.at(kIntraPartitionImbalance, "blue", 0), 20);
  EXPECT_EQ(figure.total(kInterPartitionImbalance), 0);
}

// Figure 3.6b: one partition is done before the other.
TEST(FigurePartitions, ImbalanceBetweenPartitions) {
  const AnalysedFigure figure(kInterPartition);
  figure.expect_invariants();
  EXPECT_EQ(figure.total(kBarrierWait), 2 * 20);
  EXPECT_EQ(figure.at(kInterPartitionImbalance, "blue", 0), 40);
  EXPECT_EQ(figure.total(kIntraPartitionImbalance), 0);
}

}  // namespace
}  // namespace tarry
