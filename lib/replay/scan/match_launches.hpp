// match_launches.hpp -- which call has started what a queue of an accelerator executed.
#pragma once

#include "replay/logical_rank.hpp"

namespace tarry {

/// Sets Execution::launch. All work with a number is that of the call with it: one call may start a graph. Several
/// calls with one number have equal shares, in order. If the work does not divide so, the k-th of it is that of the
/// k-th call. Without numbers, queues are in order: the k-th kernel is that of the k-th launch that names the queue, or
/// that names none. Copies belong to calls that copy, in the same way; by number they may be those of a launch.
/// `clock_error`: kDeviceClockError.
/// Time: n log n in calls and work.
void match_launches(LogicalRank& rank, Ticks clock_error);

}  // namespace tarry
