// late_sender_test.cpp -- Late Sender on traces whose waiting times follow from how they are written down.
#include <gtest/gtest.h>

#include "analysis_of.hpp"

namespace tarry {
namespace {

using enum Metric;

TEST(LateSender, WaitsFromItsEnterToTheSendersEnter) {
  SyntheticTrace trace(2);
  trace.on(0).enter(0, "main").enter(5, "MPI_Send").send(6, 1).leave(7).leave(9);
  trace.on(1).enter(0, "main").enter(2, "MPI_Recv").recv(8, 0).leave(8).leave(9);
  AnalysisOf found(trace);
  EXPECT_EQ(found.value(kLateSender, "main/MPI_Recv", 1), 3);
  EXPECT_EQ(found.total(kLateSender), 3);
  EXPECT_EQ(found.total(kLateSenderComms), 1);
  EXPECT_EQ(found.total(kLateSenderSyncs), 0);
  EXPECT_EQ(found.total(kLateReceiver), 0);
  EXPECT_EQ(found.faults(), 0u);
}

TEST(LateSender, NothingIfBothEnterAtTheSameTime) {
  SyntheticTrace trace(2);
  trace.on(0).enter(0, "main").enter(2, "MPI_Send").send(2, 1).leave(3).leave(9);
  trace.on(1).enter(0, "main").enter(2, "MPI_Recv").recv(8, 0).leave(8).leave(9);
  AnalysisOf found(trace);
  EXPECT_EQ(found.total(kLateSender), 0);
  EXPECT_EQ(found.total(kLateSenderComms), 0);
  EXPECT_EQ(found.total(kCommsReceive), 1);
}

// Clocks that are off let a message arrive before it is sent: no wait is longer than its call.
TEST(LateSender, EndsWithTheCallAtTheLatest) {
  SyntheticTrace trace(2);
  trace.on(0).enter(0, "main").enter(10, "MPI_Send").send(10, 1).leave(11).leave(12);
  trace.on(1).enter(0, "main").enter(2, "MPI_Recv").recv(6, 0).leave(6).leave(12);
  EXPECT_EQ(AnalysisOf(trace).total(kLateSender), 4);
}

TEST(LateSender, CountsMessagesOfZeroBytesAsSynchronisations) {
  SyntheticTrace trace(2);
  trace.on(0).enter(0, "main").enter(5, "MPI_Send").send(5, 1, 0).leave(7).leave(9);
  trace.on(1).enter(0, "main").enter(2, "MPI_Recv").recv(8, 0, 0).leave(8).leave(9);
  AnalysisOf found(trace);
  EXPECT_EQ(found.total(kLateSender), 3);
  EXPECT_EQ(found.total(kLateSenderSyncs), 1);
  EXPECT_EQ(found.total(kLateSenderComms), 0);
}

// Three processes send at 5, 8 and 6; rank 3 completes what it posted in one call that it enters at 2.
void add_three_senders(SyntheticTrace& trace, const std::string& completing_call) {
  trace.on(0).enter(0, "main").enter(5, "MPI_Send").send(5, 3).leave(6).leave(20);
  trace.on(1).enter(0, "main").enter(8, "MPI_Send").send(8, 3, 0).leave(9).leave(20);
  trace.on(2).enter(0, "main").enter(6, "MPI_Send").send(6, 3).leave(7).leave(20);
  trace.on(3)
      .enter(0, "main")
      .enter(1, "MPI_Irecv")
      .irecv_request(1, 10)
      .irecv_request(1, 11)
      .irecv_request(1, 12)
      .leave(1);
  trace.on(3).enter(2, completing_call).irecv(6, 10, 0).irecv(9, 11, 1).irecv(9, 12, 2).leave(9).leave(20);
}

TEST(LateSender, OfACallThatCompletesManyTheLongestCountsOnce) {
  for (const char* call : {"MPI_Waitall", "MPI_Waitsome"}) {
    SyntheticTrace trace(4);
    add_three_senders(trace, call);
    AnalysisOf found(trace);
    EXPECT_EQ(found.value(kLateSender, std::string("main/") + call, 3), 6) << call;
    EXPECT_EQ(found.total(kLateSender), 6) << call;
    EXPECT_EQ(found.total(kLateSenderSyncs), 1) << call;  // the message of rank 1
    EXPECT_EQ(found.total(kLateSenderComms), 0) << call;
  }
}

TEST(LateSender, OfOtherCallsEachReceiveCounts) {
  SyntheticTrace trace(4);
  add_three_senders(trace, "MPI_Waitany");
  EXPECT_EQ(AnalysisOf(trace).total(kLateSender), 3 + 6 + 4);
}

TEST(LateSender, TestFunctionsNeverWait) {
  for (const char* call : {"MPI_Test", "MPI_Testany", "MPI_Testall", "MPI_Testsome"}) {
    SyntheticTrace trace(4);
    add_three_senders(trace, call);
    AnalysisOf found(trace);
    EXPECT_EQ(found.total(kLateSender), 0) << call;
    EXPECT_EQ(found.total(kCommsReceive) + found.total(kSyncsReceive), 3) << call;
  }
}

TEST(LateSender, OfEqualWaitsInOneCallTheFirstCounts) {
  SyntheticTrace trace(3);
  trace.on(0).enter(0, "main").enter(5, "MPI_Send").send(5, 2, 0).leave(6).leave(20);
  trace.on(1).enter(0, "main").enter(5, "MPI_Send").send(5, 2, 8).leave(6).leave(20);
  trace.on(2).enter(0, "main").enter(1, "MPI_Irecv").irecv_request(1, 1).irecv_request(1, 2).leave(1);
  trace.on(2).enter(2, "MPI_Waitall").irecv(6, 1, 0, 0).irecv(6, 2, 1).leave(7).leave(20);
  AnalysisOf found(trace);
  EXPECT_EQ(found.total(kLateSender), 3);
  EXPECT_EQ(found.total(kLateSenderSyncs), 1);
}

TEST(LateSender, OfANonBlockingSendTheCallThatStartsItCounts) {
  SyntheticTrace trace(2);
  trace.on(0).enter(0, "main").enter(4, "MPI_Isend").isend(4, 1, 1).leave(5);
  trace.on(0).enter(7, "MPI_Wait").isend_complete(8, 1).leave(8).leave(9);
  trace.on(1).enter(0, "main").enter(1, "MPI_Irecv").irecv_request(1, 5).leave(1);
  trace.on(1).enter(2, "MPI_Wait").irecv(8, 5, 0).leave(8).leave(9);
  AnalysisOf found(trace);
  EXPECT_EQ(found.value(kLateSender, "main/MPI_Wait", 1), 2);
  EXPECT_EQ(found.total(kLateSender), 2);
}

// The same requests are started twice.
TEST(LateSender, PersistentRequests) {
  SyntheticTrace trace(2);
  trace.on(0).enter(0, "main");
  trace.on(1).enter(0, "main");
  for (const Ticks at : {0, 100}) {
    trace.on(0).enter(at + 4, "MPI_Start").isend(at + 4, 1, 1).leave(at + 5);
    trace.on(0).enter(at + 7, "MPI_Wait").isend_complete(at + 8, 1).leave(at + 8);
    trace.on(1).enter(at + 1, "MPI_Start").irecv_request(at + 1, 5).leave(at + 1);
    trace.on(1).enter(at + 2, "MPI_Wait").irecv(at + 8, 5, 0).leave(at + 8);
  }
  trace.on(0).leave(200);
  trace.on(1).leave(200);
  AnalysisOf found(trace);
  EXPECT_EQ(found.value(kLateSender, "main/MPI_Wait", 1), 2 + 2);
  EXPECT_EQ(found.faults(), 0u);
}

TEST(LateSender, MessagesToItselfAreLikeAnyOther) {
  SyntheticTrace trace(1);
  trace.on(0).enter(0, "main").enter(1, "MPI_Irecv").irecv_request(1, 1).leave(1);
  trace.on(0).enter(2, "MPI_Send").send(2, 0).leave(3).enter(4, "MPI_Wait").irecv(5, 1, 0).leave(5).leave(6);
  AnalysisOf found(trace);
  EXPECT_EQ(found.total(kLateSender), 0);  // it had been sent when the wait began
  EXPECT_EQ(found.total(kBytesReceived), 8);
}

// Two sends at 1 and 5, two receives; the one posted second is waited for first. MPI gives it the second message.
void add_receives_completed_out_of_order(SyntheticTrace& trace) {
  trace.on(0)
      .enter(0, "main")
      .enter(1, "MPI_Send")
      .send(1, 1)
      .leave(2)
      .enter(5, "MPI_Send")
      .send(5, 1)
      .leave(6)
      .leave(9);
  trace.on(1).enter(0, "main").enter(0, "MPI_Irecv").irecv_request(0, 1).irecv_request(1, 2).leave(1);
  trace.on(1).enter(2, "MPI_Wait").irecv(6, 2, 0).leave(6).enter(7, "MPI_Wait").irecv(7, 1, 0).leave(7).leave(9);
}

TEST(LateSender, ReceivesTakeMessagesInTheOrderOfPosting) {
  SyntheticTrace trace(2);
  add_receives_completed_out_of_order(trace);
  EXPECT_EQ(AnalysisOf(trace).total(kLateSender), 3);
}

TEST(LateSender, WithTheSwitchInTheOrderOfCompletion) {
  SyntheticTrace trace(2);
  add_receives_completed_out_of_order(trace);
  EXPECT_EQ(AnalysisOf(trace, {.match_by_completion = true}).total(kLateSender), 0);
}

TEST(LateSender, OverAnInterCommunicatorRanksAreThoseOfTheOtherSide) {
  SyntheticTrace trace(3);
  const std::uint64_t bridge = trace.comm({0}, {2, 1});
  trace.on(1).enter(0, "main").enter(5, "MPI_Send").send(5, 0, 8, 0, bridge).leave(6).leave(9);
  trace.on(2).enter(0, "main").leave(9);
  trace.on(0).enter(0, "main").enter(2, "MPI_Recv").recv(6, 1, 8, 0, bridge).leave(6).leave(9);
  AnalysisOf found(trace);
  EXPECT_EQ(found.value(kLateSender, "main/MPI_Recv", 0), 3);
  EXPECT_EQ(found.faults(), 0u);
}

}  // namespace
}  // namespace tarry
