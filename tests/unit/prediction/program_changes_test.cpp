// program_changes_test.cpp -- delays and regions that a program could be rid of. A tick is a second; each answer
// follows by hand.
#include "prediction/simulation/program_changes.hpp"

#include <gtest/gtest.h>

#include "prediction/simulation/predict.hpp"
#include "prediction/simulation/predict_variants.hpp"
#include "tests/unit/prediction/delays_of_region.hpp"
#include "exchange/exchange.hpp"
#include "tests/unit/analysis/golden_traces.hpp"
#include "replay/matching/match_messages.hpp"
#include "tests/unit/replay/synthetic_source.hpp"

namespace tarry {
namespace {

// A trace with its delay analysis, and the delays on call paths that end with some regions.
class WithoutDelays {
 public:
  WithoutDelays(SyntheticTrace& source, const std::vector<std::string>& delays,
                const std::vector<std::string>& regions = {}, unsigned workers = 1)
      : trace_(source, exchange_, workers, {}, Compatibility::none().kept_details()) {
    match_messages(trace_, MatchOrder::kPosted);
    const Analysis analysis = analyse_delays(trace_);
    std::vector<std::vector<PathIndex>> paths;
    for (const std::string& delay : delays) paths.push_back(paths_of_region(analysis, delay));
    changes_.emplace(analysis, paths, regions);
  }

  // One number for each change: how much of it goes.
  double seconds(const std::vector<double>& strengths, const Machine& machine = {}) {
    Plan plan(trace_, machine, &*changes_);
    for (const double strength : strengths) plan.cut_strengths.push_back(strength);
    return predict(plan).predicted;
  }

  std::vector<double> variants(const std::vector<Variant>& all, const Machine& machine = {}, bool is_whole = false) {
    Plan plan(trace_, machine, &*changes_);
    return predict_variants(plan, all, is_whole);
  }

  // The same, one after another.
  std::vector<double> one_by_one(const std::vector<Variant>& all, const Machine& machine = {}, bool is_whole = false) {
    std::vector<double> found;
    for (const Variant& variant : all) {
      Plan plan(trace_, machine, &*changes_);
      plan.cut_strengths.resize(variant.change.value + 1, 0);
      plan.cut_strengths[variant.change] = variant.strength;
      const Prediction prediction = predict(plan);
      found.push_back(is_whole ? prediction.whole_predicted : prediction.predicted);
    }
    return found;
  }

 private:
  Exchange exchange_;
  Trace trace_;
  std::optional<Changes> changes_;
};

double without(SyntheticTrace& source, const std::string& delay, double strength = 1) {
  return WithoutDelays(source, {delay}).seconds({strength});
}

// 12, 8 and 4 ticks of work before a barrier that ends one later.
void imbalanced(SyntheticTrace& trace) {
  for (std::uint32_t r = 0; r < 3; ++r)
    trace.on(r)
        .enter(0, "main")
        .visit(0, 0, "MPI_Init")
        .visit(0, 12 - 4 * r, "solve")
        .collective(12 - 4 * r, 13, CollectiveOp::kBarrier)
        .leave(20);
}

TEST(WithoutDelay, TheLastOneWorksAsLongAsTheFirst) {
  SyntheticTrace trace(3);
  imbalanced(trace);
  EXPECT_EQ(without(trace, "solve", 0), 20);
  EXPECT_EQ(without(trace, "solve"), 8 + 1 + 7);         // rank 0 works for 4, so rank 1 is the last
  EXPECT_EQ(without(trace, "solve", 0.25), 10 + 1 + 7);  // 2 of 8
  EXPECT_EQ(without(trace, "main"), 20);
}

TEST(WithoutDelay, AShiftingLoadIsADelayOfAll) {
  SyntheticTrace trace(2);
  for (std::uint32_t r = 0; r < 2; ++r) {
    trace.on(r).enter(0, "main").visit(0, 0, "MPI_Init");
    for (Ticks i = 0; i < 4; ++i) {
      const Ticks work = (i + r) % 2 == 0 ? 8 : 2;
      trace.on(r).visit(10 * i, 10 * i + work, "solve").collective(10 * i + work, 10 * i + 10, CollectiveOp::kBarrier);
    }
    trace.on(r).leave(40);
  }
  EXPECT_EQ(without(trace, "solve"), 4 * (2 + 2));
}

// One has more to do in `first`, the other in `second`. At the barrier nobody waits, so nothing is to be had.
TEST(WithoutDelay, ImbalancesThatCancelOutCauseNoWait) {
  SyntheticTrace trace(2);
  for (std::uint32_t r = 0; r < 2; ++r)
    trace.on(r)
        .enter(0, "main")
        .visit(0, 0, "MPI_Init")
        .visit(0, r ? 2 : 8, "first")
        .visit(r ? 2 : 8, 10, "second")
        .collective(10, 11, CollectiveOp::kBarrier)
        .leave(11);
  EXPECT_EQ(without(trace, "first"), 11);
  EXPECT_EQ(without(trace, "second"), 11);
}

TEST(WithoutDelay, ImbalancesThatAddUpAreDelaysOfTheirOwn) {
  SyntheticTrace trace(2);
  trace.on(0).enter(0, "main").visit(0, 0, "MPI_Init").visit(0, 6, "first").visit(6, 14, "second");
  trace.on(1).enter(0, "main").visit(0, 0, "MPI_Init").visit(0, 2, "first").visit(2, 5, "second");
  for (std::uint32_t r = 0; r < 2; ++r) trace.on(r).collective(r ? 5 : 14, 15, CollectiveOp::kBarrier).leave(15);
  EXPECT_EQ(without(trace, "first"), 15 - 4);
  EXPECT_EQ(without(trace, "second"), 15 - 5);
  EXPECT_EQ(WithoutDelays(trace, {"first", "second"}).seconds({1, 1}), 15 - 4 - 5);
}

// Rank 0 makes rank 1 wait, which so makes rank 2 wait.
void chain(SyntheticTrace& trace) {
  trace.on(0)
      .enter(0, "main")
      .visit(0, 0, "MPI_Init")
      .visit(0, 20, "a")
      .enter(20, "MPI_Send")
      .send(20, 1)
      .leave(21)
      .leave(22);
  trace.on(1)
      .enter(0, "main")
      .visit(0, 0, "MPI_Init")
      .visit(0, 5, "a")
      .enter(5, "MPI_Recv")
      .recv(22, 0)
      .leave(22)
      .visit(22, 30, "b");
  trace.on(1).enter(30, "MPI_Send").send(30, 2).leave(31).leave(32);
  trace.on(2)
      .enter(0, "main")
      .visit(0, 0, "MPI_Init")
      .visit(0, 3, "a")
      .visit(3, 4, "b")
      .enter(4, "MPI_Recv")
      .recv(32, 1)
      .leave(32)
      .leave(40);
}

TEST(WithoutDelay, AChainEndsEarlierByTheDelayAtItsBegin) {
  SyntheticTrace trace(3);
  chain(trace);
  // Rank 0 has worked 15 ticks more than rank 1, which has worked 2 more than rank 2.
  EXPECT_EQ(without(trace, "a"), 40 - 15);
  EXPECT_EQ(without(trace, "b"), 40 - 7);
  EXPECT_EQ(WithoutDelays(trace, {"a", "b"}).seconds({1, 1}), 40 - 15 - 7);
}

// A master computes between answers; two workers wait for it.
TEST(WithoutDelay, AMasterThatWorksMakesWorkersWait) {
  SyntheticTrace trace(3);
  trace.on(0).enter(0, "main").visit(0, 0, "MPI_Init").visit(0, 10, "plan");
  for (std::uint32_t r = 1; r < 3; ++r) {
    const Ticks at = 9 + r;
    trace.on(0).enter(at, "MPI_Send").send(at, r).leave(at + 1);
    trace.on(r)
        .enter(0, "main")
        .visit(0, 0, "MPI_Init")
        .enter(1, "MPI_Recv")
        .recv(at + 1, 0)
        .leave(at + 1)
        .visit(at + 1, 30, "work")
        .leave(30);
  }
  trace.on(0).leave(30);
  EXPECT_EQ(without(trace, "plan"), 1 + 1 + 19);  // rank 1 comes at 1 now, when its message is there
}

// Each rank waits for the one before it, in two steps; rank 0 has more to do.
TEST(WithoutDelay, APipelineRunsAtThePaceOfItsFirstStage) {
  SyntheticTrace trace(3);
  const auto stage = [&](std::uint32_t r, Ticks begin, Ticks received, Ticks done) {
    if (r > 0) trace.on(r).enter(begin, "MPI_Recv").recv(received, r - 1).leave(received);
    trace.on(r).visit(received, done, "stage");
    if (r < 2) trace.on(r).enter(done, "MPI_Send").send(done, r + 1).leave(done);
  };
  for (std::uint32_t r = 0; r < 3; ++r) trace.on(r).enter(0, "main").visit(0, 0, "MPI_Init");
  stage(0, 0, 0, 10), stage(0, 10, 10, 20);
  stage(1, 0, 10, 14), stage(1, 14, 20, 24);
  stage(2, 0, 14, 18), stage(2, 18, 24, 28);
  for (std::uint32_t r = 0; r < 3; ++r) trace.on(r).leave(20 + 4 * r);
  // Ranks 1 and 2 have done nothing before they wait: the first stages of ranks 0 and 1 are delays. In the second step
  // rank 0 works for 10, and who waits for it for 4.
  EXPECT_EQ(without(trace, "stage"), (0 + 4) + 4 + 4);
}

// Neighbours exchange messages; rank 1 has 5 more to do.
TEST(WithoutDelay, AHaloExchangeWaitsForItsSlowestRank) {
  SyntheticTrace trace(3);
  for (std::uint32_t r = 0; r < 3; ++r) {
    const Ticks work = r == 1 ? 9 : 4;
    trace.on(r).enter(0, "main").visit(0, 0, "MPI_Init").visit(0, work, "solve");
    for (std::uint32_t to = r ? r - 1 : 1; to < 3; to += 2)
      trace.on(r).enter(work, "MPI_Send").send(work, to).leave(work);
    for (std::uint32_t from = r ? r - 1 : 1; from < 3; from += 2)
      trace.on(r).enter(work, "MPI_Recv").recv(r == 1 ? work : 10, from).leave(r == 1 ? work : 10);
    trace.on(r).leave(r == 1 ? work : 10);
  }
  EXPECT_EQ(without(trace, "solve"), 10 - 5);
}

TEST(WithoutDelay, AReductionWaitsAtItsRootAlone) {
  SyntheticTrace trace(3);
  for (std::uint32_t r = 0; r < 3; ++r) {
    const Ticks work = 2 + 4 * r, end = r == 0 ? 11 : work;
    trace.on(r)
        .enter(0, "main")
        .visit(0, 0, "MPI_Init")
        .visit(0, work, "solve")
        .collective(work, end, CollectiveOp::kReduce, {.root = 0, .sent = 8, .received = r == 0 ? 8u : 0u});
    trace.on(r).leave(r == 0 ? 20 : work);
  }
  // The root waits from 2 on for rank 2, which comes at 10: its delay is 8, so rank 1 is the last then.
  EXPECT_EQ(without(trace, "solve"), 6 + 1 + 9);
}

// The message of rank 0 is read after that of rank 1, which is as late: one delay alone brings nothing.
TEST(WithoutDelay, AnotherDelayMayStandBehindTheFirst) {
  SyntheticTrace trace(3);
  trace.on(0)
      .enter(0, "main")
      .visit(0, 0, "MPI_Init")
      .visit(0, 10, "left")
      .enter(10, "MPI_Send")
      .send(10, 2)
      .leave(11)
      .leave(11);
  trace.on(1)
      .enter(0, "main")
      .visit(0, 0, "MPI_Init")
      .visit(0, 10, "right")
      .enter(10, "MPI_Send")
      .send(10, 2)
      .leave(11)
      .leave(11);
  trace.on(2).enter(0, "main").visit(0, 0, "MPI_Init").enter(0, "MPI_Recv").recv(11, 0).leave(11);
  trace.on(2).enter(11, "MPI_Recv").recv(12, 1).leave(12).leave(12);
  WithoutDelays program(trace, {"left", "right"});
  EXPECT_EQ(program.seconds({1, 0}), 12 - 1);  // the second receive would have waited for its message, too
  EXPECT_EQ(program.seconds({0, 1}), 12);
}

TEST(WithoutDelay, DelaysInsideAnOperationShortenItsRest) {
  SyntheticTrace trace(2);
  trace.on(0)
      .enter(0, "main")
      .visit(0, 0, "MPI_Init")
      .visit(0, 10, "MPI_Comm_rank")
      .collective(10, 11, CollectiveOp::kBarrier)
      .leave(11);
  trace.on(1)
      .enter(0, "main")
      .visit(0, 0, "MPI_Init")
      .visit(0, 2, "MPI_Comm_rank")
      .collective(2, 11, CollectiveOp::kBarrier)
      .leave(11);
  EXPECT_EQ(without(trace, "MPI_Comm_rank"), 2 + 1);
}

TEST(WithoutDelay, OtherChangesOfTheMachineCountFirst) {
  SyntheticTrace trace(3);
  imbalanced(trace);
  EXPECT_EQ(WithoutDelays(trace, {"solve"}).seconds({1}, {.cpu_speed = 2}), 4 + 1 + 3.5);
  EXPECT_EQ(WithoutDelays(trace, {"solve"}).seconds({1}, {.ranks = {{WorldRank(0), 2}}}), 8 + 1 + 14);
  EXPECT_EQ(WithoutDelays(trace, {"solve"}).seconds({1}, {.network = Network()}), 8 + 7);
}

// Of a team the thread that calls `v` is last in the first barrier.
TEST(WithoutDelay, ThreadsOfATeamHaveDelays) {
  SyntheticTrace trace(1, 3);
  add_team_of_three(trace);
  WithoutDelays program(trace, {"v"}, {"v"});
  EXPECT_LT(program.seconds({1, 0}), 1000);
  EXPECT_EQ(program.seconds({0, 1}), 1000 - 50);
}

TEST(ChangedRegion, WhatItCallsStays) {
  SyntheticTrace trace(1);
  trace.on(0).enter(0, "main").enter(2, "outer").visit(5, 10, "inner").leave(14).leave(20);
  WithoutDelays program(trace, {}, {"outer", "inner", "main"});
  EXPECT_EQ(program.seconds({1, 0, 0}), 20 - 7);
  EXPECT_EQ(program.seconds({0, 0.5, 0}), 20 - 2.5);
  EXPECT_EQ(program.seconds({0, 0, 1}), 20 - 8);
  EXPECT_EQ(program.seconds({1, 1, 1}), 0);
}

std::vector<Variant> many_variants() {
  std::vector<Variant> all;
  for (std::size_t change = 0; change < 3; ++change)
    for (const double strength : {1.0, 1 - 1 / 1.1, 1 - 1 / 1.5, 0.5, 1.0 / 3, 0.0})
      all.push_back({ChangeIndex(change), strength});
  return all;
}

TEST(PredictVariants, EachIsWhatItIsAlone) {
  SyntheticTrace trace(3);
  chain(trace);
  WithoutDelays program(trace, {"a", "b"}, {"a"});
  const std::vector<Variant> all = many_variants();
  for (const Machine& machine :
       {Machine{}, Machine{.network = Network{.latency = 0.3}, .cpu_speed = 0.7},
        Machine{.network = Network{.latency = 0.3}, .is_like_dimemas = true}, Machine{.eager_limit = 0}})
    for (const bool is_whole : {false, true})
      EXPECT_EQ(program.variants(all, machine, is_whole), program.one_by_one(all, machine, is_whole));
}

TEST(PredictVariants, WorkersOfTheAnalysisDoNotMatter) {
  SyntheticTrace trace(3);
  imbalanced(trace);
  const std::vector<Variant> all{{ChangeIndex(0), 0.3}, {ChangeIndex(1), 0.7}};
  const std::vector<double> once = WithoutDelays(trace, {"solve"}, {"main"}).variants(all);
  for (const unsigned workers : {2u, 8u})
    EXPECT_EQ(WithoutDelays(trace, {"solve"}, {"main"}, workers).variants(all), once);
}

}  // namespace
}  // namespace tarry
