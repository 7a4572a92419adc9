// loop_paths.hpp -- call paths that differ only in the number of an iteration.
#pragma once

#include <vector>

#include "replay/trees/unified_tree.hpp"

namespace tarry {

/// For each path of the tree the first one that differs from it only in numbers of iterations ("step=0" and "step=7").
/// Empty if there are no iterations: each path stands for itself.
std::vector<PathIndex> merge_loop_paths(const RegionTable& regions, const CallTree& tree);

}  // namespace tarry
