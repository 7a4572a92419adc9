// deal_edges.hpp -- brings each clock condition to the analysis processes that compute its clocks.
#pragma once

#include "sync/cross_edges.hpp"
#include "exchange/exchange.hpp"

namespace tarry {

/// The slots of the clocks of this process, out of what all processes found. A junction whose clocks are computed by
/// several processes has a part at each of them; links lead from one part to the others. Needs of other processes: the
/// junctions that they found. Collective.
CrossEdges deal_edges(CrossEdges found, const ClockBlocks& blocks, Exchange& exchange);

}  // namespace tarry
