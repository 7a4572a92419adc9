// gather_faults.hpp -- what all analysis processes found damaged.
#pragma once

#include "exchange/exchange.hpp"
#include "trace/faults.hpp"

namespace tarry {

/// Adds what the other processes found to the log of process 0. Collective.
void gather_faults(FaultLog& faults, Exchange& exchange);

}  // namespace tarry
