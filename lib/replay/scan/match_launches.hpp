// match_launches.hpp -- which call has started what a queue of an accelerator executed.
#pragma once

#include "replay/logical_rank.hpp"

namespace tarry {

/// Sets Execution::launch. The k-th work with a number is that of the k-th call with it. Without numbers, queues are in
/// order: the k-th kernel is that of the k-th launch that names the queue, or that names none. Copies belong to calls
/// that copy, in the same way. `clock_error`: kDeviceClockError.
/// Time: n log n in calls and work.
void match_launches(LogicalRank& rank, Ticks clock_error);

}  // namespace tarry
