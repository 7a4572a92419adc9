// performance_impact.hpp -- critical-path imbalance and performance impact of each call path, from the profiles of all.
#pragma once

#include <vector>

#include "analysis/compatibility.hpp"
#include "replay/trees/call_tree.hpp"
#include "analysis/results.hpp"

namespace tarry {

/// Adds performance impact, its parts, and critical-path imbalance to the values. `tree` is the unified call tree that
/// their paths refer to. `lengths`: how long the critical path is while each column's world is there; empty: all of it.
/// `starts`: call paths of MPI_Init, in order; none for the reference's numbers.
void performance_impact(Results& results, const CallTree& tree, const std::vector<double>& lengths,
                        const std::vector<PathIndex>& starts, const Compatibility& compatibility, unsigned workers);

/// Adds computational imbalance (imbalance.cpp). `is_parallel` tells for each unified path whether it lies in an OpenMP
/// parallel region. `worlds`: of each column; empty: there is one.
void computational_imbalance(Results& results, const std::vector<bool>& is_parallel,
                             const std::vector<WorldIndex>& worlds, bool uses_openmp, unsigned workers);

}  // namespace tarry
