// link_threads.hpp -- connects waits for another thread of the same process with the sync point of that thread.
#pragma once

#include "analysis/sync_points/sync_points.hpp"

namespace tarry {

/// OpenMP barriers, locks, and the begins of threads. `threads`: those of the process at `rank_index`.
void link_threads(const Trace& trace, const FoundWaits& waits, RankIndex rank_index, ThreadSyncPoints& threads);

}  // namespace tarry
