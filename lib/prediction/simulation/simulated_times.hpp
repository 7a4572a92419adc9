// simulated_times.hpp -- the times of a simulation, for all events of the trace while it is read once more.
#pragma once

#include <memory>
#include <vector>

#include "prediction/simulation/plan.hpp"
#include "prediction/simulation/work_factors.hpp"
#include "base/arrays/flat_map.hpp"
#include "replay/scan/event_times.hpp"

namespace tarry {

/// Outlives the trace that was simulated. Steps happen when the simulation says; what lies between them moves along:
///
///   work      takes its factor of the time, less the delays that the machine removes, up to the next step
///   a call    what comes before the wait keeps its distance from the enter, what ends it that from the leave
///
/// Times are whole ticks. Rounding keeps the order of any two steps: so an effect never comes before its cause.
class SimulatedTimes final : public Retiming {
 public:
  /// Takes the steps of a plan that was simulated. What is cut from them is what its machine removes.
  explicit SimulatedTimes(Plan&& plan);

  std::unique_ptr<EventTimes> of_thread(WorldRank rank, ThreadIndex thread) const override;
  void move_work(WorldRank rank, ThreadIndex queue, std::span<Execution> work) const override;

 private:
  /// Of one process. `value` of a step that enters a call is the region.
  struct OfRank {
    ThreadIndex first_row() const { return ThreadIndex(threads.size() - rows.size()); }

    Indexed<ThreadIndex, std::vector<RankPlan::Steps>> threads;
    std::vector<QueueRow> rows;                                         // whose steps are the last of `threads`
    Indexed<ThreadIndex, std::vector<Rows<DeviceCallIndex>>> launches;  // of queues, by execution
    WorkFactors factors;
  };

  Indexed<RankIndex, std::vector<OfRank>> ranks_;
  FlatMap<WorldRank, RankIndex> index_;
  std::shared_ptr<const RemovedWork> removed_;
  Ticks origin_ = 0;
  bool keeps_calls_ = true;  // what a call does beside its waiting takes as long as recorded
};

}  // namespace tarry
