// call_tree.cpp -- the call paths of one logical rank.
#include "replay/call_tree.hpp"

namespace tarry {

// Children hang on their parent in order of first appearance; roots are siblings that start at node 0.
PathIndex CallTree::find_child(PathIndex parent, RegionId region) {
  PathIndex last = kNoPath;
  PathIndex at = parent == kNoPath ? first_root() : nodes_[parent].first_child;
  for (; at != kNoPath && nodes_[at].region != region; at = nodes_[at].next_sibling) last = at;
  if (at == kNoPath) {
    at = static_cast<PathIndex>(nodes_.size());
    if (nodes_.empty()) nodes_.reserve(kUsualNodes);
    nodes_.push_back({.region = region, .parent = parent});
    if (last != kNoPath)
      nodes_[last].next_sibling = at;
    else if (parent != kNoPath)
      nodes_[parent].first_child = at;
  }
  (parent == kNoPath ? last_root_ : nodes_[parent].last_hit) = at;
  return at;
}

}  // namespace tarry
