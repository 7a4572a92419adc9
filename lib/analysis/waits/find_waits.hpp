// find_waits.hpp -- all wait-state patterns over a matched trace.
#pragma once

#include "analysis/compatibility.hpp"
#include "analysis/instances/instances.hpp"
#include "analysis/results.hpp"
#include "analysis/waits/found_waits.hpp"
#include "replay/iterations/iteration_slots.hpp"
#include "replay/trees/unified_tree.hpp"

namespace tarry {

/// Which operations are looked at. Messages are wherever they have been matched.
struct WaitPasses {
  bool collectives = true;
  bool one_sided = true;
};

/// Where values of call paths go, beside the rows of these.
struct BookedPlaces {
  const UnifiedTree& unified;
  const IterationSlots& slots;
};

/// Finds the waits of all hosted processes. Their severities, with counts and times, go to `into`, single waits to
/// `instances` (nullptr: not wanted). Collective over the analysis processes.
FoundWaits find_waits(const Trace& trace, const LockLogs& locks, const BookedPlaces& places, const WaitPasses& passes,
                      const Compatibility& compatibility, InstanceCollector* instances, Results& into);

}  // namespace tarry
