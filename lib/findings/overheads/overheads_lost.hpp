// overheads_lost.hpp -- what a run lost against a run with fewer processors that solves the same problem.
#pragma once

#include "findings/overheads/overheads.hpp"

namespace tarry {

/// Divides the computation of `run` further: what is more than in `reference`, region by region, is replicated code or
/// an algorithmic change. A region counts as replicated if each processor computes in it what one of the reference
/// did. Both must be of one grid.
void find_additional(Overheads& run, const Overheads& reference, const TimeGrid& grid);

/// By class: what `run` takes more than `reference` does. All leaves add up to the difference of the two allocation
/// times. Computation is negative where the run computes less.
OverheadTimes lost_against(const Overheads& run, const Overheads& reference);

}  // namespace tarry
