// late_sender_polled_test.cpp -- Late Sender of receives that the program polls for: which calls wait, and how long.
#include <gtest/gtest.h>

#include "analysis_of.hpp"

namespace tarry {
namespace {

using enum Metric;

// Rank 1 works for so long and sends.
void send_at(SyntheticTrace& trace, Ticks time) {
  trace.edit_definitions().clock.ticks_per_second = 1e5;  // up to two ticks are a short time
  trace.on(1).visit(0, time, "compute").enter(time, "MPI_Send").send(time, 0).leave(time + 1);
}

TEST(LateSenderPolled, IsTheTimeInTestsUntilTheMessageIsSent) {
  SyntheticTrace trace(2);
  trace.on(0).enter(0, "main").enter(0, "MPI_Irecv").irecv_request(0, 1).leave(1);
  trace.on(0).visit(2, 4, "MPI_Test").visit(5, 8, "MPI_Test").visit(9, 12, "MPI_Test");
  trace.on(0).enter(12, "MPI_Test").irecv(13, 1, 1).leave(13).leave(14);
  send_at(trace, 10);
  AnalysisOf found(trace);
  EXPECT_EQ(found.value(kLateSender, "main/MPI_Test", 0), 10 - 2);
  EXPECT_EQ(found.value(kLateSenderPolled, "main/MPI_Test", 0), 10 - 2);
  EXPECT_EQ(found.value(kTime, "main/MPI_Test", 0), 13 - 2);  // with the time between them
  EXPECT_EQ(found.value(kLateSenderComms, "main/MPI_Test", 0), 1);
  EXPECT_EQ(found.total(kDelayLateSenderAll), 10 - 2);
  EXPECT_EQ(found.faults(), 0u);
  AnalysisOf reference(trace, Compatibility::reference());
  EXPECT_EQ(reference.total(kLateSender), 0);
}

// Of two messages one comes at 10, while the program asks for it. The other one comes while MPI_Waitall waits.
TEST(LateSenderPolled, EndsWithACallThatCompletesMany) {
  SyntheticTrace trace(2);
  const char* const kPoll = "MPI_Request_get_status";
  trace.on(0).enter(0, "MPI_Irecv").irecv_request(0, 1).leave(1).enter(1, "MPI_Irecv").irecv_request(1, 2).leave(2);
  trace.on(0).visit(2, 4, kPoll).visit(4, 8, kPoll).visit(8, 12, kPoll);
  trace.on(0).enter(12, "MPI_Waitall").irecv(21, 1, 1).irecv(21, 2, 1).leave(21);
  send_at(trace, 10);
  trace.on(1).enter(20, "MPI_Send").send(20, 0).leave(21);
  AnalysisOf found(trace);
  EXPECT_EQ(found.value(kLateSenderPolled, kPoll, 0), 10 - 2);
  EXPECT_EQ(found.value(kLateSender, kPoll, 0), 10 - 2);
  EXPECT_EQ(found.value(kLateSender, "MPI_Waitall", 0), 20 - 12);
}

TEST(LateSenderPolled, ReceivesAfterProbes) {
  SyntheticTrace trace(2);
  trace.on(0).visit(0, 4, "MPI_Iprobe").visit(4, 9, "MPI_Iprobe").visit(9, 12, "MPI_Iprobe");
  trace.on(0).enter(12, "MPI_Recv").recv(13, 1).leave(13);
  send_at(trace, 10);
  AnalysisOf found(trace);
  EXPECT_EQ(found.value(kLateSenderPolled, "MPI_Iprobe", 0), 10);
  EXPECT_EQ(found.total(kDelayLateSenderAll), 10);
}

TEST(LateSenderPolled, WhoWorksBetweenTestsDoesNotWait) {
  SyntheticTrace trace(2);
  trace.on(0).enter(0, "main").enter(0, "MPI_Irecv").irecv_request(0, 1).leave(1);
  trace.on(0).visit(1, 3, "MPI_Test").visit(6, 8, "MPI_Test").visit(20, 22, "MPI_Test").visit(23, 24, "MPI_Test");
  trace.on(0).enter(26, "MPI_Test").irecv(27, 1, 1).leave(27).leave(28);
  send_at(trace, 25);
  AnalysisOf found(trace);
  EXPECT_EQ(found.total(kLateSenderPolled), 24 - 20);  // only the last two polls are close to each other
}

// The thread was blocked for so long until then.
void blocked(SyntheticStream& on, Ticks time, std::uint64_t ticks) {
  on.add(time, record::Attribute{.attribute = kBlockedAttribute, .value = ticks});
}

// Rank 0 tests, and sleeps from 6 to 20 and from 25 to 40.
void sleep_between_tests(SyntheticTrace& trace) {
  trace.on(0).enter(0, "main").enter(0, "MPI_Irecv").irecv_request(0, 1).leave(1).visit(2, 4, "MPI_Test");
  blocked(trace.on(0), 20, 14);
  trace.on(0).visit(20, 22, "MPI_Test");
  blocked(trace.on(0), 40, 15);
  trace.on(0).enter(40, "MPI_Test").irecv(41, 1, 1).leave(41).leave(42);
}

TEST(LateSenderPolled, WhoSleepsBetweenTestsWaits) {
  SyntheticTrace trace(2);
  sleep_between_tests(trace);
  send_at(trace, 30);
  AnalysisOf found(trace);
  const double asleep = 14 + 15, waited = (4 - 2) + 14 + (22 - 20) + (30 - 25);
  EXPECT_EQ(found.value(kLateSenderPolled, "main/MPI_Test", 0), waited);
  EXPECT_EQ(found.value(kTime, "main/MPI_Test", 0), 2 + 2 + 1 + asleep);
  EXPECT_EQ(found.value(kTime, "main", 0), 42 - (2 + 2 + 1 + asleep) - 1);
  EXPECT_EQ(found.total(kBlocked), 0);
  EXPECT_EQ(found.total(kDelayLateSenderAll), waited);
  AnalysisOf reference(trace, Compatibility::reference());
  EXPECT_EQ(reference.total(kLateSender), 0);
  EXPECT_EQ(reference.value(kTime, "main/MPI_Test", 0), 2 + 2 + 1);
}

TEST(LateSenderPolled, AMessageThatIsSentBeforeASleepIsNotWaitedForInIt) {
  SyntheticTrace trace(2);
  sleep_between_tests(trace);
  send_at(trace, 24);
  AnalysisOf found(trace);
  EXPECT_EQ(found.total(kLateSenderPolled), 2 + 14 + 2);
  EXPECT_EQ(found.total(kDelayLateSenderAll), 2 + 14 + 2);
}

TEST(LateSenderPolled, WhoWorksMostOfTheTimeDoesNotWaitWhereItSleeps) {
  SyntheticTrace trace(2);
  trace.on(0).enter(0, "main").enter(0, "MPI_Irecv").irecv_request(0, 1).leave(1).visit(2, 4, "MPI_Test");
  blocked(trace.on(0), 20, 7);
  trace.on(0).enter(20, "MPI_Test").irecv(41, 1, 1).leave(41).leave(42);
  send_at(trace, 30);
  AnalysisOf found(trace);
  EXPECT_EQ(found.total(kLateSender), 0);
  EXPECT_EQ(found.value(kBlocked, "main", 0), 7);
}

TEST(LateSenderPolled, WhoIsBlockedInAnotherFunctionDoesNotWait) {
  SyntheticTrace trace(2);
  trace.on(0).enter(0, "main").enter(0, "MPI_Irecv").irecv_request(0, 1).leave(1).visit(2, 4, "MPI_Test");
  trace.on(0).enter(5, "read");
  blocked(trace.on(0), 20, 15);
  trace.on(0).leave(20).enter(20, "MPI_Test").irecv(41, 1, 1).leave(41).leave(42);
  send_at(trace, 30);
  AnalysisOf found(trace);
  EXPECT_EQ(found.total(kLateSender), 0);
  EXPECT_EQ(found.value(kBlocked, "main/read", 0), 15);
}

TEST(LateSenderPolled, ASingleTestNeverWaits) {
  SyntheticTrace trace(2);
  trace.on(0).enter(0, "MPI_Irecv").irecv_request(0, 1).leave(1);
  trace.on(0).enter(2, "MPI_Test").irecv(9, 1, 1).leave(9);
  send_at(trace, 8);
  AnalysisOf found(trace);
  EXPECT_EQ(found.total(kLateSender), 0);
}

TEST(LateSenderPolled, TheTestThatSucceedsWaitsBehindOthers) {
  SyntheticTrace trace(2);
  trace.on(0).enter(0, "MPI_Irecv").irecv_request(0, 1).leave(1);
  trace.on(0).visit(1, 3, "MPI_Test").enter(3, "MPI_Test").irecv(9, 1, 1).leave(9);
  send_at(trace, 8);
  AnalysisOf found(trace);
  EXPECT_EQ(found.value(kLateSenderPolled, "MPI_Test", 0), 2 + 5);
}

TEST(LateSenderPolled, EachCallThatCompletesSomethingEndsTheRun) {
  SyntheticTrace trace(2);
  trace.on(0).enter(0, "MPI_Irecv").irecv_request(0, 1).irecv_request(0, 2).leave(1);
  trace.on(0).visit(1, 3, "MPI_Testsome").enter(3, "MPI_Testsome").irecv(6, 1, 1).leave(6);
  trace.on(0).visit(6, 9, "MPI_Testsome").enter(9, "MPI_Testsome").irecv(13, 2, 1).leave(13);
  trace.on(1).enter(4, "MPI_Send").send(4, 0).leave(5).enter(11, "MPI_Send").send(11, 0).leave(12);
  AnalysisOf found(trace);
  EXPECT_EQ(found.value(kLateSenderPolled, "MPI_Testsome", 0), 3 + 5);
  EXPECT_EQ(found.value(kLateSenderComms, "MPI_Testsome", 0), 2);
}

TEST(LateSenderPolled, AReceiveThatWaitsItselfHasNotBeenSeenByProbes) {
  SyntheticTrace trace(2);
  trace.on(0).visit(0, 4, "MPI_Iprobe").visit(4, 9, "MPI_Iprobe").enter(9, "MPI_Recv").recv(13, 1).leave(13);
  send_at(trace, 12);
  AnalysisOf found(trace);
  EXPECT_EQ(found.total(kLateSenderPolled), 0);
  EXPECT_EQ(found.value(kLateSender, "MPI_Recv", 0), 3);
}

TEST(LateSenderPolled, OfTestsAndProbesInTurnThoseOfTheKindCount) {
  SyntheticTrace trace(2);
  trace.on(0).enter(0, "MPI_Irecv").irecv_request(0, 1).leave(1);
  trace.on(0).visit(1, 4, "MPI_Testsome").visit(4, 6, "MPI_Iprobe").visit(6, 9, "MPI_Testsome");
  trace.on(0).visit(9, 11, "MPI_Iprobe").enter(11, "MPI_Testsome").irecv(12, 1, 1).leave(12);
  send_at(trace, 10);
  AnalysisOf found(trace);
  EXPECT_EQ(found.value(kLateSenderPolled, "MPI_Testsome", 0), 6);
  EXPECT_EQ(found.total(kLateSenderPolled), 6);
}

TEST(LateSenderPolled, ARequestWhoseStatusIsAskedFor) {
  SyntheticTrace trace(2);
  trace.on(0).enter(0, "MPI_Irecv").irecv_request(0, 1).leave(1);
  trace.on(0).visit(1, 4, "MPI_Request_get_status").visit(4, 9, "MPI_Request_get_status");
  trace.on(0).enter(9, "MPI_Wait").irecv(10, 1, 1).leave(10);
  send_at(trace, 7);
  AnalysisOf found(trace);
  EXPECT_EQ(found.value(kLateSenderPolled, "MPI_Request_get_status", 0), 6);
}

TEST(LateSenderPolled, ThePathLeadsToTheSender) {
  SyntheticTrace trace(2);
  for (const int rank : {0, 1}) trace.on(rank).visit(0, 1, "MPI_Init");
  trace.on(0).enter(1, "MPI_Irecv").irecv_request(1, 1).leave(1);
  trace.on(0).visit(1, 4, "MPI_Test").visit(4, 9, "MPI_Test").visit(9, 14, "MPI_Test");
  trace.on(0).enter(14, "MPI_Test").irecv(15, 1, 1).leave(15).visit(15, 20, "compute").visit(20, 21, "MPI_Finalize");
  trace.on(1).visit(1, 11, "compute").enter(11, "MPI_Send").send(11, 0).leave(12).visit(12, 21, "MPI_Finalize");
  AnalysisOf found(trace);
  EXPECT_EQ(found.value(kCriticalPath, "compute", 1), 10);
  EXPECT_EQ(found.value(kCriticalPath, "MPI_Test", 0), 15 - 11);
  EXPECT_EQ(found.value(kCriticalPath, "compute", 0), 5);
}

}  // namespace
}  // namespace tarry
