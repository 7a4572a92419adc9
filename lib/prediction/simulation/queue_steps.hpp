// queue_steps.hpp -- the steps of the queues of accelerators, and how long their work takes on the changed machine.
#pragma once

#include "prediction/simulation/plan.hpp"
#include "prediction/simulation/queue_gates.hpp"
#include "prediction/simulation/work_factors.hpp"

namespace tarry {

/// What differs from the recorded run in what the queues execute.
struct ChangedQueues {
  const AllWorkFactors& factors;
  const Machine& machine;
  const Changes* changes = nullptr;
};

/// In a row: where the execution at a position begins. The step behind it is where it ends.
class RowSteps {
 public:
  explicit RowSteps(const RankPlan::Steps& steps) : steps_(steps) { skip_idle(); }

  const SimStep& begin() const { return steps_[next_]; }
  const SimStep& end() const { return steps_[StepIndex(next_.value + 1)]; }

  /// On to the next execution.
  void advance() {
    next_.value += 2;
    while (steps_.has(next_) && steps_[next_].kind == StepKind::kSignal) ++next_.value;
  }

 private:
  void skip_idle() {
    while (steps_.has(next_) && steps_[next_].kind == StepKind::kIdle) ++next_.value;
  }

  const RankPlan::Steps& steps_;
  StepIndex next_{0};
};

/// Fills RankPlan::queue_rows, and threads and cuts behind those of the threads.
void plan_queue_steps(const Trace& trace, RankIndex rank, QueueGates& gates, const ChangedQueues& work, Ticks origin,
                      RankPlan& plan);

}  // namespace tarry
