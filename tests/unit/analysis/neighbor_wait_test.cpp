// neighbor_wait_test.cpp -- waits for neighbours in grids and graphs, and for the partners of exchanges with counts.
#include <gtest/gtest.h>

#include "analysis_of.hpp"

namespace tarry {
namespace {

using enum Metric;

// Communicator 0 becomes a row of processes.
void make_row(SyntheticTrace& trace, std::uint32_t size, bool is_periodic) {
  trace.edit_definitions().carts.push_back({StringId(), CommId(0), {{StringId(), size, is_periodic}}, {}});
}

void exchange(SyntheticStream& on, Ticks begin, Ticks end, SyntheticStream::Payload payload = {}) {
  on.enter(begin, "MPI_Neighbor_allgather").begin(begin).end(end, CollectiveOp::kAllgather, payload).leave(end);
}

// Begins at 0, 5, 2 and 9.
void four_in_a_row(SyntheticTrace& trace) {
  exchange(trace.on(0), 0, 6);
  exchange(trace.on(1), 5, 7);
  exchange(trace.on(2), 2, 10);
  exchange(trace.on(3), 9, 10);
}

TEST(NeighborWait, EachWaitsForTheLastOfItsNeighborsInTheGrid) {
  SyntheticTrace trace(4);
  make_row(trace, 4, false);
  four_in_a_row(trace);
  AnalysisOf found(trace);
  const double waits[] = {5, 0, 7, 0};
  for (std::uint32_t r = 0; r < 4; ++r)
    EXPECT_EQ(found.value(kNeighborWait, "MPI_Neighbor_allgather", r), waits[r]) << r;
  EXPECT_EQ(found.total(kDelayNeighborAll), 12);
  EXPECT_EQ(found.total(kDelay), 12);
  EXPECT_EQ(found.faults(), 0u);
  EXPECT_EQ(AnalysisOf(trace, Compatibility::reference()).total(kNeighborWait), 0);
}

TEST(NeighborWait, RowsThatGoRoundHaveNoEnds) {
  SyntheticTrace trace(4);
  make_row(trace, 4, true);
  four_in_a_row(trace);
  // Rank 3 came too late for rank 0, which was done by then.
  EXPECT_EQ(AnalysisOf(trace).value(kNeighborWait, "MPI_Neighbor_allgather", 0), 5);
  SyntheticTrace longer(4);
  make_row(longer, 4, true);
  exchange(longer.on(0), 0, 12);
  for (std::uint32_t r = 1; r < 4; ++r) exchange(longer.on(r), 3 * r, 12);
  AnalysisOf found(longer);
  const double waits[] = {9, 3, 3, 0};
  for (std::uint32_t r = 0; r < 4; ++r)
    EXPECT_EQ(found.value(kNeighborWait, "MPI_Neighbor_allgather", r), waits[r]) << r;
}

TEST(NeighborWait, WithoutATopologyNobodyWaits) {
  SyntheticTrace trace(4);
  four_in_a_row(trace);
  AnalysisOf found(trace);
  EXPECT_EQ(found.total(kNeighborWait) + found.total(kDelay), 0);
  EXPECT_EQ(found.total(kCommsExchange), 4);
}

TEST(NeighborWait, EdgesOfAGraphHaveADirection) {
  SyntheticTrace trace(3);
  auto& graphs = trace.edit_definitions().neighborhoods;
  graphs.push_back({CommId(0), 0, {2, CommRank::kNone}, {}});
  graphs.push_back({CommId(0), 2, {}, {0}});
  exchange(trace.on(0), 0, 9);
  exchange(trace.on(1), 1, 9);  // its neighbours are not known
  exchange(trace.on(2), 4, 9);
  AnalysisOf found(trace);
  EXPECT_EQ(found.value(kNeighborWait, "MPI_Neighbor_allgather", 0), 4);
  EXPECT_EQ(found.total(kNeighborWait), 4);
  EXPECT_EQ(found.value(kDelayNeighborAll, "MPI_Neighbor_allgather", 2), 4);
}

TEST(NeighborWait, OnlyForDataThatMoves) {
  SyntheticTrace trace(3);
  make_row(trace, 3, false);
  exchange(trace.on(0), 0, 9, {.received = 0});
  exchange(trace.on(1), 2, 9);
  exchange(trace.on(2), 6, 9, {.sent = 0});
  EXPECT_EQ(AnalysisOf(trace).total(kNeighborWait), 0);
}

TEST(NeighborWait, OfNonBlockingOnesInTheCompletingCall) {
  SyntheticTrace trace(3);
  make_row(trace, 3, false);
  const Ticks start[] = {0, 1, 8};
  for (std::uint32_t r = 0; r < 3; ++r) {
    trace.on(r).enter(start[r], "MPI_Ineighbor_alltoall").collective_request(start[r], 1).leave(start[r]);
    trace.on(r).enter(start[r] + 1, "MPI_Wait").collective_complete(12, 1, CollectiveOp::kAlltoall).leave(12);
  }
  AnalysisOf found(trace);
  EXPECT_EQ(found.value(kCollectiveRequestWait, "MPI_Wait", 1), 6);
  EXPECT_EQ(found.total(kCollectiveRequestWait), 6);
  EXPECT_EQ(found.total(kNeighborWait), 0);
}

void exchange_counts(SyntheticStream& on, Ticks begin, Ticks end, std::uint64_t mask, const std::string& call,
                     CollectiveOp operation, std::uint64_t comm = 0) {
  on.enter(begin, call).begin(begin).add(end, record::MpiCollectivePartners{.first = 0, .mask = mask});
  on.end(end, operation, {.comm = comm}).leave(end);
}

TEST(NeighborWait, PartnersAreThePlacesOfSources) {
  SyntheticTrace trace(3);
  make_row(trace, 3, true);
  // Rank 0 has the sources 2 and 1: only the second one, rank 1, has data for it.
  exchange_counts(trace.on(0), 0, 9, 2, "MPI_Neighbor_alltoallv", CollectiveOp::kAlltoallv);
  exchange_counts(trace.on(1), 3, 9, 3, "MPI_Neighbor_alltoallv", CollectiveOp::kAlltoallv);
  exchange_counts(trace.on(2), 7, 9, 3, "MPI_Neighbor_alltoallv", CollectiveOp::kAlltoallv);
  AnalysisOf found(trace);
  EXPECT_EQ(found.value(kNeighborWait, "MPI_Neighbor_alltoallv", 0), 3);
  EXPECT_EQ(found.value(kNeighborWait, "MPI_Neighbor_alltoallv", 1), 4);
}

TEST(VectorPartners, EachNeedsThoseItReceivesFrom) {
  SyntheticTrace trace(4);
  exchange_counts(trace.on(0), 0, 9, 0b0010, "MPI_Alltoallv", CollectiveOp::kAlltoallv);
  trace.on(1).collective(2, 9, CollectiveOp::kAlltoallv);  // from all
  exchange_counts(trace.on(2), 4, 9, 0b0100, "MPI_Alltoallv", CollectiveOp::kAlltoallv);
  exchange_counts(trace.on(3), 7, 9, 0b0000, "MPI_Alltoallv", CollectiveOp::kAlltoallv);
  AnalysisOf found(trace);
  const double waits[] = {2, 5, 0, 0};
  for (std::uint32_t r = 0; r < 4; ++r) EXPECT_EQ(found.value(kNxnWait, "MPI_Alltoallv", r), waits[r]) << r;
  EXPECT_EQ(found.total(kDelayAllToAllAll), 7);
}

TEST(VectorPartners, OfTwoGroupsAreRanksInTheOther) {
  SyntheticTrace trace(4);
  const std::uint64_t inter = trace.comm({0, 1}, {2, 3});
  exchange_counts(trace.on(0), 0, 9, 0b01, "MPI_Alltoallv", CollectiveOp::kAlltoallv, inter);
  exchange_counts(trace.on(1), 1, 9, 0b10, "MPI_Alltoallv", CollectiveOp::kAlltoallv, inter);
  exchange_counts(trace.on(2), 3, 9, 0b11, "MPI_Alltoallv", CollectiveOp::kAlltoallv, inter);
  exchange_counts(trace.on(3), 6, 9, 0b11, "MPI_Alltoallv", CollectiveOp::kAlltoallv, inter);
  AnalysisOf found(trace);
  const double waits[] = {3, 5, 0, 0};
  for (std::uint32_t r = 0; r < 4; ++r) EXPECT_EQ(found.value(kNxnWait, "MPI_Alltoallv", r), waits[r]) << r;
}

TEST(VectorPartners, SeveralMasksAndThoseOfNonBlockingOnes) {
  SyntheticTrace trace(70);
  for (std::uint32_t r = 1; r < 70; ++r) {
    trace.on(r).enter(r, "MPI_Ialltoallw").collective_request(r, 1).leave(r);
    trace.on(r).enter(80, "MPI_Wait").collective_complete(81, 1, CollectiveOp::kAlltoallw).leave(81);
  }
  trace.on(0).enter(0, "MPI_Ialltoallw").add(0, record::MpiCollectivePartners{.first = 0, .mask = 0b1000});
  trace.on(0).add(0, record::MpiCollectivePartners{.first = 64, .mask = 0b10}).collective_request(0, 1).leave(0);
  trace.on(0).enter(10, "MPI_Wait").collective_complete(81, 1, CollectiveOp::kAlltoallw).leave(81);
  AnalysisOf found(trace);
  EXPECT_EQ(found.value(kCollectiveRequestWait, "MPI_Wait", 0), 55);  // for rank 65
  EXPECT_EQ(found.total(kCollectiveRequestWait), 55);
}

TEST(VectorPartners, ThatBelongToNothingAreIgnored) {
  SyntheticTrace trace(2);
  trace.on(0).enter(0, "main").add(0, record::MpiCollectivePartners{.first = 0, .mask = 1});
  trace.on(0)
      .enter(0, "MPI_Barrier")
      .add(0, record::MpiCollectivePartners{.first = ~std::uint64_t{0}, .mask = 1})
      .leave(1);
  trace.on(0).collective(1, 9, CollectiveOp::kAlltoallv).leave(9);
  trace.on(1).collective(4, 9, CollectiveOp::kAlltoallv);
  EXPECT_EQ(AnalysisOf(trace).total(kNxnWait), 3);
}

}  // namespace
}  // namespace tarry
