// init_finalize_test.cpp -- Initialization Completion and Wait at Finalize.
#include <gtest/gtest.h>

#include "analysis_of.hpp"

namespace tarry {
namespace {

using enum Metric;

TEST(InitFinalize, InitHasACompletionAndFinalizeAWait) {
  SyntheticTrace trace(2);
  trace.on(0).enter(0, "main").visit(0, 5, "MPI_Init_thread").visit(10, 20, "MPI_Finalize").leave(30);
  trace.on(1).enter(0, "main").visit(2, 6, "MPI_Init_thread").visit(17, 21, "MPI_Finalize").leave(30);
  AnalysisOf found(trace);
  EXPECT_EQ(found.value(kInitCompletion, "main/MPI_Init_thread", 1), 1);
  EXPECT_EQ(found.total(kInitCompletion), 1);
  EXPECT_EQ(found.value(kFinalizeWait, "main/MPI_Finalize", 0), 7);
  EXPECT_EQ(found.total(kFinalizeWait), 7);
  EXPECT_EQ(found.total(kBarrierWait) + found.total(kBarrierCompletion), 0);
  EXPECT_EQ(found.total(kSyncs), 0);  // no operation of the application's
}

TEST(InitFinalize, OnlyTheFirstOfEachCounts) {
  SyntheticTrace trace(2);
  for (std::uint32_t r = 0; r < 2; ++r) trace.on(r).visit(r, 5, "MPI_Finalize").visit(7 + r, 10, "MPI_Finalize");
  EXPECT_EQ(AnalysisOf(trace).total(kFinalizeWait), 1);
}

TEST(InitFinalize, NobodyWaitsForAProcessThatDidNotGetThere) {
  SyntheticTrace trace(2);
  trace.on(0).visit(0, 5, "MPI_Init").visit(7, 10, "MPI_Finalize");
  trace.on(1).visit(1, 5, "MPI_Init");
  AnalysisOf found(trace);
  EXPECT_EQ(found.total(kFinalizeWait), 0);
  EXPECT_EQ(found.faults(), 0u);
}

// Ranks 2 and 3 are spawned at 10.
TEST(InitFinalize, EachWorldWaitsForItsOwnProcesses) {
  for (const unsigned workers : {1u, 3u}) {
    SyntheticTrace trace(4);
    trace.spawn_world(2);
    trace.on(0).enter(0, "main").visit(0, 5, "MPI_Init").visit(30, 45, "MPI_Finalize").leave(50);
    trace.on(1).enter(0, "main").visit(2, 6, "MPI_Init").visit(40, 45, "MPI_Finalize").leave(50);
    trace.on(2).enter(10, "main").visit(11, 14, "MPI_Init").visit(20, 26, "MPI_Finalize").leave(30);
    trace.on(3).enter(10, "main").visit(12, 16, "MPI_Init").visit(25, 26, "MPI_Finalize").leave(30);
    AnalysisOf found(trace, Compatibility::none(), workers);
    EXPECT_EQ(found.value(kInitCompletion, "main/MPI_Init", 1), 1);
    EXPECT_EQ(found.value(kInitCompletion, "main/MPI_Init", 3), 2);
    EXPECT_EQ(found.total(kInitCompletion), 3);
    EXPECT_EQ(found.value(kFinalizeWait, "main/MPI_Finalize", 0), 10);
    EXPECT_EQ(found.value(kFinalizeWait, "main/MPI_Finalize", 2), 5);
    EXPECT_EQ(found.total(kFinalizeWait), 15);
    // Rank 3 has computed 9 since its MPI_Init, rank 2 6; rank 1 34, rank 0 25. The rest is the completion of MPI_Init.
    EXPECT_EQ(found.total(kDelayFinalize), 15);
    EXPECT_EQ(found.value(kDelayFinalize, "main", 3), 3);
    EXPECT_EQ(found.value(kDelayFinalize, "main", 1), 9);
  }
}

}  // namespace
}  // namespace tarry
