// counted_waits.hpp -- how much of the wait at each sync point lies in the selected part of a trace.
#pragma once

#include <vector>

#include "analysis/sync_points/sync_points.hpp"

namespace tarry {

/// Those of the sync points of a thread, in ticks.
using ThreadCountedWaits = Indexed<SyncIndex, std::vector<Ticks>>;

/// Those of the whole trace; empty if all of it counts.
using CountedWaits = Indexed<RankIndex, std::vector<Indexed<ThreadIndex, std::vector<ThreadCountedWaits>>>>;

/// Of all processes, wherever they are hosted. Collective over the analysis processes.
CountedWaits count_waits(const Trace& trace, const FoundWaits& waits, const AllSyncPoints& sync);

}  // namespace tarry
