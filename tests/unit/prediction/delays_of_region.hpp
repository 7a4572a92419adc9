// delays_of_region.hpp -- for tests of predictions: analyses a trace, and finds the call paths of a region to change.
#pragma once

#include <string>
#include <vector>

#include "analysis/analysis.hpp"

namespace tarry {

/// Those of the unified call tree that end with a region of this name.
inline std::vector<PathIndex> paths_of_region(const Analysis& analysis, const std::string& name) {
  std::vector<PathIndex> paths;
  const CallTree& tree = analysis.unified.tree;
  for (PathIndex path = 0; path < tree.size(); ++path)
    if (analysis.trace.regions().name(tree[path].region) == name) paths.push_back(path);
  return paths;
}

/// The delays of a trace, for Changes.
inline Analysis analyse_delays(const Trace& trace) {
  return analyse(trace, trace.copy_locks(), {.keeps_causes = true});
}

}  // namespace tarry
