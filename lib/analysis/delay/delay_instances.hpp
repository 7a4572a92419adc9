// delay_instances.hpp -- for each wait and its cause: on which call paths the cause was slower, and where it waited
// itself.
#pragma once

#include <vector>

#include "analysis/instances/instances.hpp"
#include "analysis/delay/interval_times.hpp"

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
  GroupNumber group = kNoGroup;                    // of the waiter
  bool spares_thread_waits = false;                // waits of the cause in OpenMP barriers pass no costs on
  SyncIndex first_wait{0};                         // the others do, at points first_wait .. cause.point
  Ticks delay = 0;                                 // D: sum of `excess`
  Ticks propagating = 0;                           // w: waits of the cause in its interval
  double share = 0;                                // of each tick of both, what is charged for the wait itself
  std::uint32_t excess_begin = 0, excess_end = 0;  // delay per call path, in DelayInstances::excess
};

static_assert(sizeof(DelayInstance) == 64);  // there are as many as waits

/// The instances of one causing process, in order of the cause's sync points.
struct DelayInstances {
  explicit DelayInstances(MemoryBudget* budget = nullptr) : all(budget), excess(budget) {}

  Rows<DelayInstance> all;
  Rows<PathTime> excess;
};

/// Those of all causing processes.
using DelaysByCause = Indexed<RankIndex, std::vector<DelayInstances>>;

/// Finds the instances of messages, collectives, thread barriers and locks (docs/METRICS.md, "Delay costs"; Boehme,
/// sections 4.2.4, 4.3.2). The excess only of hosted causes. Collective over the analysis processes.
DelaysByCause find_delay_instances(const DelayContext& context);

/// Fills in WaitInstance::delay_path and WaitInstance::why, where the cause is hosted here (name_delays.cpp). The path
/// is the call path (a unified one) with the largest delay of those in the wait's instance.
void name_delays(const DelayContext& context, const DelaysByCause& delays, Instances& severe);

/// The part for the thread barriers of one process (delay_threads.cpp), and for the locks of its threads
/// (delay_locks.cpp).
void find_thread_delays(const DelayContext& context, RankIndex rank, DelayInstances& into);
void find_lock_delays(const DelayContext& context, RankIndex rank, DelayInstances& into);

/// When the one who was waited for was together with the waiter last.
Ticks begin_of_delay(const DelayContext& context, const DelayInstance& delay);

/// Where the largest delay of an instance is in `excess`: of equal ones, on the call path that comes first.
/// DelayInstance::excess_end if there is none.
std::uint32_t largest_excess(const Rows<PathTime>& excess, const DelayInstance& delay);

/// Adds an instance with what the cause did more than the waiter.
void append(const DelayContext& context, DelayInstances& into, DelayInstance instance, const PathTimes& excess);

/// What each tick of an instance's delay and of the cause's own waits is charged for the wait itself. `wait`: the time
/// of it that is to be explained.
double share_of(const DelayInstance& instance, Ticks wait, const Compatibility& compatibility);

}  // namespace tarry
