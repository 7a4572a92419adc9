// window_events.hpp -- messages, collective operations, waits and the critical path of windows of a timeline.
#pragma once

#include "analysis/timeline/run_timeline.hpp"

namespace tarry {

/// The row of a thread.
inline TimelineRow row_of(const Trace& trace, RankIndex rank, ThreadIndex thread) {
  const auto& locations = trace.locations_of(rank);
  return locations[locations.has(thread) ? thread : kMaster].value;
}

/// At most so many messages, operations and waits of each kind go into a window: those that last longest.
void add_messages(const Trace& trace, std::size_t most, std::vector<EventWindow>& windows);
void add_operations(const Trace& trace, std::size_t most, std::vector<EventWindow>& windows);
void add_waits(const Trace& trace, const Instances& instances, std::size_t most, std::vector<EventWindow>& windows);
void add_critical_path(const PathStretches& stretches, std::vector<EventWindow>& windows);

}  // namespace tarry
