// predict.cpp -- how long a recorded program takes on a changed machine.
#include "prediction/simulation/predict.hpp"

#include <algorithm>
#include <cmath>

#include "analysis/compatibility.hpp"
#include "prediction/simulation/step_cuts.hpp"

namespace tarry {
namespace {

// The first and the last moment of something, recorded and simulated.
struct Extent {
  Ticks first = std::numeric_limits<Ticks>::max(), last = std::numeric_limits<Ticks>::min();
  double simulated_first = std::numeric_limits<double>::infinity();
  double simulated_last = -std::numeric_limits<double>::infinity();

  void begin(const SimStep& step) {
    first = std::min(first, step.recorded);
    simulated_first = std::min(simulated_first, step.time);
  }
  void end(const SimStep& step) {
    last = std::max(last, step.recorded);
    simulated_last = std::max(simulated_last, step.time);
  }
  double recorded() const { return last > first ? static_cast<double>(last - first) : 0; }
  double simulated() const { return simulated_last > simulated_first ? simulated_last - simulated_first : 0; }
};

// Where MPI_Init or MPI_Finalize is not recorded, the master's first or last step counts.
void add_part(const RankPlan& plan, Extent& part) {
  const auto& steps = plan.threads[kMaster];
  const auto at = [&](ThreadIndex thread, StepIndex step, const SimStep& otherwise) {
    return step.is_valid() ? plan.threads[thread][step] : otherwise;
  };
  if (steps.empty()) return;
  part.begin(at(plan.init_thread, plan.init_leave, steps[0]));
  part.end(at(plan.finalize_thread, plan.finalize_enter, steps.back()));
}

// What the thread of the part does less in it, before its steps get their times.
double removed_work(const RankPlan& rank, const CutStrengths<double>& strengths) {
  double removed = 0;
  if (rank.computation <= 0) return 0;
  const RankPlan::Steps& steps = rank.threads[rank.init_thread];
  for (const StepCut& cut : rank.cuts[rank.init_thread]) {
    const bool is_inside = cut.step > rank.init_leave && cut.step <= rank.finalize_enter && strengths.has(cut.change);
    const SimStep& step = steps[cut.step];
    if (is_inside && !ends_wait(step.kind)) removed += strengths[cut.change] * cut.share * step.time;
  }
  return std::min(removed, rank.computation);
}

}  // namespace

KeptDetails prediction_details() {
  KeptDetails details = Compatibility::none().kept_details();
  details.thread_ends = true;
  details.queues = true;
  details.poll_sleeps = false;  // as all blocked time, it is work of the function
  return details;
}

Prediction predict(const Trace& trace, const Machine& machine, std::unique_ptr<SimulatedTimes>* times) {
  Plan plan(trace, machine);
  const Prediction result = predict(plan);
  if (times && !result.outcome.is_deadlock) *times = std::make_unique<SimulatedTimes>(std::move(plan));
  return result;
}

Prediction predict(Plan& plan) {
  const Trace& trace = plan.trace;
  const Machine& machine = plan.machine;
  if (!plan.cut_strengths.empty())
    for (RankPlan& rank : plan.ranks) rank.computation -= removed_work(rank, plan.cut_strengths);
  Prediction result{.outcome = simulate(plan)};
  Extent part, whole;
  double shift = 0, longest = 0, sum = 0;
  bool has_finalize = false;
  for (const RankPlan& rank : plan.ranks) {
    if (!rank.threads.empty()) add_part(rank, part);
    has_finalize |= rank.finalize_enter.is_valid();
    longest = std::max(longest, rank.computation);
    sum += rank.computation;
    for (const ThreadIndex t : rank.threads.ids()) {
      const RankPlan::Steps& steps = rank.threads[t];
      if (steps.empty()) continue;
      const bool is_of_thread = t < rank.first_row();
      if (is_of_thread && steps[0].kind != StepKind::kIdle) whole.begin(steps[0]);
      if (is_of_thread && steps.back().kind != StepKind::kIdle) whole.end(steps.back());
      for (const SimStep& step : steps)
        if (step.kind != StepKind::kIdle)
          shift = std::max(shift, std::abs(step.time - static_cast<double>(step.recorded - plan.origin)));
    }
  }
  result.recorded = trace.seconds(1) * part.recorded();
  result.predicted = trace.seconds(1) * part.simulated();
  // Dimemas takes MPI_Finalize for one more collective operation.
  if (machine.is_like_dimemas && machine.network && has_finalize) result.predicted += 2 * machine.network->latency;
  result.whole_recorded = trace.seconds(1) * whole.recorded();
  result.whole_predicted = trace.seconds(1) * whole.simulated();
  result.longest_computation = trace.seconds(1) * longest;
  result.mean_computation = trace.seconds(1) * sum / static_cast<double>(plan.ranks.size());
  result.largest_shift = trace.seconds(1) * shift;
  return result;
}

}  // namespace tarry
