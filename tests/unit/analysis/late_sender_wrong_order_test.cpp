// late_sender_wrong_order_test.cpp -- Messages in Wrong Order, and what the compatibility switches make of them.
#include <gtest/gtest.h>

#include "analysis_of.hpp"
#include "golden_traces.hpp"

namespace tarry {
namespace {

using enum Metric;

TEST(WrongOrder, AWaitWhileAnEarlierMessageOfAnotherProcessLayReady) {
  SyntheticTrace trace(3);
  add_messages_in_wrong_order(trace);
  AnalysisOf found(trace);
  EXPECT_EQ(found.total(kLateSender), 4);
  EXPECT_EQ(found.value(kLateSenderWrongOrder, "main/MPI_Recv", 0), 4);
  EXPECT_EQ(found.total(kWrongOrderDifferent), 4);
  EXPECT_EQ(found.total(kWrongOrderSame), 0);
  EXPECT_EQ(found.total(kWrongOrderComms), 1);
  EXPECT_EQ(found.total(kWrongOrderSyncs), 0);
}

TEST(WrongOrder, FromTheSameSource) {
  SyntheticTrace trace(2);
  trace.on(1)
      .enter(0, "main")
      .enter(3, "MPI_Send")
      .send(3, 0, 8, 1)
      .leave(4)
      .enter(5, "MPI_Send")
      .send(5, 0, 0, 2)
      .leave(6)
      .leave(20);
  trace.on(0)
      .enter(0, "main")
      .enter(1, "MPI_Recv")
      .recv(6, 1, 0, 2)
      .leave(6)
      .enter(7, "MPI_Recv")
      .recv(8, 1, 8, 1)
      .leave(8)
      .leave(20);
  AnalysisOf found(trace);
  EXPECT_EQ(found.total(kLateSenderWrongOrder), 4);
  EXPECT_EQ(found.total(kWrongOrderSame), 4);
  EXPECT_EQ(found.total(kWrongOrderDifferent), 0);
  EXPECT_EQ(found.total(kWrongOrderSyncs), 1);
}

TEST(WrongOrder, NotIfTheNextMessageWasSentLaterOrAtTheSameTime) {
  for (const Ticks sent : {5, 6}) {
    SyntheticTrace trace(3);
    add_messages_in_wrong_order(trace, sent, 6);
    EXPECT_EQ(AnalysisOf(trace).total(kLateSenderWrongOrder), 0) << sent;
  }
}

TEST(WrongOrder, AMessageReceivedInATestRevealsItToo) {
  SyntheticTrace trace(3);
  trace.on(1).enter(0, "main").enter(3, "MPI_Send").send(3, 0).leave(4).leave(20);
  trace.on(2).enter(0, "main").enter(5, "MPI_Send").send(5, 0).leave(6).leave(20);
  trace.on(0)
      .enter(0, "main")
      .enter(0, "MPI_Irecv")
      .irecv_request(0, 1)
      .leave(0)
      .enter(1, "MPI_Recv")
      .recv(6, 2)
      .leave(6);
  trace.on(0).enter(7, "MPI_Test").irecv(8, 1, 1).leave(8).leave(20);
  EXPECT_EQ(AnalysisOf(trace).total(kLateSenderWrongOrder), 4);
}

// Rank 0 waits 10 for rank 1, and 8 for a message without payload of rank 2. Then it receives what rank 2 sent at 5.
void add_two_waits_revealed_at_once(SyntheticTrace& trace) {
  trace.on(1).enter(0, "main").enter(10, "MPI_Send").send(10, 0).leave(11).leave(50);
  trace.on(2).enter(0, "main").enter(5, "MPI_Send").send(5, 0, 8, 9).leave(6);
  trace.on(2).enter(20, "MPI_Send").send(20, 0, 0).leave(21).leave(50);
  trace.on(0).enter(0, "main").enter(0, "first").enter(0, "MPI_Recv").recv(11, 1).leave(11).leave(11);
  trace.on(0)
      .enter(12, "MPI_Recv")
      .recv(21, 2, 0)
      .leave(21)
      .enter(22, "MPI_Recv")
      .recv(23, 2, 8, 9)
      .leave(23)
      .leave(50);
}

TEST(WrongOrder, EachWaitIsClassifiedByItself) {
  SyntheticTrace trace(3);
  add_two_waits_revealed_at_once(trace);
  AnalysisOf found(trace);
  EXPECT_EQ(found.total(kLateSenderWrongOrder), 18);
  EXPECT_EQ(found.value(kWrongOrderDifferent, "main/first/MPI_Recv", 0), 10);
  EXPECT_EQ(found.value(kWrongOrderSame, "main/MPI_Recv", 0), 8);
  EXPECT_EQ(found.total(kWrongOrderComms), 1);
  EXPECT_EQ(found.total(kWrongOrderSyncs), 1);
}

TEST(WrongOrder, WithTheSwitchTheFirstOneClassifiesAll) {
  SyntheticTrace trace(3);
  add_two_waits_revealed_at_once(trace);
  AnalysisOf found(trace, {.wrong_order_by_first = true});
  EXPECT_EQ(found.value(kLateSenderWrongOrder, "main/first/MPI_Recv", 0), 10);
  EXPECT_EQ(found.value(kLateSenderWrongOrder, "main/MPI_Recv", 0), 8);
  EXPECT_EQ(found.value(kWrongOrderDifferent, "main/first/MPI_Recv", 0), 18);
  EXPECT_EQ(found.total(kWrongOrderSame), 0);
  EXPECT_EQ(found.total(kWrongOrderComms), 2);
  EXPECT_EQ(found.total(kWrongOrderSyncs), 0);
}

// World rank 1, and world rank 2 as rank 1 of another communicator.
TEST(WrongOrder, WithTheSwitchSourcesAreComparedAsRanksInTheirCommunicators) {
  for (const bool is_on : {false, true}) {
    SyntheticTrace trace(3);
    const std::uint64_t pair = trace.comm({0, 2});
    trace.on(1).enter(0, "main").enter(5, "MPI_Send").send(5, 0).leave(6).leave(20);
    trace.on(2).enter(0, "main").enter(3, "MPI_Send").send(3, 0, 8, 0, pair).leave(4).leave(20);
    trace.on(0).enter(0, "main").enter(1, "MPI_Recv").recv(6, 1).leave(6);
    trace.on(0).enter(7, "MPI_Recv").recv(8, 1, 8, 0, pair).leave(8).leave(20);
    AnalysisOf found(trace, {.wrong_order_by_first = is_on});
    EXPECT_EQ(found.total(kWrongOrderSame), is_on ? 4 : 0);
    EXPECT_EQ(found.total(kWrongOrderDifferent), is_on ? 0 : 4);
  }
}

// 150 waits of 2 each, then a message that had been sent before all of them.
TEST(WrongOrder, WithTheSwitchOnlyTheLastHundredWaitsAreRemembered) {
  for (const bool is_on : {false, true}) {
    SyntheticTrace trace(3);
    trace.on(2).enter(0, "main").enter(1, "MPI_Send").send(1, 0).leave(2).leave(9999);
    trace.on(1).enter(0, "main");
    trace.on(0).enter(0, "main");
    for (Ticks at = 10; at < 10 + 150 * 10; at += 10) {
      trace.on(1).enter(at + 2, "MPI_Send").send(at + 2, 0).leave(at + 3);
      trace.on(0).enter(at, "MPI_Recv").recv(at + 3, 1).leave(at + 3);
    }
    trace.on(0).enter(5000, "MPI_Recv").recv(5001, 2).leave(5001).leave(9999);
    trace.on(1).leave(9999);
    AnalysisOf found(trace, {.short_wrong_order_memory = is_on});
    EXPECT_EQ(found.total(kLateSender), 300);
    EXPECT_EQ(found.total(kLateSenderWrongOrder), is_on ? 200 : 300);
  }
}

// A look at all earlier waits for each message would take minutes.
TEST(WrongOrder, ManyWaitsAreRemembered) {
  constexpr Ticks kWaits = 200'000;
  SyntheticTrace trace(3);
  trace.on(2).enter(0, "main").enter(1, "MPI_Send").send(1, 0).leave(2).leave(kWaits * 10 + 100);
  trace.on(1).enter(0, "main");
  trace.on(0).enter(0, "main");
  for (Ticks at = 10; at < 10 + kWaits * 10; at += 10) {
    trace.on(1).enter(at + 2, "MPI_Send").send(at + 2, 0).leave(at + 3);
    trace.on(0).enter(at, "MPI_Recv").recv(at + 3, 1).leave(at + 3);
  }
  const Ticks end = kWaits * 10 + 50;
  trace.on(0).enter(end, "MPI_Recv").recv(end + 1, 2).leave(end + 1).leave(end + 50);
  trace.on(1).leave(end + 50);
  EXPECT_EQ(AnalysisOf(trace).total(kLateSenderWrongOrder), 2 * kWaits);
}

}  // namespace
}  // namespace tarry
