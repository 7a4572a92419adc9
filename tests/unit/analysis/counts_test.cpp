// counts_test.cpp -- how many messages and bytes each call path sends and receives.
#include <gtest/gtest.h>

#include "analysis_of.hpp"

namespace tarry {
namespace {

using enum Metric;

TEST(Counts, BothSidesGoByTheSendersRecord) {
  SyntheticTrace trace(2);
  trace.on(0)
      .enter(0, "main")
      .enter(1, "MPI_Send")
      .send(1, 1, 100)
      .leave(2)
      .enter(3, "MPI_Send")
      .send(3, 1, 0)
      .leave(4)
      .leave(9);
  trace.on(1)
      .enter(0, "main")
      .enter(1, "MPI_Recv")
      .recv(2, 0, 4000)
      .leave(2)
      .enter(3, "MPI_Recv")
      .recv(4, 0, 9)
      .leave(4)
      .leave(9);
  AnalysisOf found(trace);
  EXPECT_EQ(found.value(kBytesSent, "main/MPI_Send", 0), 100);
  EXPECT_EQ(found.value(kBytesReceived, "main/MPI_Recv", 1), 100);
  EXPECT_EQ(found.total(kBytes), 200);
  EXPECT_EQ(found.total(kCommsSend), 1);
  EXPECT_EQ(found.total(kSyncsSend), 1);
  EXPECT_EQ(found.total(kCommsReceive), 1);
  EXPECT_EQ(found.total(kSyncsReceive), 1);
  EXPECT_EQ(found.total(kComms), 2);
  EXPECT_EQ(found.total(kSyncs), 2);
}

TEST(Counts, CancelledSendsCountAtTheSenderOnly) {
  SyntheticTrace trace(2);
  trace.on(0)
      .enter(0, "main")
      .enter(1, "MPI_Isend")
      .isend(1, 1, 1, 10)
      .leave(2)
      .enter(3, "MPI_Wait")
      .cancelled(4, 1)
      .leave(4);
  trace.on(0).enter(5, "MPI_Send").send(5, 1, 30).leave(6).leave(9);
  trace.on(1).enter(0, "main").enter(1, "MPI_Recv").recv(6, 0).leave(7).leave(9);
  AnalysisOf found(trace);
  EXPECT_EQ(found.total(kCommsSend), 2);
  EXPECT_EQ(found.total(kBytesSent), 40);
  EXPECT_EQ(found.total(kBytesReceived), 30);  // the cancelled one was not taken by the receive
  EXPECT_EQ(found.value(kLateSender, "main/MPI_Recv", 1), 4);
  EXPECT_EQ(found.faults(), 0u);
}

TEST(Counts, RecordsOutsideMpiFunctionsAreLeftOut) {
  SyntheticTrace trace(2);
  trace.on(0).enter(0, "main").send(1, 1).leave(9);
  trace.on(1).enter(0, "main").recv(2, 0).leave(9);
  AnalysisOf found(trace);
  EXPECT_EQ(found.total(kComms), 0);
}

}  // namespace
}  // namespace tarry
