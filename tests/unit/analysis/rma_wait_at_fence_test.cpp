// rma_wait_at_fence_test.cpp -- waits at collective operations on windows: creation, fences, destruction.
#include <gtest/gtest.h>

#include "analysis_of.hpp"
#include "rma_trace.hpp"

namespace tarry {
namespace {

using enum Metric;

TEST(RmaWaitAtFence, UntilTheLastBegins) {
  SyntheticTrace trace(3);
  for (std::uint32_t r = 0; r < 3; ++r) RmaStream(trace, r).fence(10 + 20 * r, 60 + r);
  AnalysisOf found(trace);
  const double waits[] = {40, 20, 0};
  for (std::uint32_t r = 0; r < 3; ++r) EXPECT_EQ(found.value(kRmaWaitAtFence, "MPI_Win_fence", r), waits[r]) << r;
  EXPECT_EQ(found.total(kRmaEarlyFence), 0);
  EXPECT_EQ(found.faults(), 0u);
}

TEST(RmaWaitAtFence, NobodyWaitsIfSomebodyLeavesBeforeTheLastHasCome) {
  SyntheticTrace trace(3);
  RmaStream(trace, 0).fence(10, 30);
  RmaStream(trace, 1).fence(20, 70);
  RmaStream(trace, 2).fence(60, 70);
  EXPECT_EQ(AnalysisOf(trace).total(kRmaWaitAtFence), 0);
}

TEST(RmaWaitAtFence, EarlyFenceEndsWithTheLastAccess) {
  SyntheticTrace trace(2);
  RmaStream(trace, 0).fence(0, 2).fence(10, 60);
  RmaStream(trace, 1).fence(0, 2).put(5, 25, 0).put(26, 40, 1).fence(50, 60);
  AnalysisOf found(trace);
  EXPECT_EQ(found.value(kRmaWaitAtFence, "MPI_Win_fence", 0), 40);
  EXPECT_EQ(found.value(kRmaEarlyFence, "MPI_Win_fence", 0), 15);
  EXPECT_EQ(found.total(kRmaEarlyFence), 15);
}

TEST(RmaWaitAtFence, OnlyAccessesSinceTheFenceBeforeCount) {
  SyntheticTrace trace(2);
  RmaStream(trace, 0).fence(20, 22).fence(23, 60);
  RmaStream(trace, 1).put(5, 10, 0).fence(20, 22).fence(50, 60);
  AnalysisOf found(trace);
  EXPECT_EQ(found.value(kRmaWaitAtFence, "MPI_Win_fence", 0), 27);
  EXPECT_EQ(found.total(kRmaEarlyFence), 0);
}

TEST(RmaWaitAtFence, AMissingMemberIsAFault) {
  SyntheticTrace trace(3);
  RmaStream(trace, 0).fence(10, 60);
  RmaStream(trace, 1).fence(40, 60);
  AnalysisOf found(trace);
  EXPECT_EQ(found.total(kRmaWaitAtFence), 0);
  EXPECT_EQ(found.faults(Fault::kIncompleteCollective), 1u);
}

TEST(RmaWaitAtCreate, CreationAndDestruction) {
  SyntheticTrace trace(2);
  RmaStream(trace, 0).create(10, 41).free(50, 91);
  RmaStream(trace, 1).create(40, 42).free(90, 92);
  AnalysisOf found(trace);
  EXPECT_EQ(found.value(kRmaWaitAtCreate, "MPI_Win_create", 0), 30);
  EXPECT_EQ(found.value(kRmaWaitAtFree, "MPI_Win_free", 0), 40);
  EXPECT_EQ(found.total(kRmaWaitAtCreate) + found.total(kRmaWaitAtFree), 70);
  EXPECT_EQ(found.total(kRmaWaitAtFence), 0);
}

TEST(RmaWaitAtFence, WithCompatibilityNothingIsFound) {
  SyntheticTrace trace(2);
  RmaStream(trace, 0).create(1, 3).fence(10, 60);
  RmaStream(trace, 1).create(2, 3).put(20, 30, 0).fence(40, 60);
  AnalysisOf found(trace, Compatibility::reference());
  EXPECT_EQ(found.total(kRmaWaitAtCreate) + found.total(kRmaWaitAtFence), 0);
  EXPECT_EQ(found.total(kBytesPut) + found.total(kRmaPairs), 0);
}

TEST(RmaPairwise, FencesSynchroniseEverybody) {
  SyntheticTrace trace(4);
  RmaStream(trace, 0).fence(0, 2).put(3, 4, 1).put(4, 5, 1).fence(10, 12);
  RmaStream(trace, 1).fence(0, 2).fence(10, 12);
  RmaStream(trace, 2).fence(0, 2).get(3, 4, 2).fence(10, 12);
  RmaStream(trace, 3).fence(0, 2).get(3, 4, 0).fence(10, 12);
  AnalysisOf found(trace);
  const double unneeded[] = {3 + 1, 3 + 2, 3 + 3, 3 + 2};
  for (std::uint32_t r = 0; r < 4; ++r) {
    EXPECT_EQ(found.value(kRmaPairs, "MPI_Win_fence", r), 8) << r;
    EXPECT_EQ(found.value(kRmaPairsUnneeded, "MPI_Win_fence", r), unneeded[r]) << r;
  }
}

TEST(RmaResults, BytesOfAccesses) {
  SyntheticTrace trace(2);
  RmaStream(trace, 0).fence(0, 2).put(3, 4, 1, 100).get(4, 5, 1, 20).atomic(5, 6, 1, 8, 16).fence(10, 12);
  RmaStream(trace, 1).fence(0, 2).fence(10, 12);
  AnalysisOf found(trace);
  EXPECT_EQ(found.value(kBytesPut, "MPI_Put", 0), 100);
  EXPECT_EQ(found.value(kBytesGet, "MPI_Get", 0), 20);
  EXPECT_EQ(found.value(kBytesPut, "MPI_Fetch_and_op", 0), 8);
  EXPECT_EQ(found.value(kBytesGet, "MPI_Fetch_and_op", 0), 16);
  EXPECT_EQ(found.total(kBytesRma), 144);
  EXPECT_EQ(found.total(kBytes), 144);
  EXPECT_EQ(found.total(kCommsRmaAtomics), 1);
}

TEST(RmaResults, WindowsThatAreNotDefinedAreFaults) {
  SyntheticTrace trace(1);
  const record::RmaPut put{.window = WindowId(7), .remote = CommRank(0), .bytes = 8, .matching = 0};
  trace.on(0).enter(0, "MPI_Put").add(0, put).leave(1);
  AnalysisOf found(trace);
  EXPECT_EQ(found.total(kBytesPut), 0);
  EXPECT_EQ(found.faults(Fault::kUndefinedReference), 1u);
}

TEST(RmaWaitAtFence, AWindowWithoutACommunicatorIsLeftAlone) {
  SyntheticTrace trace(2);
  trace.on(0).visit(0, 1, "MPI_Init");
  trace.on(1).visit(0, 1, "MPI_Init");
  RmaStream(trace, 0).fence(5, 26);
  RmaStream(trace, 1).fence(25, 26);
  trace.edit_definitions().windows.push_back({StringId(0), CommId(0x0fffffff)});
  AnalysisOf found(trace);
  EXPECT_EQ(found.total(kRmaWaitAtFence), 20);
}

}  // namespace
}  // namespace tarry
