// window_events.hpp -- messages, collective operations, waits and the critical path of windows of a timeline.
#pragma once

#include "analysis/timeline/run_timeline.hpp"

namespace tarry {

/// At most so many messages, operations and waits of each kind go into a window: those that last longest.
void add_messages(const Trace& trace, std::size_t most, std::vector<EventWindow>& windows);
void add_operations(const Trace& trace, std::size_t most, std::vector<EventWindow>& windows);
void add_waits(const Trace& trace, const Instances& instances, std::size_t most, std::vector<EventWindow>& windows);
void add_critical_path(const PathStretches& stretches, std::vector<EventWindow>& windows);

}  // namespace tarry
