// align.hpp -- a first, smooth correction: the offsets of clocks to each other, as messages of the trace show them.
#pragma once

#include <vector>

#include "sync/cross_edges.hpp"
#include "trace/correction.hpp"

namespace tarry {

/// Estimates how far each clock has to be moved so that effects come after causes, in up to 64 stretches of the run.
/// Where conditions between two clocks go in both directions, the shortest ways limit the distance of the clocks.
/// Within these limits the clocks are left as they were measured, and their distance changes as little as possible. The
/// first clock stays. Violations that this leaves are for the logical clock.
///
/// Time: linear in slots, but for operations of more than 32 clocks, of which neighbours are compared. The result does
/// not depend on `workers`, nor on which process holds which junction. Each process tells how far apart its junctions
/// allow each pair of clocks to lie; process 0 computes the curves. Collective; all get the same.
std::vector<ShiftCurve> align_clocks(const CrossEdges& edges, std::uint32_t clocks, Exchange& exchange,
                                     unsigned workers = 1);

/// Moves the times in `edges` by the curves of their clocks.
void apply_curves(CrossEdges& edges, const std::vector<ShiftCurve>& curves, unsigned workers = 1);

/// First `first`, then `second`.
ShiftCurve compose(const ShiftCurve& first, const ShiftCurve& second);

}  // namespace tarry
