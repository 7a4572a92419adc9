// choose_windows.hpp -- of which parts of a run a timeline has single events.
#pragma once

#include "analysis/timeline/run_timeline.hpp"

namespace tarry {

/// Windows without events: the whole run if it is short, else around the worst waits of each kind, and those that are
/// asked for.
std::vector<EventWindow> choose_windows(const RunTimeline& timeline, const Instances& instances, std::uint64_t events,
                                        const RunTimelineOptions& options);

/// Whether a metric is a wait of its own, and not a part of another.
bool is_whole_wait(Metric metric);

}  // namespace tarry
