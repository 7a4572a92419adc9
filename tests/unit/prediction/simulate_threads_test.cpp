// simulate_threads_test.cpp -- threads and processes that are created, joined, signalled or let in on a changed
// machine. A tick is a second; each answer follows by hand.
#include <gtest/gtest.h>

#include "prediction/simulation/predict.hpp"
#include "exchange/exchange.hpp"
#include "replay/matching/match_messages.hpp"
#include "tests/unit/replay/synthetic_source.hpp"

namespace tarry {
namespace {

Prediction predict_whole(SyntheticTrace& source, const Machine& machine = {}) {
  Exchange exchange;
  Trace trace(source, exchange, 1, {}, prediction_details());
  match_messages(trace, MatchOrder::kPosted);
  return predict(trace, machine);
}

double seconds_with(SyntheticTrace& source, const char* region, double factor) {
  return predict_whole(source, {.regions = {{region, factor}}}).whole_predicted;
}

void expect_no_move(SyntheticTrace& source) {
  const Prediction prediction = predict_whole(source);
  EXPECT_EQ(prediction.whole_predicted, prediction.whole_recorded);
  EXPECT_EQ(prediction.largest_shift, 0);
  EXPECT_EQ(prediction.outcome.ignored, 0u);
}

// Thread 1 works from 10 to 50; the master waits for it from 20 on, until 52, and ends at 60.
TEST(SimulateThreads, AJoinEndsAfterTheThread) {
  SyntheticTrace trace(1, 2);
  trace.on(0, 0)
      .enter(0, "main")
      .enter(5, "pthread_create")
      .add(5, record::ThreadCreate{.contingent = TeamId(0), .sequence = 1})
      .leave(6);
  trace.on(0, 0)
      .enter(20, "pthread_join")
      .add(52, record::ThreadWait{.contingent = TeamId(0), .sequence = 1})
      .leave(52)
      .leave(60);
  trace.on(0, 1)
      .add(8, record::ThreadBegin{.contingent = TeamId(0), .sequence = 1})
      .enter(8, "start")
      .visit(10, 50, "w")
      .leave(50);
  trace.on(0, 1).add(50, record::ThreadEnd{.contingent = TeamId(0), .sequence = 1});
  expect_no_move(trace);
  EXPECT_EQ(seconds_with(trace, "w", 0.5), 30 + 2 + 8);
  EXPECT_EQ(seconds_with(trace, "w", 0.1), 20 + 2 + 8);  // it has ended when the master comes
  EXPECT_EQ(seconds_with(trace, "w", 2), 90 + 2 + 8);
}

// Thread 0 waits for a condition from 4 on. Thread 1 works until 30, signals at 35, and releases the lock at 40.
TEST(SimulateThreads, AConditionIsOverAfterItsSignal) {
  SyntheticTrace trace(1, 2);
  trace.on(0, 0).enter(0, "main").enter(1, "pthread_mutex_lock").acquire(2, 7, 1);
  trace.on(0, 0).leave(2).enter(4, "pthread_cond_wait").release(4, 7, 1);
  trace.on(0, 0).acquire(42, 7, 3).leave(42).enter(44, "pthread_mutex_unlock");
  trace.on(0, 0).release(45, 7, 3).leave(45).leave(50);
  trace.on(0, 1).enter(0, "start").visit(0, 30, "w").enter(30, "pthread_mutex_lock");
  trace.on(0, 1).acquire(31, 7, 2).leave(31).visit(35, 36, "pthread_cond_signal");
  trace.on(0, 1).enter(38, "pthread_mutex_unlock").release(40, 7, 2).leave(40);
  trace.on(0, 1).leave(41);
  expect_no_move(trace);
  EXPECT_EQ(seconds_with(trace, "w", 0.5), 50 - 15);
  EXPECT_EQ(seconds_with(trace, "w", 2), 50 + 30);
}

// Nobody creates thread 1. It is first seen at 40, and holds a lock until 50 that the master wants then. The ranks meet
// in a barrier until 30, which rank 1 enters last.
TEST(SimulateThreads, AThreadOutOfNowhereBeginsAfterACallOfTheMaster) {
  SyntheticTrace trace(2, 2);
  for (const std::uint32_t r : {0u, 1u}) {
    const Ticks enter = r == 0 ? 5 : 28;
    trace.on(r, 0).enter(0, "main").visit(0, enter, r == 0 ? "v" : "w").enter(enter, "MPI_Barrier").begin(enter);
    trace.on(r, 0).end(30, CollectiveOp::kBarrier, {}).leave(30);
  }
  trace.on(0, 0).enter(45, "pthread_mutex_lock").acquire(52, 7, 2).leave(52);
  trace.on(0, 0).enter(60, "pthread_mutex_unlock").release(60, 7, 2).leave(60).leave(70);
  trace.on(1, 0).leave(40);
  trace.on(0, 1).enter(40, "start").enter(40, "pthread_mutex_lock").acquire(41, 7, 1);
  trace.on(0, 1).leave(41).enter(50, "pthread_mutex_unlock").release(50, 7, 1);
  trace.on(0, 1).leave(50).leave(51);
  expect_no_move(trace);
  EXPECT_EQ(seconds_with(trace, "w", 0.5), 70 - 14);
  EXPECT_EQ(seconds_with(trace, "w", 2), 70 + 28);
}

// Two readers hold a lock until 20 and 30; the writer wants it from 5 on, and has it at 32.
TEST(SimulateThreads, AWriterWaitsForAllReaders) {
  SyntheticTrace trace(1, 3);
  for (const std::uint32_t t : {0u, 1u}) {
    const Ticks end = t == 0 ? 20 : 30;
    trace.on(0, t).enter(0, "main").enter(1, "pthread_rwlock_rdlock").acquire(2, 7, 0);
    trace.on(0, t).leave(2).visit(2, end, t == 0 ? "v" : "w").enter(end, "pthread_rwlock_unlock");
    trace.on(0, t).release(end, 7, 0).leave(end).leave(end + 1);
  }
  trace.on(0, 2).enter(0, "start").enter(5, "pthread_rwlock_wrlock").acquire(32, 7, 1);
  trace.on(0, 2).leave(32).enter(40, "pthread_rwlock_unlock").release(40, 7, 1);
  trace.on(0, 2).leave(40).leave(44);
  expect_no_move(trace);
  EXPECT_EQ(seconds_with(trace, "w", 0.75), 44 - 7);
  EXPECT_EQ(seconds_with(trace, "w", 0.25), 44 - 10);  // the other reader is last now, at 20
  EXPECT_EQ(seconds_with(trace, "v", 2), 44 + 8);      // 38 instead of 30
}

// Ranks 0 and 1 spawn ranks 2 and 3. These begin 15 and 17 after the root has called for them, and end last.
TEST(SimulateThreads, SpawnedProcessesBeginAfterTheirRoot) {
  SyntheticTrace trace(4);
  trace.spawn_world(2);
  const std::uint64_t between = trace.comm({0, 1}, {2, 3});
  trace.edit_definitions().comms[between].uid = 1;
  for (std::uint32_t r = 0; r < 2; ++r) {
    const Ticks enter = r == 0 ? 10 : 20;
    trace.on(r).enter(0, "main").visit(r, 5, "MPI_Init").visit(5, enter, r == 0 ? "prepare" : "other");
    trace.on(r).enter(enter, "MPI_Comm_spawn").begin(enter).add(40, record::CommCreate{.comm = CommId(between)});
    trace.on(r).end(40, CollectiveOp::kCreateHandle, {.root = 0, .sent = 0, .received = 0}).leave(40);
    trace.on(r).visit(60, 61, "MPI_Finalize").leave(61);
  }
  for (std::uint32_t r = 2; r < 4; ++r) {
    trace.on(r).enter(r == 2 ? 25 : 27, "child").visit(r == 2 ? 30 : 33, 38, "MPI_Init");
    trace.on(r).visit(99, 100, "MPI_Finalize").leave(100);
  }
  expect_no_move(trace);
  EXPECT_EQ(seconds_with(trace, "prepare", 3), 100 + 10);
  EXPECT_EQ(seconds_with(trace, "prepare", 0), 100 - 5);
}

}  // namespace
}  // namespace tarry
