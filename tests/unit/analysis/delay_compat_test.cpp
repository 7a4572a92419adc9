// delay_compat_test.cpp -- what --compat computes otherwise of the delays of processes with threads.
#include <gtest/gtest.h>

#include "analysis_of.hpp"
#include "golden_traces.hpp"

namespace tarry {
namespace {

using enum Metric;

const std::string kWork = std::string("main/") + kParallel + "/w";

// Thread 1 is in each of its parts for as many ticks as thread 0. From the first barrier on, which thread 0 leaves at
// `leave`, it is two ticks later. A tick is a third of a second.
void add_equal_threads(SyntheticTrace& trace, Ticks leave) {
  constexpr Ticks kOrigin = 1000;
  trace.edit_definitions().clock = {.ticks_per_second = 3, .origin = kOrigin};
  trace.on(0, 0).enter(kOrigin, "main").fork(kOrigin + 2, 2);
  for (std::uint32_t t = 0; t < 2; ++t) {
    const Ticks begin = kOrigin + leave + 2 * t;
    SyntheticStream& thread = trace.on(0, t);
    thread.team_begin(kOrigin + 2).enter(kOrigin + 3, kParallel);
    thread.visit(kOrigin + 4, begin, kBarrier).visit(begin, begin + 5, "w");
    thread.visit(begin + 5, kOrigin + 50, kImplicitBarrier).leave(kOrigin + 50);
    thread.team_end(kOrigin + 50);
  }
  trace.on(0, 0).join(kOrigin + 50).leave(kOrigin + 60);
}

double cost_of_work(Ticks leave, const Compatibility& compatibility) {
  SyntheticTrace trace(1, 2);
  add_equal_threads(trace, leave);
  AnalysisOf found(trace, compatibility);
  EXPECT_EQ(found.total(kOmpImplicitBarrierWait), 2);
  return found.value(kDelayThreadBarrier, kWork, 0, 1);
}

// (28/3 - 23/3) - (26/3 - 21/3) is 8.9e-16 in floating-point numbers.
TEST(RoundsTimesOfThreads, APositiveRemainderCostsTheWholeWait) {
  ASSERT_GT((28 / 3. - 23 / 3.) - (26 / 3. - 21 / 3.), 0);
  EXPECT_EQ(cost_of_work(21, Compatibility::reference()), 2);
}

TEST(RoundsTimesOfThreads, ANegativeRemainderCostsNothing) {
  ASSERT_LT((29 / 3. - 24 / 3.) - (27 / 3. - 22 / 3.), 0);
  EXPECT_EQ(cost_of_work(22, Compatibility::reference()), 0);
}

TEST(RoundsTimesOfThreads, WithoutTheSwitchThereIsNoDelay) {
  CompatibilitySwitches switches = CompatibilitySwitches::all();
  switches.rounds_times_of_threads = false;
  EXPECT_EQ(cost_of_work(21, switches), 0);
  EXPECT_EQ(cost_of_work(21, Compatibility::none()), 0);
}

// Rank 0's master waits 18 for its worker, then rank 1 for rank 0. The two met in a message before, or in Init.
void add_two_processes(SyntheticTrace& trace, bool with_message) {
  for (std::uint32_t r = 0; r < 2; ++r) trace.on(r, 0).enter(0, "main").visit(0, 10, "MPI_Init");
  if (with_message) {
    trace.on(0, 0).enter(20, "MPI_Send").send(20, 1).leave(21);
    trace.on(1, 0).enter(12, "MPI_Recv").recv(21, 0).leave(21);
  }
  trace.on(0, 0).fork(30, 2).team_begin(30).enter(30, kParallel);
  trace.on(0, 0).visit(30, 32, "w").visit(32, 51, kImplicitBarrier).leave(51);
  trace.on(0, 0).team_end(51).join(51);
  trace.on(0, 1).team_begin(30).enter(30, kParallel).visit(30, 50, "w");
  trace.on(0, 1).visit(50, 51, kImplicitBarrier).leave(51).team_end(51);
  trace.on(0, 0).collective(51, 52, CollectiveOp::kBarrier);
  trace.on(1, 0).collective(25, 52, CollectiveOp::kBarrier);
  for (std::uint32_t r = 0; r < 2; ++r) trace.on(r, 0).visit(53, 54, "MPI_Finalize").leave(55);
}

struct BarrierCosts {
  double short_term, long_term;
};

BarrierCosts costs_of_barrier(bool with_message, bool pair_spares_thread_waits) {
  SyntheticTrace trace(2, 2);
  add_two_processes(trace, with_message);
  CompatibilitySwitches switches;
  switches.pair_spares_thread_waits = pair_spares_thread_waits;
  AnalysisOf found(trace, switches);
  EXPECT_EQ(found.total(kBarrierWait), 26);
  EXPECT_EQ(found.total(kDelayBarrierLongTerm), found.value(kDelayBarrierLongTerm, kWork, 0, 1));
  return {found.total(kDelayBarrier), found.total(kDelayBarrierLongTerm)};
}

TEST(PairSparesThreadWaits, CostsEndAtTheMaster) {
  const BarrierCosts all = costs_of_barrier(true, false), spared = costs_of_barrier(true, true);
  EXPECT_GT(all.long_term, 0);
  EXPECT_DOUBLE_EQ(all.short_term + all.long_term, 26);
  EXPECT_EQ(spared.long_term, 0);
  EXPECT_EQ(spared.short_term, all.short_term);
}

TEST(PairSparesThreadWaits, NotIfTheTwoLastMetInACollective) {
  const BarrierCosts all = costs_of_barrier(false, false), spared = costs_of_barrier(false, true);
  EXPECT_GT(all.long_term, 0);
  EXPECT_EQ(spared.long_term, all.long_term);
}

}  // namespace
}  // namespace tarry
