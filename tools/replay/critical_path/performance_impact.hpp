// performance_impact.hpp -- what the critical path says about each call path, computed from the profiles of all.
#pragma once

#include <span>
#include <vector>

#include "analysis.hpp"
#include "quirks.hpp"
#include "replay/call_tree.hpp"

namespace tarry {

/// Adds performance impact, its parts, and critical-path imbalance to what is derived for all locations. `tree` is the united
/// call tree that the results' paths refer to.
void performance_impact(std::vector<RankResult>& results, const CallTree& tree, const Quirks& quirks,
                        unsigned workers);

/// Adds computational imbalance (imbalance.cpp). `is_parallel` tells for each united path whether it lies in an OpenMP
/// parallel region.
void computational_imbalance(std::vector<RankResult>& results, const std::vector<bool>& is_parallel, bool uses_openmp,
                             unsigned workers);

/// The values of one metric at one location, out of `values` by metric and call path.
std::span<const MetricValue> values_of(const MetricValues& values, Metric metric);

/// The same dense over call paths.
std::vector<double> dense_values(const MetricValues& values, Metric metric, std::size_t paths);

/// Adds the call-tree-exclusive `values` up to inclusive ones.
void make_inclusive(std::vector<double>& values, const CallTree& tree);

}  // namespace tarry
