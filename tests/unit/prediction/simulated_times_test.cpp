// simulated_times_test.cpp -- small traces on a changed machine, analysed at their new times. A tick is a second.
#include "prediction/simulation/simulated_times.hpp"

#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "analysis/compatibility.hpp"
#include "prediction/simulation/predict.hpp"
#include "prediction/simulation/program_changes.hpp"
#include "tests/unit/analysis/analysis_of.hpp"
#include "tests/unit/prediction/delays_of_region.hpp"
#include "tests/unit/analysis/golden_traces.hpp"
#include "replay/matching/match_messages.hpp"
#include "tests/unit/analysis/rma_trace.hpp"

namespace tarry {
namespace {

// The analysis of the predicted run. `delays`: regions whose delays are gone, or of which so much is.
class Predicted {
 public:
  explicit Predicted(SyntheticTrace& source, Machine machine = {}, unsigned workers = 1,
                     const std::vector<std::pair<std::string, double>>& delays = {}) {
    Exchange exchange;
    {
      Trace trace(source, exchange, workers, {}, Compatibility::none().kept_details());
      match_messages(trace, MatchOrder::kPosted);
      if (!delays.empty()) remove(delays, trace, machine);
      prediction_ = predict(trace, machine, &times_);
    }
    analysis_.emplace(source, AnalysisOptions{.wants_path = true}, workers, TimeSelector(), times_.get());
  }

  AnalysisOf* operator->() { return &*analysis_; }
  const Prediction& prediction() const { return prediction_; }
  const MpiCall& call(std::uint32_t rank, std::uint32_t call) { return analysis_->trace().ranks()[rank].calls[call]; }

 private:
  static void remove(const std::vector<std::pair<std::string, double>>& delays, const Trace& trace, Machine& machine) {
    const Analysis analysis = analyse_delays(trace);
    std::vector<std::vector<PathIndex>> paths;
    Indexed<ChangeIndex, std::vector<double>> strengths;
    for (const auto& [name, strength] : delays) {
      paths.push_back(paths_of_region(analysis, name));
      strengths.push_back(strength);
    }
    machine.removed = std::make_shared<RemovedWork>(Changes(analysis, paths, {}), strengths);
  }

  Prediction prediction_;
  std::unique_ptr<SimulatedTimes> times_;
  std::optional<AnalysisOf> analysis_;
};

const Machine kFreeNetwork{.network = Network()};

void expect_same_analysis(SyntheticTrace& source) {
  Predicted predicted(source);
  const AnalysisOf recorded(source, AnalysisOptions{.wants_path = true});
  std::vector<std::tuple<Metric, std::string, std::uint32_t, double>> values[2];
  const auto note = [](auto& into, const AnalysisOf& analysis) {
    analysis.for_each_value([&](Metric metric, PathIndex path, const AnalysedThread& thread, double value) {
      into.emplace_back(metric, analysis.path_name(path), thread.location.value, value);
    });
  };
  note(values[0], recorded);
  note(values[1], *predicted.operator->());
  EXPECT_FALSE(values[0].empty());
  EXPECT_EQ(values[0], values[1]);
  EXPECT_EQ(recorded.result().critical_path, predicted->result().critical_path);
}

// Rank 0 works until 10 and sends; rank 1 waits from 2 on, gets the message at 13, and works until 20.
void late_message(SyntheticTrace& trace) {
  trace.on(0).enter(0, "main").enter(10, "MPI_Send").send(10, 1, 100).leave(11).leave(15);
  trace.on(1).enter(0, "main").enter(2, "MPI_Recv").recv(13, 0, 100).leave(13).leave(20);
}

TEST(SimulatedTimes, TheUnchangedMachineGivesTheSameValues) {
  SyntheticTrace message(2), team(1, 3), hybrid(2, 2), one_sided(2);
  late_message(message);
  add_team_of_three(team);
  add_hybrid(hybrid);
  one_sided.on(0).enter(0, "main");
  one_sided.on(1).enter(0, "main");
  RmaStream(one_sided, 0).start(2, 10, {1}).put(10, 11, 1).complete(11, 12);
  RmaStream(one_sided, 1).post(9, 10, {0}).wait(10, 13);
  one_sided.on(0).leave(20);
  one_sided.on(1).leave(20);
  for (SyntheticTrace* trace : {&message, &team, &hybrid, &one_sided}) expect_same_analysis(*trace);
}

TEST(SimulatedTimes, WaitsRemainOrGrow) {
  SyntheticTrace trace(2);
  late_message(trace);
  Predicted twice(trace, {.cpu_speed = 2});  // sends at 5, waits from 1 on; the rest of 3 stays
  EXPECT_EQ(twice->value(Metric::kLateSender, "main/MPI_Recv", 1), 4);
  EXPECT_EQ(twice->value(Metric::kTime, "main/MPI_Recv", 1), 7);
  EXPECT_EQ(twice.call(1, 0).leave(), 8);
  Predicted ideal(trace, kFreeNetwork);
  EXPECT_EQ(ideal->value(Metric::kLateSender, "main/MPI_Recv", 1), 8);
  EXPECT_EQ(ideal->value(Metric::kTime, "main/MPI_Recv", 1), 8);
  EXPECT_EQ(ideal->value(Metric::kTime, "main/MPI_Send", 0), 0);
  EXPECT_EQ(ideal->value(Metric::kCriticalPath, "main", 0), 10);
  EXPECT_EQ(ideal->value(Metric::kCriticalPath, "main", 1), 7);
  Predicted slow(trace, {.ranks = {{WorldRank(1), 10}}});  // comes at 20: nobody waits
  EXPECT_EQ(slow->total(Metric::kLateSender), 0);
}

// Each part of the time between two calls gets its own factor.
TEST(SimulatedTimes, RegionsTakeTheirFactors) {
  SyntheticTrace trace(2);
  trace.on(0).enter(0, "main").enter(0, "MPI_Send").send(0, 1).leave(0).visit(2, 10, "solve").visit(10, 14, "other");
  trace.on(0).enter(20, "MPI_Send").send(20, 1).leave(20).leave(20);
  trace.on(1).enter(0, "main").enter(2, "MPI_Recv").recv(2, 0).leave(2).enter(19, "MPI_Recv").recv(20, 0).leave(20);
  trace.on(1).leave(30);
  Predicted predicted(trace, {.regions = {{"solve", 0.25}, {"other", 3}}});
  EXPECT_EQ(predicted->value(Metric::kTime, "main/solve", 0), 2);
  EXPECT_EQ(predicted->value(Metric::kTime, "main/other", 0), 12);
  EXPECT_EQ(predicted->value(Metric::kTime, "main", 0), 8);
  EXPECT_EQ(predicted.call(0, 1).enter, 22);
  EXPECT_EQ(predicted->value(Metric::kLateSender, "main/MPI_Recv", 1), 3);
}

// All calls of rank 1 lie at one moment of the recorded time. Then the second one waits.
TEST(SimulatedTimes, CallsAtOneMomentAreToldApart) {
  SyntheticTrace trace(2);
  trace.on(0).enter(0, "main").enter(1, "MPI_Ssend").send(1, 1).leave(5).enter(5, "MPI_Send").send(5, 1).leave(5);
  trace.on(0).enter(5, "MPI_Send").send(5, 1).leave(5).leave(9);
  trace.on(1).enter(0, "main").enter(5, "MPI_Recv").recv(5, 0).leave(5).visit(5, 5, "none");
  trace.on(1).enter(5, "MPI_Barrier").leave(5);  // without a record: no call
  trace.on(1).enter(5, "MPI_Recv").recv(5, 0).leave(5).enter(5, "MPI_Recv").recv(5, 0).leave(5).leave(6);
  Predicted predicted(trace, {.ranks = {{WorldRank(0), 10}, {WorldRank(1), 3}}});
  EXPECT_EQ(predicted.call(1, 0).enter, 15);
  EXPECT_EQ(predicted.call(1, 0).leave(), 15);
  EXPECT_EQ(predicted->value(Metric::kTime, "main/none", 1), 0);
  Predicted late(trace, {.ranks = {{WorldRank(0), 20}, {WorldRank(1), 3}}});  // sends at 20
  EXPECT_EQ(late.call(1, 0).enter, 15);
  EXPECT_EQ(late.call(1, 0).leave(), 20);
  EXPECT_EQ(late.call(1, 1).enter, 20);
  EXPECT_EQ(late.call(1, 2).leave(), 20);
  EXPECT_EQ(late->value(Metric::kLateSender, "main/MPI_Recv", 1), 5);
  EXPECT_EQ(late->value(Metric::kTime, "main/MPI_Barrier", 1), 0);
}

TEST(SimulatedTimes, MembersOfACollectiveWaitForTheLast) {
  SyntheticTrace trace(2);
  trace.on(0).enter(0, "main").enter(6, "MPI_Allreduce").begin(7).end(9, CollectiveOp::kAllreduce).leave(10).leave(20);
  trace.on(1).enter(0, "main").enter(2, "MPI_Allreduce").begin(3).end(9, CollectiveOp::kAllreduce).leave(10).leave(20);
  Predicted ideal(trace, kFreeNetwork);
  EXPECT_EQ(ideal->value(Metric::kNxnWait, "main/MPI_Allreduce", 1), 4);
  EXPECT_EQ(ideal->value(Metric::kTime, "main/MPI_Allreduce", 0), 0);
  // Between BEGIN and END: from 3 and 31, until 33. The end keeps its distance from the leave.
  Predicted slow(trace, {.ranks = {{WorldRank(0), 5}}});
  EXPECT_EQ(slow->value(Metric::kNxnWait, "main/MPI_Allreduce", 1), 28);
  EXPECT_EQ(slow.call(1, 0).leave(), 34);
}

// In the first barrier the thread that calls `v` is last, 50 after the next.
TEST(SimulatedTimes, ThreadsOfATeamMove) {
  SyntheticTrace trace(1, 3);
  add_team_of_three(trace);
  const AnalysisOf recorded(trace);
  Predicted faster(trace, {.regions = {{"v", 0.9}}});
  EXPECT_EQ(recorded.total(Metric::kOmpImplicitBarrierWait) + recorded.total(Metric::kOmpExplicitBarrierWait) -
                faster->total(Metric::kOmpImplicitBarrierWait) - faster->total(Metric::kOmpExplicitBarrierWait),
            2 * 24);
  Predicted slower(trace, {.regions = {{"c", 2}}});
  EXPECT_EQ(slower->value(Metric::kTime, "main", 0) - recorded.value(Metric::kTime, "main", 0), 0);
}

// Times of three ticks a second become thirds; what was sent arrives later all the same.
TEST(SimulatedTimes, RoundingKeepsTheOrderOfCauseAndEffect) {
  SyntheticTrace trace(3);
  for (std::uint32_t r = 0; r < 3; ++r) {
    trace.on(r).enter(0, "main");
    for (Ticks i = 0; i < 50; ++i) {
      const Ticks at = 40 * i + 3 * r;
      if (r < 2) trace.on(r).enter(at + 7, "MPI_Send").send(at + 7, r + 1).leave(at + 8);
      if (r > 0) trace.on(r).enter(at + 8, "MPI_Recv").recv(at + 9, r - 1).leave(at + 9);
    }
    trace.on(r).leave(2100);
  }
  for (const double speed : {0.7, 1.5, 3.0, 7.3}) {
    Predicted predicted(trace, {.network = Network{.latency = 0.3, .seconds_per_byte = 0.01}, .cpu_speed = speed});
    std::size_t checked = 0;
    for (const LogicalRank& rank : predicted->trace().ranks())
      for (const Receive& receive : rank.receives) {
        const LogicalRank& sender = predicted->trace().ranks()[rank.sender_of(receive)];
        EXPECT_LE(sender.sends[receive.send].time, rank.calls[receive.call].leave());
        ++checked;
      }
    EXPECT_EQ(checked, 100u);
    EXPECT_NEAR(predicted->value(Metric::kTime, "main", 0) + predicted->value(Metric::kTime, "main/MPI_Send", 0),
                predicted.prediction().whole_predicted, 3);
  }
}

// Rank 0 solves for 9, rank 1 for 3, and both do something else for 4 in between, before and after.
void late_solver(SyntheticTrace& trace) {
  for (std::uint32_t r = 0; r < 2; ++r) {
    const Ticks solved = r ? 3 : 9, end = solved + 8;
    trace.on(r).enter(0, "main").visit(0, 0, "MPI_Init").visit(0, 3, "other");
    trace.on(r).enter(3, "solve").visit(3 + solved / 3, 4 + solved / 3, "other").leave(4 + solved);
    trace.on(r).leave(end - 4 + 2).enter(end - 2, "tail").leave(end);
    trace.on(r).collective(end, 18, CollectiveOp::kBarrier).visit(18, 24, "solve");
  }
}

// The delay is gone from its own call path alone, in the interval that others wait for alone.
TEST(SimulatedTimes, ADelayIsGoneFromItsCallPath) {
  SyntheticTrace trace(2);
  late_solver(trace);
  Predicted all(trace, {}, 1, {{"solve", 1}});
  EXPECT_EQ(all->value(Metric::kTime, "main/solve", 0), 3);
  EXPECT_EQ(all->value(Metric::kTime, "main/solve", 1), 3);
  EXPECT_EQ(all->value(Metric::kTime, "main/solve/other", 0), 1);
  EXPECT_EQ(all->value(Metric::kTime, "main/other", 0), 3);
  EXPECT_EQ(all->value(Metric::kTime, "solve", 0), 6);
  EXPECT_EQ(all->total(Metric::kBarrierWait), 0);
  EXPECT_EQ(all.call(1, 1).leave(), 12);
  Predicted part(trace, {.cpu_speed = 0.5}, 1, {{"solve", 0.5}});
  EXPECT_EQ(part->value(Metric::kTime, "main/solve", 0), 2 * 6);
  EXPECT_EQ(part->value(Metric::kTime, "main/solve/other", 0), 2);
  EXPECT_EQ(part->value(Metric::kTime, "solve", 0), 12);
  EXPECT_EQ(part->total(Metric::kBarrierWait), 2 * 3);
}

// The load goes from one rank to the other: a share of the same call path in one interval, nothing in the next one.
TEST(SimulatedTimes, ADelayIsGoneWhereItWas) {
  SyntheticTrace trace(2);
  for (std::uint32_t r = 0; r < 2; ++r) {
    trace.on(r).enter(0, "main").visit(0, 0, "MPI_Init");
    for (Ticks i = 0; i < 4; ++i) {
      const Ticks work = (i + r) % 2 == 0 ? 8 : 2;
      trace.on(r).visit(10 * i, 10 * i + work, "solve").collective(10 * i + work, 10 * i + 10, CollectiveOp::kBarrier);
    }
    trace.on(r).leave(40);
  }
  Predicted predicted(trace, {}, 1, {{"solve", 1}});
  for (std::uint32_t r = 0; r < 2; ++r) {
    EXPECT_EQ(predicted->value(Metric::kTime, "main/solve", r), 4 * 2);
    EXPECT_EQ(predicted->value(Metric::kTime, "main/MPI_Barrier", r), 4 * 2);
    EXPECT_EQ(predicted->value(Metric::kTime, "main", r), 0);
  }
  EXPECT_EQ(predicted->total(Metric::kBarrierWait), 0);
}

// What the analysis finds then takes as long as the simulation says.
TEST(SimulatedTimes, ThreadsWithoutDelaysTakeAsLongAsPredicted) {
  SyntheticTrace team(1, 3);
  add_team_of_three(team);
  Predicted of_team(team, {}, 1, {{"v", 1}});
  EXPECT_LT(of_team.prediction().whole_predicted, of_team.prediction().whole_recorded);
  EXPECT_EQ(of_team->total(Metric::kTime), 3 * of_team.prediction().whole_predicted);
  EXPECT_EQ(of_team->total(Metric::kTime), Predicted(team, {}, 2, {{"v", 1}})->total(Metric::kTime));
}

// A flush is one record with its duration: it takes no more than there is room for.
TEST(SimulatedTimes, FlushesStayBetweenTheirNeighbours) {
  SyntheticTrace trace(1);
  trace.on(0).enter(0, "main").add(10, record::BufferFlush{.duration = 8}).enter(20, "f").leave(30).leave(30);
  expect_same_analysis(trace);
  Predicted predicted(trace, {.cpu_speed = 10});
  EXPECT_LE(predicted->total(Metric::kTime), 3);
}

}  // namespace
}  // namespace tarry
