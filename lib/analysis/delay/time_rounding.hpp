// time_rounding.hpp -- what rounding leaves of times that are equal in ticks, in the reference analyser's seconds.
#pragma once

#include <vector>

#include "analysis/delay/interval_times.hpp"

namespace tarry {

/// Floating-point seconds per unified call path; sorted by path.
using RoundedTimes = std::vector<PathSeconds>;

/// The time vector of a thread before an OpenMP barrier, computed as the reference analyser does. `first` and `last`
/// are its sync points where the interval begins (a fork or the previous barrier) and ends. Empty if
/// LogicalThread::barrier_seconds was not kept.
RoundedTimes rounded_times(const Clock& clock, const LogicalThread& thread, const SyncPoints& points,
                           const std::vector<PathIndex>& to_unified, SyncIndex first, SyncIndex last);

/// into(c) = max(0, cause(c) - waiter(c)), in units so small that all are whole numbers: of use as shares only.
void rounding_excess(const RoundedTimes& cause, const RoundedTimes& waiter, PathTimes& into);

}  // namespace tarry
