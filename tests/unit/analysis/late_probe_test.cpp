// late_probe_test.cpp -- Late Sender in probes: whose message each waits for, and how long.
#include <gtest/gtest.h>

#include "analysis_of.hpp"

namespace tarry {
namespace {

using enum Metric;

TEST(LateProbe, WaitsForTheMessageOfTheNextReceive) {
  SyntheticTrace trace(3);
  trace.on(0).visit(1, 6, "MPI_Probe").enter(7, "MPI_Recv").recv(8, 1).leave(8);
  trace.on(0).enter(8, "MPI_Recv").recv(10, 2).leave(10);
  trace.on(1).visit(0, 5, "compute").enter(5, "MPI_Send").send(5, 0).leave(6);
  trace.on(2).enter(0, "MPI_Send").send(0, 0).leave(1);
  AnalysisOf found(trace);
  EXPECT_EQ(found.value(kLateSender, "MPI_Probe", 0), 4);
  EXPECT_EQ(found.total(kLateSender), 4);
  EXPECT_EQ(found.value(kLateSenderComms, "MPI_Probe", 0), 1);
  EXPECT_EQ(found.total(kDelayLateSenderAll), 4);
  EXPECT_EQ(AnalysisOf(trace, Quirks::compat()).total(kLateSender), 0);
}

TEST(LateProbe, MatchedProbesBelongToMatchedReceivesInOrder) {
  SyntheticTrace trace(2);
  trace.on(0).visit(1, 4, "MPI_Mprobe").visit(4, 9, "MPI_Mprobe");
  trace.on(0).enter(9, "MPI_Recv").recv(10, 1, 8, 3).leave(10);
  trace.on(0).enter(10, "MPI_Mrecv").recv(11, 1, 8, 1).leave(11);
  trace.on(0).enter(11, "MPI_Mrecv").recv(12, 1, 8, 2).leave(12);
  trace.on(1).enter(0, "MPI_Send").send(0, 0, 8, 3).leave(1);
  trace.on(1).enter(3, "MPI_Send").send(3, 0, 8, 1).leave(4);
  trace.on(1).enter(8, "MPI_Send").send(8, 0, 8, 2).leave(9);
  AnalysisOf found(trace);
  EXPECT_EQ(found.value(kLateSender, "MPI_Mprobe", 0), 2 + 4);
}

TEST(LateProbe, OfAReceiveThatCompletesLater) {
  SyntheticTrace trace(2);
  trace.on(0).visit(1, 6, "MPI_Probe").enter(6, "MPI_Irecv").irecv_request(6, 1).leave(7);
  trace.on(0).enter(7, "MPI_Wait").irecv(9, 1, 1).leave(9);
  trace.on(1).enter(3, "MPI_Send").send(3, 0).leave(4);
  AnalysisOf found(trace);
  EXPECT_EQ(found.value(kLateSender, "MPI_Probe", 0), 2);
  EXPECT_EQ(found.total(kLateSender), 2);
}

TEST(LateProbe, WithoutAReceiveNobodyIsWaitedFor) {
  SyntheticTrace trace(2);
  trace.on(0).visit(1, 6, "MPI_Probe");
  AnalysisOf found(trace);
  EXPECT_EQ(found.total(kLateSender), 0);
  EXPECT_EQ(found.faults(), 0u);
}

}  // namespace
}  // namespace tarry
