// performance_impact.hpp -- what the critical path says about each call path, computed from the profiles of all.
#pragma once

#include <vector>

#include "quirks.hpp"
#include "replay/call_tree.hpp"
#include "results.hpp"

namespace tarry {

/// Adds performance impact, its parts, and critical-path imbalance to the values. `tree` is the united call tree that
/// their paths refer to.
void performance_impact(Results& results, const CallTree& tree, const Quirks& quirks, unsigned workers);

/// Adds computational imbalance (imbalance.cpp). `is_parallel` tells for each united path whether it lies in an OpenMP
/// parallel region.
void computational_imbalance(Results& results, const std::vector<bool>& is_parallel, bool uses_openmp, unsigned workers);

}  // namespace tarry
