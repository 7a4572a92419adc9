// late_receiver_test.cpp -- Late Receiver on traces whose waiting times follow from how they are written down.
#include <gtest/gtest.h>

#include "analysis_of.hpp"

namespace tarry {
namespace {

using enum Metric;

// Rank 0 sends in `call` from 12 to `leave`; rank 1 enters MPI_Recv at 15.
void add_send(SyntheticTrace& trace, const std::string& call, Ticks leave) {
  trace.on(0).enter(0, "main").enter(12, call).send(13, 1).leave(leave).leave(30);
  trace.on(1).enter(0, "main").enter(15, "MPI_Recv").recv(18, 0).leave(18).leave(30);
}

TEST(LateReceiver, ASendThatBlocksWaitsForTheReceiveToBePosted) {
  for (const char* call : {"MPI_Send", "MPI_Ssend", "mpi_ssend_"}) {
    SyntheticTrace trace(2);
    trace.define_region("mpi_ssend_", Paradigm::kMpi, RegionRole::kPointToPoint);
    add_send(trace, call, 17);
    AnalysisOf found(trace);
    EXPECT_EQ(found.value(kLateReceiver, std::string("main/") + call, 0), 3) << call;
    EXPECT_EQ(found.total(kLateReceiver), 3) << call;
    EXPECT_EQ(found.total(kLateReceiverComms), 1) << call;
    EXPECT_EQ(found.total(kLateSender), 0) << call;
  }
}

TEST(LateReceiver, NothingIfTheSendHadReturnedBefore) {
  for (const Ticks leave : {14, 15}) {
    SyntheticTrace trace(2);
    add_send(trace, "MPI_Send", leave);
    EXPECT_EQ(AnalysisOf(trace).total(kLateReceiver), 0) << leave;
  }
}

TEST(LateReceiver, OtherSendsDoNotWait) {
  for (const char* call : {"MPI_Bsend", "MPI_Rsend", "MPI_Sendrecv", "MPI_Sendrecv_replace"}) {
    SyntheticTrace trace(2);
    add_send(trace, call, 17);
    EXPECT_EQ(AnalysisOf(trace).total(kLateReceiver), 0) << call;
  }
}

TEST(LateReceiver, OfANonBlockingSendTheWaitCounts) {
  SyntheticTrace trace(2);
  trace.on(0)
      .enter(0, "main")
      .enter(1, "MPI_Isend")
      .isend(1, 1, 1)
      .leave(2)
      .enter(3, "MPI_Wait")
      .isend_complete(9, 1)
      .leave(9);
  trace.on(0).leave(20);
  trace.on(1).enter(0, "main").enter(7, "MPI_Irecv").irecv_request(7, 1).leave(8);
  trace.on(1).enter(12, "MPI_Wait").irecv(13, 1, 0).leave(13).leave(20);
  AnalysisOf found(trace);
  EXPECT_EQ(found.value(kLateReceiver, "main/MPI_Wait", 0), 4);  // posted at 7, not at 12
  EXPECT_EQ(found.total(kLateReceiver), 4);
}

TEST(LateReceiver, TestsAndRequestsThatNeverCompleteDoNotWait) {
  SyntheticTrace trace(2);
  trace.on(0).enter(0, "main").enter(1, "MPI_Isend").isend(1, 1, 1).isend(1, 2, 1, 8, 7).leave(2);
  trace.on(0).enter(3, "MPI_Test").isend_complete(19, 1).leave(19).leave(30);
  trace.on(1).enter(0, "main").enter(7, "MPI_Recv").recv(8, 0).leave(8);
  trace.on(1).enter(9, "MPI_Recv").recv(10, 0, 8, 7).leave(10).leave(30);
  AnalysisOf found(trace);
  EXPECT_EQ(found.total(kLateReceiver), 0);
  EXPECT_EQ(found.faults(), 0u);
}

// Rank 0 completes sends to 1 and 2 in one call from 3 to 20; the receives are posted at 7 and `second`.
void add_two_sends(SyntheticTrace& trace, Ticks second) {
  trace.on(0).enter(0, "main").enter(1, "MPI_Isend").isend(1, 1, 1).isend(2, 2, 2, 0).leave(2);
  trace.on(0).enter(3, "MPI_Waitall").isend_complete(20, 1).isend_complete(20, 2).leave(20).leave(30);
  trace.on(1).enter(0, "main").enter(7, "MPI_Recv").recv(8, 0).leave(8).leave(30);
  trace.on(2).enter(0, "main").enter(second, "MPI_Recv").recv(18, 0, 0).leave(18).leave(30);
}

TEST(LateReceiver, OfACallThatCompletesManyTheLongestCountsOnce) {
  SyntheticTrace trace(3);
  add_two_sends(trace, 13);
  AnalysisOf found(trace);
  EXPECT_EQ(found.value(kLateReceiver, "main/MPI_Waitall", 0), 10);
  EXPECT_EQ(found.total(kLateReceiverSyncs), 1);
  EXPECT_EQ(found.total(kLateReceiverComms), 0);
}

TEST(LateReceiver, OfEqualWaitsInOneCallTheLatestSendCounts) {
  SyntheticTrace trace(3);
  add_two_sends(trace, 7);
  AnalysisOf found(trace);
  EXPECT_EQ(found.total(kLateReceiver), 4);
  EXPECT_EQ(found.total(kLateReceiverSyncs), 1);  // the second send has no payload
}

TEST(LateReceiver, IsLeftOutOfCallsThatWaitForALateSender) {
  SyntheticTrace trace(2);
  trace.on(0)
      .enter(0, "main")
      .enter(1, "MPI_Isend")
      .isend(1, 1, 1)
      .leave(1)
      .enter(2, "MPI_Irecv")
      .irecv_request(2, 2)
      .leave(2);
  trace.on(0).enter(3, "MPI_Waitall").isend_complete(12, 1).irecv(12, 2, 1).leave(12).leave(20);
  trace.on(1)
      .enter(0, "main")
      .enter(5, "MPI_Send")
      .send(5, 0)
      .leave(6)
      .enter(9, "MPI_Recv")
      .recv(11, 0)
      .leave(11)
      .leave(20);
  AnalysisOf found(trace);
  EXPECT_EQ(found.total(kLateSender), 2);
  EXPECT_EQ(found.total(kLateReceiver), 0);
}

}  // namespace
}  // namespace tarry
