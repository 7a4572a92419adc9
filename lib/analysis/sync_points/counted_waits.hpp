// counted_waits.hpp -- how much of the wait at each sync point lies in the selected part of a trace.
#pragma once

#include <vector>

#include "analysis/sync_points/sync_points.hpp"

namespace tarry {

/// [rank index][thread][sync point], in ticks; empty if the whole trace counts.
using CountedWaits = std::vector<std::vector<std::vector<Ticks>>>;

/// Of all processes, wherever they are hosted. Collective over the analysis processes.
CountedWaits count_waits(const Trace& trace, const FoundWaits& waits, const AllSyncPoints& sync);

}  // namespace tarry
