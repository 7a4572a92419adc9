// growth_test.cpp -- time and memory of the analysis grow with the trace, also where one thing alone is large. Each
// trace would take hours, or more stack than there is, if something grew with the square or called itself.
#include <gtest/gtest.h>

#include "analysis_of.hpp"

namespace tarry {
namespace {

using enum Metric;

constexpr Ticks kMany = 300'000;

TEST(Growth, LeavesOfRegionsThatAreNotOpen) {
  SyntheticTrace trace(1);
  const record::Leave other{.region = trace.region("other")}, f{.region = trace.region("f")};
  for (Ticks i = 0; i < kMany; ++i) trace.on(0).enter(i, "f");
  for (Ticks i = 0; i < kMany; ++i) trace.on(0).add(kMany + i, other);
  trace.on(0).enter(2 * kMany, "other").add(2 * kMany + 5, f);
  for (Ticks i = 1; i < kMany; ++i) trace.on(0).add(3 * kMany + i, f);
  Exchange exchange;
  Trace scanned(trace, exchange, 1);
  EXPECT_EQ(trace.faults().count(Fault::kLeaveWithoutEnter), static_cast<std::uint64_t>(kMany) + 1);
  EXPECT_EQ(trace.faults().total(), static_cast<std::uint64_t>(kMany) + 1);
  EXPECT_EQ(scanned.ranks()[0].threads[0].time.back(), 5);
}

TEST(Growth, MatchedProbesThatWait) {
  SyntheticTrace trace(1);
  for (Ticks i = 0; i < kMany; ++i) trace.on(0).visit(i, i, "MPI_Mprobe");
  for (Ticks i = 0; i < kMany; ++i) trace.on(0).enter(kMany + i, "MPI_Mrecv").recv(kMany + i, 0).leave(kMany + i);
  Exchange exchange;
  Trace scanned(trace, exchange, 1);
  const LogicalRank& rank = scanned.ranks()[0];
  ASSERT_EQ(rank.probes.size(), static_cast<std::size_t>(kMany));
  for (const ProbeIndex i : rank.probes.ids()) ASSERT_EQ(rank.probes[i].receive, ReceiveIndex(i.value));
}

TEST(Growth, EndsOfMpiBehindManyCollectives) {
  SyntheticTrace trace(1);
  for (Ticks i = 0; i < kMany; ++i) trace.on(0).collective(i, i, CollectiveOp::kBarrier);
  for (Ticks i = 0; i < kMany; ++i) trace.on(0).visit(kMany + i, kMany + i, "MPI_Finalize");
  Exchange exchange;
  Trace scanned(trace, exchange, 1);
  EXPECT_EQ(scanned.ranks()[0].collectives.size(), static_cast<std::size_t>(kMany) + 1);
}

// Of a recursion so deep nothing may call itself, and sums must not be kept for all metrics of all call paths.
TEST(Growth, DeepRecursionBesideAParallelRegion) {
  constexpr Ticks kDepth = 150'000;
  SyntheticTrace trace(1, 2);
  trace.on(0, 0).enter(0, "main").fork(1, 2).team_begin(1);
  trace.on(0, 0).enter(2, "!$omp parallel");
  for (Ticks i = 0; i < kDepth; ++i) trace.on(0, 0).enter(3 + i, "f");
  for (Ticks i = 0; i < kDepth; ++i) trace.on(0, 0).leave(3 + kDepth);
  trace.on(0, 0).leave(3 + kDepth).team_end(3 + kDepth);
  trace.on(0, 0).join(3 + kDepth);
  for (Ticks i = 0; i < kDepth; ++i) trace.on(0, 0).enter(4 + kDepth + i, "g");
  for (Ticks i = 0; i < kDepth; ++i) trace.on(0, 0).leave(4 + 2 * kDepth);
  trace.on(0, 0).leave(5 + 2 * kDepth);
  trace.on(0, 1).team_begin(1).enter(2, "!$omp parallel").leave(12);
  trace.on(0, 1).team_end(3 + kDepth);
  AnalysisOf found(trace);
  EXPECT_EQ(found.total(kTime), 2 * (5 + 2 * kDepth));
  EXPECT_EQ(found.total(kLimitedParallelism), 0);
  EXPECT_EQ(found.total(kVisits), 3 + 2 * kDepth);
}

TEST(Growth, CommunicatorsShareTheirGroup) {
  SyntheticTrace trace(4);
  Definitions& all = trace.edit_definitions();
  for (int i = 0; i < 10; ++i) all.comms.push_back(all.comms[0]);
  const CommunicatorTable table(all);
  for (const CommId comm : table.ids()) {
    EXPECT_EQ(table.members(comm).numbers().data(), all.groups[0].members.data());
    EXPECT_EQ(table.first_alike(comm), CommId(0));
  }
}

}  // namespace
}  // namespace tarry
