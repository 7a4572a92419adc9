// figures_critical_path_test.cpp -- the figures of Boehme's chapter 5: what determines the run time.
#include "analysed_figure.hpp"

namespace tarry {
namespace {

using enum Metric;

// Figure 5.1: the path goes through one process after another without waiting and is as long as the run. What takes
// longer on it than on the average process is imbalanced: A, C and communication are, B is the same everywhere.
TEST(FigureCriticalPath, AnSpmdProgram) {
  const AnalysedFigure figure(kSpmd);
  figure.expect_invariants();
  EXPECT_EQ(figure.span(), 40 + 8 + 20 + 36);
  EXPECT_EQ(figure.at(kCriticalPath, "A", 0), 40);
  EXPECT_EQ(figure.at(kCriticalPath, "MPI_Recv", 1), 8);
  EXPECT_EQ(figure.at(kCriticalPath, "B", 1), 20);
  EXPECT_EQ(figure.at(kCriticalPath, "C", 1), 36);
  // Processes 1 and 3 of the figure wait for the end of the run.
  EXPECT_EQ(figure.at(kFinalizeWait, "MPI_Finalize", 0), 104 - 72);
  EXPECT_EQ(figure.at(kFinalizeWait, "MPI_Finalize", 2), 104 - 72);
  EXPECT_EQ(figure.at(kCriticalPathImbalance, "A"), 40 - 32);
  EXPECT_EQ(figure.at(kCriticalPathImbalance, "MPI_Recv"), 8 - 4);
  EXPECT_EQ(figure.at(kCriticalPathImbalance, "B"), 0);
  EXPECT_EQ(figure.at(kCriticalPathImbalance, "C"), 36 - 22);
}

// Section 5.2.1, on Figure 5.1: what is on the path determines the run time; less of anything else only adds waiting.
TEST(FigureCriticalPath, OnlyThePathDeterminesTheRunTime) {
  const AnalysedFigure figure(kSpmd);
  const AnalysedFigure longer_on_path({"", "", 3, [](FigureTrace& f) {
                                         kSpmd.build(f);
                                         f.work(1, "C", 5);
                                       }});
  const AnalysedFigure longer_elsewhere({"", "", 3, [](FigureTrace& f) {
                                           kSpmd.build(f);
                                           f.work(2, "C", 5);
                                         }});
  longer_on_path.expect_invariants();
  longer_elsewhere.expect_invariants();
  EXPECT_EQ(longer_on_path.span(), figure.span() + 5);
  EXPECT_EQ(longer_elsewhere.span(), figure.span());
  EXPECT_EQ(longer_elsewhere.waits(), figure.waits() - 5);
  EXPECT_EQ(longer_elsewhere.at(kCriticalPath, "C"), figure.at(kCriticalPath, "C"));
}

// Figure 5.2: one process after the other executes B, for as long as all others. The profile is flat; on the critical
// path B stands three times, and two thirds of that are imbalance. A and C, done by all at once, have none.
TEST(FigureSerialised, TheProfileIsFlatThePathIsNot) {
  const AnalysedFigure figure(kSerialised);
  figure.expect_invariants();
  EXPECT_EQ(figure.total(kImbalance), 0);
  for (std::uint32_t r = 0; r < 3; ++r) {
    EXPECT_EQ(figure.at(kTime, "B", r), 20);
    EXPECT_EQ(figure.at(kCriticalPath, "B", r), 20);
  }
  EXPECT_EQ(figure.at(kCriticalPath, "A"), 30);
  EXPECT_EQ(figure.at(kCriticalPath, "C"), 20);
  EXPECT_EQ(figure.at(kCriticalPath, "B"), 60);
  EXPECT_DOUBLE_EQ(figure.at(kCriticalPathImbalance, "B"), 60 - 20);
  EXPECT_EQ(figure.at(kCriticalPathImbalance, "A"), 0);
  EXPECT_EQ(figure.at(kCriticalPathImbalance, "C"), 0);
  // All that is waited is charged to B: 20 and 40 for a message, 40 and 20 for the end.
  EXPECT_EQ(figure.total(kLateSender), 60);
  EXPECT_EQ(figure.total(kFinalizeWait), 60);
  EXPECT_NEAR(figure.at(kImbalanceImpact, "B"), 120, 1e-9);
  EXPECT_EQ(figure.at(kDelay, "B"), 120);
}

// Figure 5.3: two processes do A, two do B; the path is on one of the latter. All waiting is charged to B. That of the
// other process of B is within the partition. That of the two of A is between the partitions, and three times as much.
TEST(FigureMpmd, ImpactIsDividedByPartition) {
  const AnalysedFigure figure(kMpmd);
  figure.expect_invariants();
  EXPECT_EQ(figure.at(kCriticalPath, "B", 2), 100);
  EXPECT_EQ(figure.total(kCriticalPath), 100);
  EXPECT_EQ(figure.at(kImbalanceImpact, "B", 2), 45 + 45 + 30);
  EXPECT_EQ(figure.total(kImbalanceImpact), 120);
  EXPECT_EQ(figure.at(kIntraPartitionImbalance, "B"), 30);
  EXPECT_EQ(figure.at(kInterPartitionImbalance, "B"), 90);
  EXPECT_EQ(figure.at(kPerformanceImpact, "B"), 170 + 120);
  EXPECT_EQ(figure.at(kPerformanceImpact, "A"), 110);
  EXPECT_EQ(figure.at(kNonCriticalPathActivities, "A"), 110);
  EXPECT_EQ(figure.at(kCriticalPathActivities, "B"), 170);
  // Compared with the two that do B, where section 5.2.3 compares with all four: what would be lost within B.
  EXPECT_EQ(figure.at(kCriticalPathImbalance, "B"), 100 - 170 / 2.0);
}

// Section 5.2.4: a process lacks one call path of the critical path and does too little of another. It waits because of
// both, in proportion to what it lacks of each. Rank 1 waits 50 since the path has 20 more of `shared` and 50 of `own`;
// rank 2 waits 10 because of `own`. What they do instead plays no part, but makes less of it in the reference.
TEST(PerformanceImpact, WaitsOfOneProcessAreDividedByWhatItLacks) {
  const Figure run = {"", "", 3, [](FigureTrace& f) {
                        f.work(0, "shared", 50).work(0, "own", 50).work(1, "shared", 30).work(1, "other", 20);
                        f.work(2, "shared", 50).work(2, "other", 40).barrier();
                      }};
  const AnalysedFigure figure(run);
  figure.expect_invariants();
  EXPECT_EQ(figure.total(kBarrierWait), 50 + 10);
  EXPECT_NEAR(figure.at(kImbalanceImpact, "shared"), 50 * 20.0 / 70, 1e-9);
  EXPECT_NEAR(figure.at(kIntraPartitionImbalance, "shared"), 50 * 20.0 / 70, 1e-9);
  EXPECT_NEAR(figure.at(kInterPartitionImbalance, "own"), 50 * 50.0 / 70 + 10, 1e-9);
  EXPECT_NEAR(figure.total(kImbalanceImpact), 60, 1e-9);
}

// Figure 5.4: the path ends on the process that finishes last; at its wait state it goes on where that was caused.
TEST(FigurePathDetection, MovesToWhoWasWaitedFor) {
  const AnalysedFigure figure(kPathThroughLateSender);
  figure.expect_invariants();
  EXPECT_EQ(figure.at(kLateSender, "MPI_Recv", 1), 20);
  EXPECT_EQ(figure.at(kCriticalPath, "A", 0), 40);
  EXPECT_EQ(figure.at(kCriticalPath, "B", 1), 40);
  EXPECT_EQ(figure.found().result().critical_path,
            "begin,end,rank,thread,edge,callpath\n"
            "0,40,0,0,init,main/MPI_Init\n"
            "40,80,1,0,late_sender,main/MPI_Recv\n");
}

// Section 5.3: ... and that is so too where a synchronous send waits for its receiver.
TEST(FigurePathDetection, MovesThroughLateReceivers) {
  const AnalysedFigure figure(kPathThroughLateReceiver);
  figure.expect_invariants();
  EXPECT_EQ(figure.at(kLateReceiver, "MPI_Ssend", 1), 20);
  EXPECT_EQ(figure.at(kCriticalPath, "A", 0), 40);
  EXPECT_EQ(figure.at(kCriticalPath, "MPI_Ssend", 1), 4);
  EXPECT_EQ(figure.at(kCriticalPath, "B", 1), 40);
}

// Figure 5.5: with a small mesh, the path is in the particles. The waiting of the mesh processes is charged to them.
// With a large mesh it is the other way round, and more is wasted, since more processes wait.
TEST(FigurePartitionSizes, ThePathMovesToTheOtherPartition) {
  const AnalysedFigure small(kSmallMesh), large(kLargeMesh);
  small.expect_invariants();
  large.expect_invariants();
  EXPECT_EQ(small.at(kCriticalPath, "particles"), 80);
  EXPECT_EQ(small.at(kInterPartitionImbalance, "particles"), 2 * 30);
  EXPECT_EQ(large.at(kCriticalPath, "mesh"), 80);
  EXPECT_EQ(large.at(kInterPartitionImbalance, "mesh"), 6 * 20);
  EXPECT_EQ(small.span(), large.span());
  EXPECT_EQ(small.total(kIntraPartitionImbalance), 0);
  EXPECT_EQ(large.total(kIntraPartitionImbalance), 0);
}

}  // namespace
}  // namespace tarry
