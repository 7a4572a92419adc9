// delay_context.hpp -- everything the delay analysis works on.
#pragma once

#include <cstdint>
#include <vector>

#include "analysis/compatibility.hpp"
#include "analysis/delay/wait_groups.hpp"
#include "analysis/sync_points/counted_waits.hpp"
#include "analysis/sync_points/sync_points.hpp"
#include "replay/iterations/iteration_slots.hpp"
#include "replay/trees/unified_tree.hpp"

namespace tarry {

/// Everything the delay analysis works on.
struct DelayContext {
  const Trace& trace;
  const AllSyncPoints& sync;
  const UnifiedTree& tree;
  const Compatibility& compatibility;
  const CountedWaits& counted;
  const WaitGroups& groups;
  const IterationSlots& slots;  // of a time series

  /// What of the wait at a sync point is to be explained: all of it unless a part of the trace was selected.
  Ticks counted_wait(const SyncRef& ref) const {
    return counted.empty() ? point_at(sync, ref).wait : counted[ref.rank][ref.thread][ref.point];
  }
  /// The same for all sync points of a thread; nullptr if the whole trace counts.
  const ThreadCountedWaits* counted_waits(RankIndex rank, ThreadIndex thread) const {
    return counted.empty() ? nullptr : &counted[rank][thread];
  }
};

}  // namespace tarry
