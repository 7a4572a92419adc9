// unified_tree.hpp -- one call tree for all processes, so that their call paths can be compared.
#pragma once

#include <vector>

#include "replay/trace.hpp"

namespace tarry {

/// The union of the call trees of all processes. Paths are numbered in order of first appearance, lowest rank first,
/// parents before children. Those of inlined functions are here only.
struct UnifiedTree {
  CallTree tree;
  Indexed<RankIndex, std::vector<std::vector<PathIndex>>> to_unified;  // [path of that process]; hosted ranks only
};

/// Collective over the analysis processes; the tree is complete in all of them.
UnifiedTree unify_call_trees(const Trace& trace);

}  // namespace tarry
