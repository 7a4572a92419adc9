// align.hpp -- a first, smooth correction: how the messages of a trace say that its clocks lie to each other.
#pragma once

#include <vector>

#include "cross_edges.hpp"
#include "trace/correction.hpp"

namespace tarry {

/// Estimates how far each clock has to be moved so that effects come after causes, in up to 64 stretches of the run:
/// two clocks between which conditions go in both directions cannot lie apart by more than the shortest ways allow.
/// Within these limits the clocks are left as they were measured, and their distance changes as little as possible. The
/// first clock stays. What violations this leaves is for the logical clock. Time: linear in slots, but for operations
/// of more than 32 clocks, of which neighbours are compared. The result does not depend on `workers`, nor on which
/// process holds which junction. Needs of other processes: how far apart their junctions allow each pair of clocks to
/// lie; process 0 computes the curves. Collective; all get the same.
std::vector<ShiftCurve> align_clocks(const CrossEdges& edges, std::uint32_t clocks, Exchange& exchange,
                                     unsigned workers = 1);

/// Moves the times in `edges` by the curves of their clocks.
void apply_curves(CrossEdges& edges, const std::vector<ShiftCurve>& curves, unsigned workers = 1);

/// First `first`, then `second`.
ShiftCurve compose(const ShiftCurve& first, const ShiftCurve& second);

}  // namespace tarry
