// queue_steps.cpp -- the steps of the queues of accelerators, and how long their work takes on the changed machine.
//
//   queue      .......[ kernel ]...[ copy ]        a step where each begins, after what it awaits, and one where it
//   ends steps             await    signal
#include "prediction/simulation/queue_steps.hpp"

#include <algorithm>

#include "prediction/simulation/program_changes.hpp"

namespace tarry {
namespace {

/// How much of each execution of a queue is a delay: by execution.
using SharesOfWork = Indexed<ExecutionIndex, std::vector<double>>;

SharesOfWork shares_of_work(const LogicalThread& queue, const RankChanges& changes, ThreadIndex number) {
  const Rows<DelayShare>& shares = changes.shares[number];
  std::vector<double> share_now(changes.delay_of_path.size(), 0);  // by path
  SharesOfWork found;
  std::size_t next = 0;
  for (const Execution& execution : queue.executions) {
    for (; next < shares.size() && shares[next].from <= execution.before; ++next)
      share_now[shares[next].path] = shares[next].share;
    found.push_back(changes.delay_of_path[execution.path].is_valid() ? share_now[execution.path] : 0);
  }
  return found;
}

/// How long executions take.
class WorkDurations {
 public:
  WorkDurations(const ChangedQueues& work, double ticks_per_second)
      : work_(work), ticks_per_second_(ticks_per_second) {}

  double of(const Execution& execution) const {
    const auto recorded = static_cast<double>(execution.end - execution.begin);
    if (!execution.is_copy()) return recorded * work_.factors.of_kernel(execution.region);
    const std::optional<double>& link = work_.machine.copy_seconds_per_byte;
    if (!link || execution.kind == WorkKind::kCopyWithin) return recorded;
    if (*link == 0) return 0;
    return execution.bytes == 0 ? recorded : static_cast<double>(execution.bytes) * *link * ticks_per_second_;
  }

 private:
  const ChangedQueues& work_;
  const double ticks_per_second_;
};

/// Makes the steps of one row.
class RowMaker {
 public:
  RowMaker(const LogicalThread& queue, const QueueGates::OfQueue& gates, const WorkDurations& durations, Ticks origin,
           RankPlan::Steps& steps)
      : executions_(queue.executions), gates_(gates), durations_(durations), origin_(origin), steps_(steps) {}

  /// Which parts of the steps changes take away.
  void cut(const RankChanges& changes, const SharesOfWork& delays, Rows<StepCut>& cuts) {
    changes_ = &changes;
    delays_ = &delays;
    cuts_ = &cuts;
  }

  void make(const QueueRow& row) {
    for (std::size_t i = 0; i < row.executions.size(); ++i) {
      const ExecutionIndex number = row.executions[i];
      const GateIndex gate = gates_.begins[number];
      if (i == 0 && gate.is_valid()) put(executions_[number].begin, 0, 0, StepKind::kIdle);
      begin(number, gate);
      end(number);
    }
    steps_.finish();
  }

 private:
  void put(Ticks recorded, double time, std::uint32_t value, StepKind kind) {
    steps_.push_back({recorded, time, value, kind});
  }

  void begin(ExecutionIndex number, GateIndex gate) {
    const Ticks begin = executions_[number].begin;
    const Ticks before = steps_.empty() ? origin_ : steps_.back().recorded;
    const StepKind kind = gate.is_valid() ? StepKind::kAwaitDevice : StepKind::kPass;
    cut_delay(number);
    put(begin, static_cast<double>(begin - before), gate.value, kind);
  }

  void end(ExecutionIndex number) {
    const Execution& execution = executions_[number];
    const auto signals = std::ranges::equal_range(gates_.ends, number, {}, &ExecutionGate::execution);
    cut_delay(number);
    cut_region(execution);
    const double duration = durations_.of(execution);
    if (signals.empty()) put(execution.end, duration, 0, StepKind::kPass);
    for (const ExecutionGate* signal = signals.begin(); signal != signals.end(); ++signal)
      put(execution.end, signal == signals.begin() ? duration : 0, signal->gate.value, StepKind::kSignal);
  }

  // Of the step that comes next. Changes of a step are in order: delays come first.
  void cut_delay(ExecutionIndex number) {
    if (!cuts_ || (*delays_)[number] <= 0) return;
    cuts_->push_back({(*delays_)[number], StepIndex(steps_.size()), changes_->delay_of_path[executions_[number].path]});
  }

  void cut_region(const Execution& execution) {
    if (!cuts_ || execution.is_copy()) return;
    if (const ChangeIndex region = changes_->region_of_path[execution.path]; region.is_valid())
      cuts_->push_back({1, StepIndex(steps_.size()), region});
  }

  const Indexed<ExecutionIndex, Rows<Execution>>& executions_;
  const QueueGates::OfQueue& gates_;
  const WorkDurations& durations_;
  const Ticks origin_;
  RankPlan::Steps& steps_;
  const RankChanges* changes_ = nullptr;
  const SharesOfWork* delays_ = nullptr;
  Rows<StepCut>* cuts_ = nullptr;
};

}  // namespace

void plan_queue_steps(const Trace& trace, RankIndex index, QueueGates& gates, const ChangedQueues& work, Ticks origin,
                      RankPlan& plan) {
  const LogicalRank& rank = trace.ranks()[index];
  const WorkDurations durations(work, trace.definitions().clock.ticks_per_second);
  const RankChanges* const changes = work.changes ? &work.changes->of(index) : nullptr;
  SharesOfWork delays;
  ThreadIndex of_delays;
  for (const QueueRow& row : gates.rows) {
    RankPlan::Steps& steps = plan.threads.emplace_back(Rows<SimStep>(trace.budget()));
    RowMaker maker(rank.threads[row.queue], gates.queues[row.queue], durations, origin, steps);
    if (changes) {
      if (std::exchange(of_delays, row.queue) != row.queue)
        delays = shares_of_work(rank.threads[row.queue], *changes, row.queue);
      maker.cut(*changes, delays, plan.cuts.emplace_back(trace.budget()));
    }
    maker.make(row);
    if (changes) plan.cuts.back().finish();
  }
  plan.queue_rows = std::move(gates.rows);
}

}  // namespace tarry
