// delays_of_region.hpp -- the call paths of a region, as a delay that a prediction leaves out.
#pragma once

#include <string>
#include <vector>

#include "analysis/simulation/delay_study.hpp"

namespace tarry {

/// Those of the unified call tree that end with a region of this name.
inline std::vector<PathIndex> paths_of_region(const Trace& trace, const DelayStudy& study, const std::string& name) {
  std::vector<PathIndex> paths;
  const CallTree& tree = study.unified().tree;
  for (PathIndex path = 0; path < tree.size(); ++path)
    if (trace.regions().name(tree[path].region) == name) paths.push_back(path);
  return paths;
}

}  // namespace tarry
