// simulate_test.cpp -- what a changed machine makes of small traces. A tick is a second; each answer follows by hand.
#include <gtest/gtest.h>

#include "analysis/compatibility.hpp"
#include "prediction/simulation/predict.hpp"
#include "exchange/exchange.hpp"
#include "tests/unit/analysis/golden_traces.hpp"
#include "replay/matching/match_messages.hpp"
#include "tests/unit/analysis/rma_trace.hpp"
#include "tests/unit/replay/synthetic_source.hpp"

namespace tarry {
namespace {

Prediction predict_of(SyntheticTrace& source, const Machine& machine = {}, unsigned workers = 1) {
  Exchange exchange;
  Trace trace(source, exchange, workers, {}, Compatibility::none().kept_details());
  match_messages(trace, MatchOrder::kPosted);
  return predict(trace, machine);
}

double seconds_of(SyntheticTrace& source, const Machine& machine = {}) { return predict_of(source, machine).predicted; }

void expect_unchanged(SyntheticTrace& source) {
  const Prediction prediction = predict_of(source);
  EXPECT_EQ(prediction.predicted, prediction.recorded);
  EXPECT_EQ(prediction.whole_predicted, prediction.whole_recorded);
  EXPECT_EQ(prediction.largest_shift, 0);
  EXPECT_EQ(prediction.outcome.ignored, 0u);
}

const Machine kIdeal{.network = Network()};

// Rank 0 works until 10 and sends; rank 1 waits from 2 on, gets the message at 13, and works until 20.
void late_sender(SyntheticTrace& trace) {
  trace.on(0).enter(0, "main").enter(10, "MPI_Send").send(10, 1, 100).leave(11).leave(15);
  trace.on(1).enter(0, "main").enter(2, "MPI_Recv").recv(13, 0, 100).leave(13).leave(20);
}

TEST(Simulate, NothingMovesOnTheUnchangedMachine) {
  SyntheticTrace trace(2);
  late_sender(trace);
  expect_unchanged(trace);
  EXPECT_EQ(predict_of(trace).recorded, 20);
}

TEST(Simulate, AnIdealNetworkLeavesWorkAndWaits) {
  SyntheticTrace trace(2);
  late_sender(trace);
  EXPECT_EQ(seconds_of(trace, kIdeal), 10 + 7);
}

TEST(Simulate, AMessageCostsLatencyAndBytes) {
  SyntheticTrace trace(2);
  late_sender(trace);
  EXPECT_EQ(seconds_of(trace, {.network = Network{.latency = 2, .seconds_per_byte = 0.25}}), 10 + 2 + 25 + 7);
}

// The transfer and what follows stay as recorded: 3 ticks after the send was entered.
TEST(Simulate, FasterComputationKeepsTheTransfer) {
  SyntheticTrace trace(2);
  late_sender(trace);
  EXPECT_EQ(seconds_of(trace, {.cpu_speed = 2}), 5 + 3 + 3.5);
}

TEST(Simulate, FactorsOfRanksAndRegionsMultiply) {
  SyntheticTrace trace(2);
  trace.on(0).enter(0, "main").visit(0, 8, "solve").enter(10, "MPI_Send").send(10, 1).leave(10).leave(10);
  trace.on(1).enter(0, "main").enter(2, "MPI_Recv").recv(10, 0).leave(10).leave(20);
  EXPECT_EQ(seconds_of(trace, {.regions = {{"solve", 0.5}}}), 4 + 2 + 10);
  EXPECT_EQ(seconds_of(trace, {.regions = {{"s*", 0.5}}}), 4 + 2 + 10);
  EXPECT_EQ(seconds_of(trace, {.regions = {{"solve", 0.5}}, .ranks = {{WorldRank(0), 3}}}), (4 + 2) * 3 + 10);
  EXPECT_EQ(seconds_of(trace, {.regions = {{"main", 0.5}, {"solve", 0.5}}}), 2 + 1 + 5);
}

// 12 and 4 ticks of work before a barrier.
TEST(Simulate, BalancedWorkIsTheMean) {
  SyntheticTrace trace(2);
  trace.on(0).enter(0, "main").visit(0, 10, "solve").collective(12, 13, CollectiveOp::kBarrier).leave(13);
  trace.on(1).enter(0, "main").visit(0, 2, "solve").collective(4, 13, CollectiveOp::kBarrier).leave(13);
  EXPECT_EQ(seconds_of(trace, {.balanced = ""}), 8 + 1);
  EXPECT_EQ(seconds_of(trace, {.balanced = "solve"}), 6 + 2 + 1);
}

// Rank 1 receives at 12 what was sent at 2. The send of 1000 bytes ends at 13, that of 10 at 4.
void late_receiver(SyntheticTrace& trace) {
  trace.on(0).enter(0, "main").enter(1, "MPI_Send").send(1, 1, 10).leave(2);
  trace.on(0).enter(3, "MPI_Send").send(3, 1, 1000).leave(13).leave(20);
  trace.on(1).enter(0, "main").enter(11, "MPI_Recv").recv(12, 0, 10).leave(12);
  trace.on(1).enter(12, "MPI_Recv").recv(13, 0, 1000).leave(13).leave(14);
}

TEST(Simulate, TheTraceShowsTheProtocol) {
  SyntheticTrace trace(2);
  late_receiver(trace);
  expect_unchanged(trace);
  // The large message waits for its receiver, who comes later now: at 11 * 3 + 1.
  EXPECT_EQ(seconds_of(trace, {.ranks = {{WorldRank(1), 3}}}), 34 + 1 + 7);
  EXPECT_EQ(seconds_of(trace, {.ranks = {{WorldRank(1), 3}}, .eager_limit = 1000}), 34 + 1 + 3);
}

// A message of the same size as the one that left at once is held up for 40 ticks, until its receiver takes both.
TEST(Simulate, FlowControlMakesASmallMessageWait) {
  SyntheticTrace trace(2);
  trace.on(0).enter(0, "main").enter(1, "MPI_Send").send(1, 1, 10).leave(2);
  trace.on(0).enter(2, "MPI_Send").send(2, 1, 10).leave(43).leave(50);
  trace.on(1).enter(0, "main").enter(40, "MPI_Recv").recv(41, 0, 10).leave(41);
  trace.on(1).enter(42, "MPI_Recv").recv(43, 0, 10).leave(43).leave(44);
  expect_unchanged(trace);
  // The receiver does its 40 ticks of work in 20, and the tick between the two receives in half a one.
  EXPECT_EQ(seconds_of(trace, {.ranks = {{WorldRank(1), 0.5}}}), 20 + 1 + 0.5 + 1 + 7);
}

TEST(Simulate, ALimitMakesSendersWait) {
  SyntheticTrace trace(2);
  late_receiver(trace);
  // Without transfer: sent at 1 and 2; the receiver comes at 11 and is done at 12.
  EXPECT_EQ(seconds_of(trace, kIdeal), 11 + 1);
  Machine machine = kIdeal;
  machine.eager_limit = 10;
  EXPECT_EQ(seconds_of(trace, machine), 11 + 7);
  machine.eager_limit = 0;
  EXPECT_EQ(seconds_of(trace, machine), 11 + 1 + 7);
}

TEST(Simulate, SynchronousSendsWaitInAnyNetwork) {
  SyntheticTrace trace(2);
  trace.on(0).enter(0, "main").enter(1, "MPI_Ssend").send(1, 1, 10).leave(13).leave(20);
  trace.on(1).enter(0, "main").enter(12, "MPI_Recv").recv(13, 0, 10).leave(13).leave(14);
  EXPECT_EQ(seconds_of(trace, kIdeal), 12 + 7);
  EXPECT_EQ(seconds_of(trace, {.network = Network{.latency = 2}}), 12 + 2 + 7);
}

// Both send first.
void exchange(SyntheticTrace& trace) {
  for (std::uint32_t r = 0; r < 2; ++r)
    trace.on(r)
        .enter(0, "main")
        .enter(1, "MPI_Send")
        .send(1, 1 - r)
        .leave(2)
        .enter(3, "MPI_Recv")
        .recv(4, 1 - r)
        .leave(4)
        .leave(5);
}

TEST(Simulate, AProgramThatWaitsInACircleNeverEnds) {
  SyntheticTrace trace(2);
  exchange(trace);
  expect_unchanged(trace);
  EXPECT_FALSE(predict_of(trace, kIdeal).outcome.is_deadlock);
  const SimulationOutcome outcome = predict_of(trace, {.eager_limit = 0}).outcome;
  EXPECT_TRUE(outcome.is_deadlock);
  EXPECT_NE(outcome.sender, outcome.receiver);
}

// The message travels while both compute.
TEST(Simulate, RequestsOverlapWithWork) {
  SyntheticTrace trace(2);
  trace.on(0).enter(0, "main").enter(0, "MPI_Isend").isend(0, 1, 1, 10).leave(1);
  trace.on(0).enter(8, "MPI_Wait").isend_complete(8, 1).leave(8).leave(9);
  trace.on(1).enter(0, "main").enter(0, "MPI_Irecv").irecv_request(0, 1).leave(1);
  trace.on(1).enter(8, "MPI_Wait").irecv(9, 1, 0, 10).leave(9).leave(10);
  expect_unchanged(trace);
  EXPECT_EQ(seconds_of(trace, {.network = Network{.latency = 5}}), 7 + 1);
  EXPECT_EQ(seconds_of(trace, {.network = Network{.latency = 9}}), 9 + 1);
}

// Rank 1 enters first, at 2; rank 0 at 6; both work for 10 afterwards.
void collective(SyntheticTrace& trace, CollectiveOp operation, const SyntheticStream::Payload& first,
                const SyntheticStream::Payload& second) {
  trace.on(0).enter(0, "main").collective(6, 9, operation, first).leave(19);
  trace.on(1).enter(0, "main").collective(2, 9, operation, second).leave(19);
}

TEST(Simulate, MembersWaitForThoseTheyNeed) {
  SyntheticTrace barrier(2), bcast(2), reduce(2);
  collective(barrier, CollectiveOp::kBarrier, {}, {});
  collective(bcast, CollectiveOp::kBcast, {.root = 1, .sent = 8, .received = 8}, {.root = 1, .sent = 8, .received = 8});
  collective(reduce, CollectiveOp::kReduce, {.root = 0, .sent = 8, .received = 8},
             {.root = 0, .sent = 8, .received = 0});
  for (SyntheticTrace* trace : {&barrier, &bcast, &reduce}) expect_unchanged(*trace);
  EXPECT_EQ(seconds_of(barrier, kIdeal), 6 + 10);
  // Rank 1 is slow now: the barrier waits for it, and who needs nothing of it does not.
  Machine slow = kIdeal;
  slow.ranks = {{WorldRank(1), 10}};
  EXPECT_EQ(seconds_of(barrier, slow), 20 + 100);
  slow.ranks = {{WorldRank(0), 10}};
  EXPECT_EQ(seconds_of(bcast, slow), 60 + 100);
  EXPECT_EQ(predict_of(bcast, kIdeal).predicted, 6 + 10);
}

TEST(Simulate, ACollectiveOperationCostsItsHops) {
  SyntheticTrace trace(5);
  for (std::uint32_t r = 0; r < 5; ++r)
    trace.on(r).enter(0, "main").collective(6, 9, CollectiveOp::kAllreduce, {.sent = 8, .received = 12}).leave(19);
  Machine machine{.network = Network{.latency = 1, .seconds_per_byte = 0.5}};
  EXPECT_EQ(seconds_of(trace, machine), 6 + 3 + 10 + 10);
  machine.collectives = CollectiveLaw::kLinear;
  EXPECT_EQ(seconds_of(trace, machine), 6 + 4 + 10 + 10);
  machine.is_like_dimemas = true;
  EXPECT_EQ(seconds_of(trace, machine), 6 + 2 + 10 + 10);
}

TEST(Simulate, AScanNeedsTheLowerRanks) {
  SyntheticTrace trace(3);
  for (std::uint32_t r = 0; r < 3; ++r)
    trace.on(r).enter(0, "main").collective(6 - 2 * r, 8, CollectiveOp::kScan).leave(10);
  expect_unchanged(trace);
  Machine machine = kIdeal;
  machine.ranks = {{WorldRank(2), 10}};
  EXPECT_EQ(seconds_of(trace, machine), 20 + 20);
  machine.ranks = {{WorldRank(0), 10}};
  EXPECT_EQ(seconds_of(trace, machine), 60 + 20);
  machine.ranks = {{WorldRank(1), 10}};  // rank 2 waits for it, rank 0 does not: what follows is 2 there
  EXPECT_EQ(seconds_of(trace, machine), 40 + 20);
}

TEST(Simulate, OneSidedSynchronisationWaitsOnTheRecordedNetwork) {
  SyntheticTrace trace(2);
  trace.on(0).enter(0, "main");
  trace.on(1).enter(0, "main");
  RmaStream(trace, 0).start(2, 10, {1}).put(10, 11, 1).complete(11, 12);
  RmaStream(trace, 1).post(9, 10, {0}).wait(10, 13);
  trace.on(0).leave(20);
  trace.on(1).leave(20);
  expect_unchanged(trace);
  // The post comes at 90, the start is left one later. Two calls, then 8 ticks of work.
  EXPECT_EQ(seconds_of(trace, {.ranks = {{WorldRank(1), 10}}}), 94 + 70);
  EXPECT_EQ(seconds_of(trace, {.regions = {{"main", 2}}, .ranks = {{WorldRank(1), 0.5}}}), 9 + 1 + 2 + 16);
  Machine machine = kIdeal;
  machine.ranks = {{WorldRank(1), 0.5}};
  EXPECT_EQ(seconds_of(trace, machine), 2 + 8);
  machine.ranks = {{WorldRank(0), 10}};
  EXPECT_EQ(seconds_of(trace, machine), 20 + 80);
  machine.binds_one_sided = true;
  machine.ranks = {{WorldRank(1), 10}};
  EXPECT_EQ(seconds_of(trace, machine), 90 + 70);
}

// Two readers after a writer. The first reader is not why the second one waits.
TEST(Simulate, EachReaderOfAWindowNeedsTheWriterBefore) {
  SyntheticTrace trace(4);
  RmaStream(trace, 0).lock(0, 1, 3).unlock(20, 21, 3);
  RmaStream(trace, 1).lock(5, 22, 3, true).unlock(24, 25, 3);
  RmaStream(trace, 2).lock(6, 23, 3, true).unlock(26, 27, 3);
  trace.on(3).visit(0, 1, "main");
  expect_unchanged(trace);
  EXPECT_EQ(seconds_of(trace, {.ranks = {{WorldRank(0), 2}}}), 39 + 3 + 3 + 1);
  EXPECT_EQ(seconds_of(trace, {.ranks = {{WorldRank(1), 100}}}), 22 + 200 + 1);  // the reader that nobody waits for
}

TEST(Simulate, AWriterOfAWindowNeedsAllReadersBefore) {
  SyntheticTrace trace(4);
  RmaStream(trace, 1).lock(0, 1, 3, true).unlock(10, 11, 3);
  RmaStream(trace, 2).lock(0, 1, 3, true).unlock(12, 13, 3);
  RmaStream(trace, 0).lock(5, 14, 3).unlock(20, 21, 3);
  trace.on(3).visit(0, 1, "main");
  expect_unchanged(trace);
  EXPECT_EQ(seconds_of(trace, {.ranks = {{WorldRank(1), 3}}}), 28 + 2 + 6 + 1);
}

// In the first barrier the thread that calls `v` is last, 50 after the next.
TEST(Simulate, ThreadsWaitForTheirTeams) {
  SyntheticTrace trace(1, 3);
  add_team_of_three(trace);
  expect_unchanged(trace);
  EXPECT_EQ(seconds_of(trace, {.regions = {{"v", 0.9}}}), 1000 - 24);
  EXPECT_EQ(seconds_of(trace, {.regions = {{"v", 0.5}}}), 1000 - 50);
  EXPECT_EQ(seconds_of(trace, {.regions = {{"c", 2}}}), 1000 + 100 + 100);
}

TEST(Simulate, TeamsAndProcessesWaitTogether) {
  SyntheticTrace trace(2, 2);
  add_hybrid(trace);
  expect_unchanged(trace);
  // 50 before the team, 400 in it: the worker's `w` is last, from 180 to 580.
  EXPECT_EQ(seconds_of(trace, {.regions = {{"w", 0.75}}}), 640 - 100);
}

// Thread 1 enters at 15, thread 0 releases at 40, thread 1 gets the lock 5 later.
TEST(Simulate, LocksAreHandedOnInOrder) {
  SyntheticTrace trace(1, 2);
  const char* const critical = "!$omp critical @x.c:1";
  trace.on(0, 0).enter(0, "main").enter(0, critical).acquire(10, 7, 1).visit(10, 40, "w");
  trace.on(0, 0).release(40, 7, 1).leave(40).leave(42);
  trace.on(0, 1).enter(15, critical).acquire(45, 7, 2).visit(45, 55, "w");
  trace.on(0, 1).release(55, 7, 2).leave(55);
  expect_unchanged(trace);
  EXPECT_EQ(predict_of(trace, {.regions = {{"w", 0.5}}}).whole_predicted, 25 + 5 + 5);
  EXPECT_EQ(predict_of(trace, {.regions = {{"w", 0.1}}}).whole_predicted, 15 + 5 + 1);
}

TEST(Simulate, WorkersOfTheAnalysisDoNotMatter) {
  SyntheticTrace trace(5);
  for (std::uint32_t r = 0; r < 5; ++r) {
    trace.on(r).enter(0, "main");
    for (Ticks i = 0; i < 20; ++i) trace.on(r).collective(10 * i + r, 10 * i + 7, CollectiveOp::kAllreduce);
    trace.on(r).leave(300);
  }
  const Machine machine{.network = Network{.latency = 0.3, .seconds_per_byte = 0.1}, .cpu_speed = 0.7};
  const double once = predict_of(trace, machine, 1).predicted;
  for (const unsigned workers : {2u, 3u, 8u}) EXPECT_EQ(predict_of(trace, machine, workers).predicted, once);
}

// Rank 0 goes through two barriers in the wrong order, so that all wait for each other. Each of the others goes on by
// itself, one after the other.
TEST(Simulate, ManyWhoWaitForThemselvesTakeNoLonger) {
  constexpr std::uint32_t kRanks = 20000;
  SyntheticTrace trace(kRanks);
  std::vector<std::uint32_t> everybody;
  for (std::uint32_t r = 0; r < kRanks; ++r) everybody.push_back(r);
  const std::uint64_t copy = trace.comm(everybody);
  for (std::uint32_t r = 0; r < kRanks; ++r) {
    const Ticks end = r == 0 ? 4 * kRanks : kRanks + r;
    trace.on(r).collective(r, end, CollectiveOp::kBarrier, {.comm = r == 0 ? copy : 0});
    trace.on(r).collective(4 * kRanks, 5 * kRanks, CollectiveOp::kBarrier, {.comm = r == 0 ? 0 : copy});
  }
  EXPECT_EQ(predict_of(trace).outcome.ignored, kRanks - 1);
}

// The receive ends before the send begins: its clock is wrong, or the send's.
TEST(Simulate, ACauseThatCameTooLateKeepsItsDistance) {
  SyntheticTrace trace(2);
  trace.on(0).enter(0, "main").enter(10, "MPI_Send").send(10, 1).leave(11).leave(12);
  trace.on(1).enter(0, "main").enter(2, "MPI_Recv").recv(4, 0).leave(4).leave(20);
  expect_unchanged(trace);
  EXPECT_EQ(seconds_of(trace, {.ranks = {{WorldRank(0), 3}}}), 30 - 6 + 16);
  EXPECT_LE(seconds_of(trace, kIdeal), 20);
}

}  // namespace
}  // namespace tarry
