// early_scan_test.cpp -- Early Scan on operations written down with their times.
#include <gtest/gtest.h>

#include "analysis_of.hpp"

namespace tarry {
namespace {

using enum Metric;

TEST(EarlyScan, WaitsForTheLastOfTheRanksUpToItsOwn) {
  SyntheticTrace trace(4);
  const Ticks begin[] = {5, 2, 1, 7}, end[] = {8, 8, 4, 8};
  for (std::uint32_t r = 0; r < 4; ++r) trace.on(r).collective(begin[r], end[r], CollectiveOp::kScan);
  AnalysisOf found(trace);
  const double waits[] = {0, 3, 3, 0};  // rank 2: cut at its END
  for (std::uint32_t r = 0; r < 4; ++r) EXPECT_EQ(found.value(kEarlyScan, "MPI_Scan", r), waits[r]) << r;
  EXPECT_EQ(found.total(kDelayScanAll), 6);
}

TEST(EarlyScan, WhoSendsNothingKeepsNobodyWaitingAndWhoTakesNoPartDoesNotWait) {
  SyntheticTrace trace(4);
  trace.on(0).collective(3, 9, CollectiveOp::kExscan, {.received = 0});
  trace.on(1).collective(6, 9, CollectiveOp::kExscan, {.sent = 0});
  trace.on(2).collective(1, 9, CollectiveOp::kExscan, {.sent = 0, .received = 0});
  trace.on(3).collective(2, 9, CollectiveOp::kExscan, {.sent = 0});
  AnalysisOf found(trace);
  EXPECT_EQ(found.value(kEarlyScan, "MPI_Exscan", 2), 0);
  EXPECT_EQ(found.value(kEarlyScan, "MPI_Exscan", 3), 1);
  EXPECT_EQ(found.total(kEarlyScan), 1);
}

}  // namespace
}  // namespace tarry
