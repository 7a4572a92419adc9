// amortize.hpp -- spreads each jump of the logical clock over the time before it.
#pragma once

#include <vector>

#include "sync/logical_clock.hpp"
#include "trace/correction.hpp"

namespace tarry {

/// The corrections of the clocks in `block`. Before a jump the clock is moved forward on a ramp. No cause on the ramp
/// passes its effect on another clock: what the forward pass restored stays restored. `edges` as run_logical_clock()
/// left it. Needs of other processes: the logical times of the effects that the causes here must not pass. Collective.
std::vector<ShiftCurve> amortize(const CrossEdges& edges, const ClockBlock& block, const LogicalTimes& times,
                                 const ClockControl& control, Exchange& exchange, unsigned workers);

}  // namespace tarry
