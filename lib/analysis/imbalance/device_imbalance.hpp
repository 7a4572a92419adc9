// device_imbalance.hpp -- whose accelerators execute more or less of a kernel than those of other processes.
#pragma once

#include <vector>

#include "analysis/results.hpp"

namespace tarry {

/// From the kernels of all queues, call path by call path. `worlds`: of the columns; empty if there is one.
void device_imbalance(Results& results, std::size_t paths, const std::vector<WorldIndex>& worlds, unsigned workers);

}  // namespace tarry
