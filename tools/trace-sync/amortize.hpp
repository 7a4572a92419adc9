// amortize.hpp -- spreads each jump of the logical clock over the time before it.
#pragma once

#include <vector>

#include "logical_clock.hpp"
#include "trace/correction.hpp"

namespace tarry {

/// The corrections of all clocks. Before a jump the clock is moved forward on a ramp, as far as no cause in it passes
/// an effect on another clock: what the forward pass restored stays restored. `edges` as run_logical_clock() left it.
std::vector<ShiftCurve> amortize(const CrossEdges& edges, const LogicalTimes& times, const ClockControl& control,
                                 unsigned workers);

}  // namespace tarry
