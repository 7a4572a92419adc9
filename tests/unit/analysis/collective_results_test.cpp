// collective_results_test.cpp -- counts and bytes of collective operations.
#include <gtest/gtest.h>

#include "analysis_of.hpp"

namespace tarry {
namespace {

using enum Metric;

TEST(CollectiveResults, AreCountedByTheDirectionOfTheirData) {
  SyntheticTrace trace(1);
  Ticks at = 0;
  for (const auto& [sent, received] : {std::pair<Bytes, Bytes>{0, 0}, {3, 0}, {0, 5}, {7, 11}, {7, 11}}) {
    trace.on(0).collective(at, at + 1, CollectiveOp::kAlltoallw, {.sent = sent, .received = received});
    at += 2;
  }
  AnalysisOf found(trace);
  EXPECT_EQ(found.total(kSyncsCollective), 1);
  EXPECT_EQ(found.total(kSyncs), 1);
  EXPECT_EQ(found.total(kCommsSource), 1);
  EXPECT_EQ(found.total(kCommsDestination), 1);
  EXPECT_EQ(found.total(kCommsExchange), 2);
  EXPECT_EQ(found.total(kCommsCollective), 4);
  EXPECT_EQ(found.total(kComms), 4);
  EXPECT_EQ(found.total(kBytesOut), 17);
  EXPECT_EQ(found.total(kBytesIn), 27);
  EXPECT_EQ(found.total(kBytes), 44);
}

TEST(CollectiveResults, MakingAndFreeingHandlesIsNoOperation) {
  SyntheticTrace trace(2);
  for (std::uint32_t r = 0; r < 2; ++r)
    trace.on(r).enter(r, "MPI_Comm_dup").begin(r).end(5, CollectiveOp::kCreateHandle).leave(5);
  AnalysisOf found(trace);
  EXPECT_EQ(found.total(kSyncs) + found.total(kComms) + found.total(kBytes), 0);
  EXPECT_EQ(found.value(kMpiMgmtComm, "MPI_Comm_dup", 0), 5);
}

}  // namespace
}  // namespace tarry
