// share_curves.hpp -- the curves of all clocks, for all analysis processes.
#pragma once

#include <vector>

#include "exchange/exchange.hpp"
#include "trace/correction.hpp"

namespace tarry {

/// The curves of process 0, then those of process 1, and so on. Collective; all get the same.
std::vector<ShiftCurve> share_curves(std::vector<ShiftCurve> own, Exchange& exchange);

}  // namespace tarry
