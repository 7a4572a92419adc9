// match_messages_test.cpp -- which receive takes which send.
#include "replay/matching/match_messages.hpp"

#include <gtest/gtest.h>

#include "synthetic_source.hpp"

namespace tarry {
namespace {

// The world with its messages matched; bytes tell the sends apart.
class Matched {
 public:
  explicit Matched(SyntheticTrace& trace, MatchOrder order = MatchOrder::kPosted) : trace_(trace, exchange_, 2) {
    match_messages(trace_, order);
  }

  /// Bytes of the message that each receive of `rank` took, in the order of their records; -1: none.
  std::vector<int> taken(std::uint32_t rank) {
    std::vector<int> bytes;
    const LogicalRank& here = trace_.ranks()[rank];
    for (const Receive& receive : here.receives)
      bytes.push_back(receive.is_matched()
                          ? static_cast<int>(trace_.ranks()[here.sender_of(receive)].sends[receive.send].bytes)
                          : -1);
    return bytes;
  }

  Trace& trace() { return trace_; }

 private:
  Exchange exchange_;
  Trace trace_;
};

TEST(MatchMessages, ByCommunicatorPeerAndTagInOrder) {
  SyntheticTrace trace(3);
  const std::uint64_t other = trace.comm({0, 1, 2});
  trace.on(0)
      .enter(0, "MPI_Send")
      .send(0, 2, 10, 5)
      .send(1, 2, 11, 6)
      .send(2, 2, 12, 5)
      .send(3, 2, 13, 5, other)
      .leave(4);
  trace.on(1).enter(0, "MPI_Send").send(0, 2, 20, 5).leave(4);
  trace.on(2)
      .enter(0, "MPI_Recv")
      .recv(5, 0, 0, 6)
      .recv(6, 1, 0, 5)
      .recv(7, 0, 0, 5, other)
      .recv(8, 0, 0, 5)
      .recv(9, 0, 0, 5)
      .leave(9);
  Matched matched(trace);
  EXPECT_EQ(matched.taken(2), (std::vector<int>{11, 20, 13, 10, 12}));
  const LogicalRank& sender = matched.trace().ranks()[0];
  EXPECT_EQ(sender.receiver_of(sender.sends[2]), RankIndex(2));
  EXPECT_EQ(sender.sends[2].receive, ReceiveIndex(4));
  EXPECT_EQ(trace.faults().total(), 0u);
}

void add_out_of_order(SyntheticTrace& trace) {
  trace.on(0).enter(0, "MPI_Send").send(1, 1, 10).send(5, 1, 20).leave(6);
  trace.on(1).enter(0, "MPI_Irecv").irecv_request(0, 1).irecv_request(0, 2).leave(0);
  trace.on(1).enter(1, "MPI_Waitany").irecv(6, 2, 0).irecv(7, 1, 0).leave(7);
}

TEST(MatchMessages, InTheOrderOfPostingOrOfCompletion) {
  SyntheticTrace trace(2);
  add_out_of_order(trace);
  EXPECT_EQ(Matched(trace, MatchOrder::kPosted).taken(1), (std::vector<int>{20, 10}));
  EXPECT_EQ(Matched(trace, MatchOrder::kCompleted).taken(1), (std::vector<int>{10, 20}));
}

TEST(MatchMessages, CancelledSendsAndReceivesTakeNoPart) {
  SyntheticTrace trace(2);
  trace.on(0).enter(0, "MPI_Isend").isend(0, 1, 1, 10).cancelled(1, 1).send(2, 1, 20).leave(3);
  trace.on(1).enter(0, "MPI_Irecv").irecv_request(0, 1).irecv_request(0, 2).cancelled(1, 1).irecv(4, 2, 0).leave(4);
  EXPECT_EQ(Matched(trace).taken(1), (std::vector<int>{20}));
  EXPECT_EQ(trace.faults().total(), 0u);
}

// Messages A, B and C are sent at 2, 5 and 8; `trace` has two processes of two threads.
void send_three(SyntheticTrace& trace) {
  for (const int k : {0, 1, 2}) trace.on(0).enter(2 + 3 * k, "MPI_Send").send(2 + 3 * k, 1, 10 + k).leave(3 + 3 * k);
}

// Thread 0 calls first, but thread 1 gets A and B before C is sent.
TEST(MatchMessages, AThreadThatIsDelayedInItsCallPostsLater) {
  SyntheticTrace trace(2, 2);
  send_three(trace);
  trace.on(1, 0).enter(0, "MPI_Recv").recv(9, 0).leave(9);
  trace.on(1, 1).enter(1, "MPI_Recv").recv(3, 0).leave(3).enter(4, "MPI_Recv").recv(6, 0).leave(6);
  EXPECT_EQ(Matched(trace).taken(1), (std::vector<int>{10, 11, 12}));
  EXPECT_EQ(Matched(trace, MatchOrder::kCompleted).taken(1), (std::vector<int>{10, 11, 12}));
}

TEST(MatchMessages, TheOrderOfPostingStaysWhereItIsPossible) {
  SyntheticTrace trace(2, 2);
  send_three(trace);
  trace.on(1, 0).enter(0, "MPI_Recv").recv(9, 0).leave(9);
  trace.on(1, 1).enter(1, "MPI_Recv").recv(6, 0).leave(6).enter(7, "MPI_Recv").recv(9, 0).leave(10);
  EXPECT_EQ(Matched(trace).taken(1), (std::vector<int>{11, 10, 12}));
}

// A call that is over before another one begins has posted its receive before it: here the clocks are wrong.
TEST(MatchMessages, OnlyCallsThatOverlapPostInAnotherOrder) {
  SyntheticTrace trace(2, 2);
  send_three(trace);
  trace.on(1, 0).enter(0, "MPI_Irecv").irecv_request(0, 1).leave(1).enter(7, "MPI_Wait").irecv(9, 1, 0).leave(9);
  trace.on(1, 1).enter(2, "MPI_Recv").recv(3, 0).leave(3).enter(4, "MPI_Recv").recv(6, 0).leave(6);
  EXPECT_EQ(Matched(trace).taken(1), (std::vector<int>{11, 12, 10}));
}

// The same with an MPI_Irecv that returns while the other thread is in its call.
TEST(MatchMessages, CallsThatStartARequestOverlap) {
  SyntheticTrace trace(2, 2);
  send_three(trace);
  trace.on(1, 0).enter(0, "MPI_Irecv").irecv_request(0, 1).leave(5).enter(7, "MPI_Wait").irecv(9, 1, 0).leave(9);
  trace.on(1, 1).enter(1, "MPI_Recv").recv(3, 0).leave(3).enter(4, "MPI_Recv").recv(6, 0).leave(6);
  EXPECT_EQ(Matched(trace).taken(1), (std::vector<int>{10, 11, 12}));
}

// The second receive ends before A is sent: no order helps, so none is made up.
TEST(MatchMessages, WithoutAPossibleOrderNothingChanges) {
  SyntheticTrace trace(2, 2);
  send_three(trace);
  trace.on(1, 0).enter(0, "MPI_Recv").recv(9, 0).leave(9);
  trace.on(1, 1).enter(0, "MPI_Recv").recv(1, 0).leave(1).enter(4, "MPI_Recv").recv(6, 0).leave(6);
  EXPECT_EQ(Matched(trace).taken(1), (std::vector<int>{11, 12, 10}));
}

// Three threads; the sends are fewer than the receives, and one is cancelled.
TEST(MatchMessages, ThreadsThatPassOneAnother) {
  SyntheticTrace trace(2, 3);
  trace.on(0).enter(0, "MPI_Isend").isend(0, 1, 1, 9).cancelled(1, 1).leave(1);
  send_three(trace);
  trace.on(1, 0).enter(0, "MPI_Recv").recv(10, 0).leave(10);
  trace.on(1, 1).enter(1, "MPI_Recv").recv(6, 0).leave(6).enter(11, "MPI_Recv").recv(12, 0).leave(12);
  trace.on(1, 2).enter(2, "MPI_Recv").recv(3, 0).leave(3);
  Matched matched(trace);
  EXPECT_EQ(matched.taken(1), (std::vector<int>{10, 11, 12, -1}));
  EXPECT_EQ(trace.faults().count(Fault::kUnmatchedReceive), 1u);
}

TEST(MatchMessages, WhatStaysOverIsCounted) {
  SyntheticTrace trace(2);
  trace.on(0).enter(0, "MPI_Send").send(0, 1, 10).send(1, 1, 11).leave(2);
  trace.on(1).enter(0, "MPI_Recv").recv(3, 0).recv(4, 0, 8, 7).leave(5);
  Matched matched(trace);
  EXPECT_EQ(matched.taken(1), (std::vector<int>{10, -1}));
  EXPECT_EQ(trace.faults().count(Fault::kUnmatchedSend), 1u);
  EXPECT_EQ(trace.faults().count(Fault::kUnmatchedReceive), 1u);
}

// Two receives of rank 1 are posted and freed: two messages may be theirs, of whatever sender. Not the third.
TEST(MatchMessages, AReceiveThatIsNotSeenToEndMayHaveTakenAMessage) {
  SyntheticTrace trace(3);
  trace.on(0).enter(0, "MPI_Send").send(0, 1, 10, 1).leave(1);
  trace.on(2).enter(0, "MPI_Send").send(0, 1, 11, 2).leave(1);
  trace.on(1).enter(0, "MPI_Irecv").irecv_request(0, 1).irecv_request(0, 2).irecv_request(0, 3);
  trace.on(1).cancelled(1, 3).leave(1);
  Matched matched(trace);
  EXPECT_EQ(trace.faults().total(), 0u);
  trace.on(2).enter(2, "MPI_Send").send(2, 1, 12, 3).send(3, 0, 13).leave(4);
  Matched again(trace);
  EXPECT_EQ(trace.faults().count(Fault::kUnmatchedSend), 2u);
  EXPECT_EQ(trace.faults().total(), 2u);
  EXPECT_EQ(trace.faults().places()[1].detail, "with rank 1, tag 3, at 2.000000 s");
}

TEST(MatchMessages, MembersThatAreNotInTheTrace) {
  SyntheticTrace trace(1);
  const std::uint64_t wide = trace.comm({0, 17});
  trace.on(0).enter(0, "MPI_Send").send(0, 1, 10, 0, wide).recv(1, 1, 10, 0, wide).leave(2);
  Matched matched(trace);
  EXPECT_EQ(trace.faults().count(Fault::kUnmatchedSend), 1u);
  EXPECT_EQ(trace.faults().count(Fault::kUnmatchedReceive), 1u);
}

}  // namespace
}  // namespace tarry
