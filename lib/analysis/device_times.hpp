// device_times.hpp -- what the queues of accelerators do with their time.
#pragma once

#include "analysis/waits/pattern.hpp"

namespace tarry {

/// Kernels, copies, what of these no kernel overlaps, and the time between them, for the queues of a process.
void device_times(const RankContext& context);

}  // namespace tarry
