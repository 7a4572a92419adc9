// iteration_costs.hpp -- delay costs by iterations of a time series: when the cause did what it is charged for.
#pragma once

#include <utility>
#include <vector>

#include "analysis/delay/booked_costs.hpp"
#include "analysis/delay/delay_instances.hpp"
#include "analysis/results.hpp"

namespace tarry {

/// The time of a call path that falls to a slot.
struct SlotTime {
  std::uint32_t slot;
  Ticks time;
};

/// For the causes and waits of one process: books once more, by slots in place of call paths, what is booked of it.
class IterationCosts {
 public:
  /// `into`: gets the sums at move_on().
  IterationCosts(const DelayContext& context, RankIndex rank, std::size_t classes, Results& into);

  /// Of a delay of the cause in a call path: the iterations in which it was. The times add up to `excess`, unless the
  /// call path lies in no iteration. Valid until the next call.
  const std::vector<SlotTime>& divide(const DelayInstance& instance, const PathTime& excess);

  std::uint32_t slot_of(PathIndex own) const { return context_.slots.slot_of(rank_, own); }

  /// Delay costs of a thread, by slot.
  BookedCosts& booked(ThreadIndex thread) { return booked_[thread]; }
  void add(ThreadIndex thread, Metric metric, PathIndex own, double value) {
    if (const std::uint32_t slot = slot_of(own); slot != IterationSlots::kNone)
      severities_[thread].add(metric, slot, value);
  }

  /// Adds the idle time that the master's own work between two places of its time log causes.
  void add_idleness(LogPosition begin, LogPosition end, SyncIndex first_point, SyncIndex end_point, double factor);

  void move_on(const std::vector<WaitKind>& kinds);

 private:
  IntervalTimes times_of(ThreadIndex thread);  // by the process's own call paths
  const PathTimes& times_before(const DelayInstance& instance);
  PathIndex unified(const PathTime& time) const { return context_.tree.to_unified[rank_][time.path]; }

  const DelayContext& context_;
  const RankIndex rank_;
  std::vector<PathIndex> own_;  // each call path itself
  IntervalScratch scratch_;
  SyncRef cause_;  // of the times below, which begin at
  SyncIndex first_wait_;
  PathTimes times_;
  std::vector<SlotTime> parts_;
  Indexed<ThreadIndex, std::vector<BookedCosts>> booked_;
  ThreadSeverities severities_;
};

}  // namespace tarry
