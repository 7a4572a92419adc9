// collective_polled_test.cpp -- Wait for Collective of those that the program polls for: which calls wait, how long.
#include <gtest/gtest.h>

#include "analysis_of.hpp"

namespace tarry {
namespace {

using enum Metric;

void start_barrier(SyntheticStream& on, Ticks time, std::uint64_t request) {
  on.enter(time, "MPI_Ibarrier").collective_request(time, request).leave(time + 1);
}

void complete_barrier(SyntheticStream& on, const std::string& function, Ticks enter, Ticks end, std::uint64_t request) {
  on.enter(enter, function).collective_complete(end, request, CollectiveOp::kBarrier).leave(end + 1);
}

// Rank 1 works for so long and starts its part.
void start_at(SyntheticTrace& trace, Ticks time) {
  trace.edit_definitions().clock.ticks_per_second = 1e5;  // up to two ticks are a short time
  trace.on(1).visit(0, time, "compute");
  start_barrier(trace.on(1), time, 1);
  complete_barrier(trace.on(1), "MPI_Wait", time + 1, time + 4, 1);
}

TEST(CollectivePolled, IsTheTimeInTestsUntilTheLastHasStarted) {
  SyntheticTrace trace(2);
  start_barrier(trace.on(0).enter(0, "main"), 0, 1);
  trace.on(0).visit(2, 4, "MPI_Test").visit(5, 8, "MPI_Test").visit(9, 12, "MPI_Test");
  complete_barrier(trace.on(0), "MPI_Test", 12, 13, 1);
  trace.on(0).leave(15);
  start_at(trace, 10);
  AnalysisOf found(trace);
  EXPECT_EQ(found.value(kCollectiveRequestWait, "main/MPI_Test", 0), 10 - 2);
  EXPECT_EQ(found.value(kCollectiveRequestPolled, "main/MPI_Test", 0), 10 - 2);
  EXPECT_EQ(found.total(kCollectiveRequestWait), 10 - 2);
  EXPECT_EQ(found.value(kTime, "main/MPI_Test", 0), 14 - 2);  // with the time between them
  EXPECT_EQ(found.total(kDelayRequestAll), 10 - 2);
  EXPECT_EQ(found.faults(), 0u);
  AnalysisOf reference(trace, Compatibility::reference());
  EXPECT_EQ(reference.total(kCollectiveRequestWait) + reference.total(kDelay), 0);
}

TEST(CollectivePolled, TheTestThatSucceedsWaitsBehindOthers) {
  SyntheticTrace trace(2);
  start_barrier(trace.on(0), 0, 1);
  trace.on(0).visit(1, 3, "MPI_Test");
  complete_barrier(trace.on(0), "MPI_Test", 3, 9, 1);
  start_at(trace, 8);
  AnalysisOf found(trace);
  EXPECT_EQ(found.value(kCollectiveRequestPolled, "MPI_Test", 0), 2 + 5);
  EXPECT_EQ(found.total(kDelayRequestAll), 2 + 5);
}

TEST(CollectivePolled, WhoWorksBetweenTestsDoesNotWait) {
  SyntheticTrace trace(2);
  start_barrier(trace.on(0).enter(0, "main"), 0, 1);
  trace.on(0).visit(1, 3, "MPI_Test").visit(6, 8, "MPI_Test").visit(20, 22, "MPI_Test").visit(23, 24, "MPI_Test");
  complete_barrier(trace.on(0), "MPI_Test", 26, 27, 1);
  trace.on(0).leave(28);
  start_at(trace, 25);
  EXPECT_EQ(AnalysisOf(trace).total(kCollectiveRequestWait), 24 - 20);  // only the last two are close to each other
}

TEST(CollectivePolled, NobodyWaitsBetweenPolls) {
  SyntheticTrace trace(2);
  start_barrier(trace.on(0), 0, 1);
  trace.on(0).visit(10, 12, "MPI_Test").visit(12, 14, "MPI_Test");
  complete_barrier(trace.on(0), "MPI_Test", 14, 15, 1);
  start_at(trace, 8);
  AnalysisOf found(trace);
  EXPECT_EQ(found.total(kCollectiveRequestWait), 0);
  EXPECT_EQ(found.total(kDelay), 0);
}

TEST(CollectivePolled, ACallThatWaitsItselfIsNotPolled) {
  SyntheticTrace trace(2);
  start_barrier(trace.on(0), 0, 1);
  trace.on(0).visit(1, 4, "MPI_Request_get_status").visit(4, 9, "MPI_Request_get_status");
  complete_barrier(trace.on(0), "MPI_Wait", 9, 13, 1);
  start_at(trace, 12);
  AnalysisOf found(trace);
  EXPECT_EQ(found.total(kCollectiveRequestPolled), 0);
  EXPECT_EQ(found.value(kCollectiveRequestWait, "MPI_Wait", 0), 12 - 9);
  EXPECT_EQ(found.total(kDelayRequestAll), 12 - 9);
}

TEST(CollectivePolled, ARequestWhoseStatusIsAskedFor) {
  SyntheticTrace trace(2);
  start_barrier(trace.on(0), 0, 1);
  trace.on(0).visit(1, 4, "MPI_Request_get_status").visit(4, 9, "MPI_Request_get_status");
  complete_barrier(trace.on(0), "MPI_Wait", 9, 10, 1);
  start_at(trace, 7);
  AnalysisOf found(trace);
  EXPECT_EQ(found.value(kCollectiveRequestPolled, "MPI_Request_get_status", 0), 7 - 1);
  EXPECT_EQ(found.total(kCollectiveRequestWait), 7 - 1);
}

TEST(CollectivePolled, OfSeveralTheLongestWaitCounts) {
  SyntheticTrace trace(2);
  trace.edit_definitions().clock.ticks_per_second = 1e5;
  trace.on(0).enter(0, "MPI_Ibarrier").collective_request(0, 1).collective_request(0, 2).leave(1);
  trace.on(0).visit(1, 6, "MPI_Testall").visit(6, 12, "MPI_Testall").enter(12, "MPI_Testall");
  trace.on(0).collective_complete(13, 1, CollectiveOp::kBarrier).collective_complete(13, 2, CollectiveOp::kBarrier);
  trace.on(0).leave(13);
  start_barrier(trace.on(1).visit(0, 5, "compute"), 5, 1);
  start_barrier(trace.on(1).visit(6, 9, "compute"), 9, 2);
  trace.on(1).enter(10, "MPI_Waitall").collective_complete(11, 1, CollectiveOp::kBarrier);
  trace.on(1).collective_complete(11, 2, CollectiveOp::kBarrier).leave(11);
  AnalysisOf found(trace);
  EXPECT_EQ(found.value(kCollectiveRequestPolled, "MPI_Testall", 0), 9 - 1);
  EXPECT_EQ(found.total(kDelayRequestAll), 9 - 1);
}

TEST(CollectivePolled, ALateSenderOfTheSameRunComesFirst) {
  SyntheticTrace trace(2);
  trace.edit_definitions().clock.ticks_per_second = 1e5;
  trace.on(0).enter(0, "MPI_Irecv").irecv_request(0, 2).leave(0);
  start_barrier(trace.on(0), 0, 1);
  trace.on(0).visit(1, 6, "MPI_Testall").visit(6, 12, "MPI_Testall").enter(12, "MPI_Testall");
  trace.on(0).irecv(13, 2, 1).collective_complete(13, 1, CollectiveOp::kBarrier).leave(13);
  trace.on(1).visit(0, 5, "compute").enter(5, "MPI_Send").send(5, 0).leave(6);
  start_barrier(trace.on(1), 9, 1);
  complete_barrier(trace.on(1), "MPI_Wait", 10, 11, 1);
  AnalysisOf found(trace);
  EXPECT_EQ(found.value(kLateSenderPolled, "MPI_Testall", 0), 5 - 1);
  EXPECT_EQ(found.total(kCollectiveRequestWait), 0);
}

TEST(CollectivePolled, ThePathLeadsToTheLastToStart) {
  SyntheticTrace trace(2);
  for (const int rank : {0, 1}) trace.on(rank).visit(0, 1, "MPI_Init");
  start_barrier(trace.on(0), 1, 1);
  trace.on(0).visit(2, 4, "MPI_Test").visit(4, 9, "MPI_Test").visit(9, 14, "MPI_Test");
  complete_barrier(trace.on(0), "MPI_Test", 14, 15, 1);
  trace.on(0).visit(16, 20, "compute").visit(20, 21, "MPI_Finalize");
  trace.on(1).visit(1, 11, "compute");
  start_barrier(trace.on(1), 11, 1);
  complete_barrier(trace.on(1), "MPI_Wait", 12, 13, 1);
  trace.on(1).visit(14, 21, "MPI_Finalize");
  AnalysisOf found(trace);
  EXPECT_EQ(found.value(kDelayRequest, "compute", 1), 11 - 2);
  EXPECT_EQ(found.value(kCriticalPath, "compute", 1), 10);
  EXPECT_EQ(found.value(kCriticalPath, "MPI_Test", 0), 16 - 11);
  EXPECT_EQ(found.value(kCriticalPath, "compute", 0), 4);
}

}  // namespace
}  // namespace tarry
