// delay_instances.hpp -- for each wait and its cause: on which call paths the cause was slower, and where it waited
// itself.
#pragma once

#include <vector>

#include "analysis/sync_points/counted_waits.hpp"
#include "analysis/instances/instances.hpp"
#include "analysis/delay/interval_times.hpp"
#include "analysis/compatibility.hpp"

namespace tarry {

inline bool is_message(WaitKind kind) {
  return kind != WaitKind::kNone && cost_of(kind).source == WaitSource::kMessages;
}
inline bool is_message(SyncKind kind) { return is_message(wait_kind(kind)); }

/// One wait and the one who is to blame for it. A collective or a thread barrier has one for each that waits.
struct DelayInstance {
  SyncRef waiter;
  SyncRef cause;
  WaitKind kind = WaitKind::kLateSender;
  bool spares_thread_waits = false;  // waits of the cause in OpenMP barriers pass no costs on
  SyncIndex first_wait = 0;          // the others do, at points first_wait .. cause.point
  Ticks wait = 0;
  Ticks delay = 0;        // D: sum of `excess`
  Ticks propagating = 0;  // w: waits of the cause in its interval
  std::uint32_t excess_begin = 0, excess_end = 0;  // delay per call path, in DelayInstances::excess
};

/// The instances of one causing process, in order of the cause's sync points.
struct DelayInstances {
  Rows<DelayInstance> all;
  Rows<PathTime> excess;
};

/// Everything the delay analysis works on.
struct DelayContext {
  const Trace& trace;
  const AllSyncPoints& sync;  // [rank index][thread]
  const UnifiedTree& tree;
  const Compatibility& compatibility;
  const CountedWaits& counted;

  /// What of the wait at a sync point is to be explained: all of it unless a part of the trace was selected.
  Ticks counted_wait(const SyncRef& ref) const {
    return counted.empty() ? sync[ref.rank][ref.thread].points[ref.point].wait
                           : counted[ref.rank][ref.thread][ref.point];
  }
  /// The same for all sync points of a thread; nullptr if the whole trace counts.
  const std::vector<Ticks>* counted_waits(std::uint32_t rank, std::size_t thread) const {
    return counted.empty() ? nullptr : &counted[rank][thread];
  }
};

/// Finds the instances of messages, collectives, thread barriers and locks (docs/METRICS.md, "Delay costs"; Boehme,
/// sections 4.2.4, 4.3.2). Result: per rank index of the cause; the excess only of hosted ones. Collective over the
/// analysis processes.
std::vector<DelayInstances> find_delay_instances(const DelayContext& context);

/// Fills in WaitInstance::delay_path: the call path (a unified one) on which the one who was waited for lost most time,
/// of those that the wait's instance has; only where the cause is hosted here (name_delays.cpp).
void name_delays(const DelayContext& context, const std::vector<DelayInstances>& delays, Instances& severe);

/// The part for the thread barriers of one process (delay_threads.cpp), and for the locks of its threads
/// (delay_locks.cpp).
void find_thread_delays(const DelayContext& context, std::uint32_t rank, DelayInstances& into);
void find_lock_delays(const DelayContext& context, std::uint32_t rank, DelayInstances& into);

/// Adds an instance with what the cause did more than the waiter.
void append(DelayInstances& into, DelayInstance instance, const PathTimes& excess);

}  // namespace tarry
