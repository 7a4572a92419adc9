// scan_threads_test.cpp -- processes whose threads all call MPI: requests and the order of receives are the process's.
#include <gtest/gtest.h>

#include "analysis_of.hpp"

namespace tarry {
namespace {

using enum Metric;

// Thread 1 of rank 0 starts, thread 0 completes.
void start_and_complete(SyntheticTrace& trace) {
  trace.on(0, 1).enter(0, "MPI_Irecv").irecv_request(0, 7).leave(1);
  trace.on(0, 1).enter(1, "MPI_Isend").isend(1, 8, 1).leave(2);
  trace.on(0, 1).enter(2, "MPI_Ibarrier").collective_request(2, 9).leave(3);
  trace.on(0, 0).enter(3, "MPI_Wait").irecv(6, 7, 1).leave(6);
  trace.on(0, 0).enter(6, "MPI_Wait").isend_complete(9, 8).leave(9);
  trace.on(0, 0).enter(9, "MPI_Wait").collective_complete(14, 9, CollectiveOp::kBarrier).leave(14);
  trace.on(1, 0).enter(5, "MPI_Send").send(5, 0).leave(6).enter(8, "MPI_Recv").recv(9, 0).leave(9);
  trace.on(1, 0).enter(12, "MPI_Ibarrier").collective_request(12, 1).leave(13);
  trace.on(1, 0).enter(14, "MPI_Wait").collective_complete(15, 1, CollectiveOp::kBarrier).leave(15);
}

TEST(ThreadMultiple, OneThreadCompletesWhatAnotherStarted) {
  SyntheticTrace trace(2, 2);
  start_and_complete(trace);
  AnalysisOf found(trace);
  EXPECT_EQ(found.faults(), 0u);
  EXPECT_EQ(found.value(kLateSender, "MPI_Wait", 0), 2);
  EXPECT_EQ(found.value(kLateReceiver, "MPI_Wait", 0), 2);
  EXPECT_EQ(found.value(kCollectiveRequestWait, "MPI_Wait", 0), 3);
}

TEST(ThreadMultiple, ReceivesArePostedInOrderOfTime) {
  SyntheticTrace trace(2, 2);
  // Thread 1 posts first, so it gets the first message.
  trace.on(0, 0).enter(2, "MPI_Recv").recv(9, 1).leave(9);
  trace.on(0, 1).enter(1, "MPI_Recv").recv(5, 1).leave(5);
  trace.on(1, 0).enter(4, "MPI_Send").send(4, 0).leave(5).enter(8, "MPI_Send").send(8, 0).leave(9);
  AnalysisOf found(trace);
  EXPECT_EQ(found.value(kLateSender, "MPI_Recv", 0, 0), 6);
  EXPECT_EQ(found.value(kLateSender, "MPI_Recv", 0, 1), 3);
}

TEST(ThreadMultiple, ACompletionThatNobodyStartedIsNamed) {
  SyntheticTrace trace(2, 2);
  trace.on(0, 0).enter(3, "MPI_Wait").irecv(6, 7, 1).leave(6);
  AnalysisOf found(trace);
  EXPECT_EQ(found.faults(Fault::kUnknownRequest), 1u);
}

}  // namespace
}  // namespace tarry
