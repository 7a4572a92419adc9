// call_tree.cpp -- the call paths of one logical rank.
#include "replay/trees/call_tree.hpp"

namespace tarry {

// Children hang on their parent in order of first appearance; roots are siblings that start at node 0. Most paths have
// few children, which are looked through. Those behind the first few are in an index, and so is the last of them.
PathIndex CallTree::find_child(PathIndex parent, RegionId region) {
  PathIndex last = kNoPath;
  PathIndex at = parent == kNoPath ? first_root() : nodes_[parent].first_child;
  std::size_t steps = 0;
  for (; at != kNoPath && steps < kListed && nodes_[at].region != region; ++steps) {
    last = at;
    at = nodes_[at].next_sibling;
  }
  if (steps == kListed) at = find_indexed(parent, region, last);
  else if (at == kNoPath) at = append(parent, region, last);
  (parent == kNoPath ? last_root_ : nodes_[parent].last_hit) = at;
  return at;
}

// `last`: of the children that are not in the index.
PathIndex CallTree::find_indexed(PathIndex parent, RegionId region, PathIndex last) {
  PathIndex& child = index_.insert(key_of(parent, region), kNoPath);
  if (child != kNoPath) return child;
  const PathIndex made = child = static_cast<PathIndex>(nodes_.size());
  PathIndex& end = index_.insert(key_of(parent, kEnd), last);
  append(parent, region, end);
  return end = made;
}

PathIndex CallTree::append(PathIndex parent, RegionId region, PathIndex last) {
  const auto at = static_cast<PathIndex>(nodes_.size());
  if (nodes_.empty()) nodes_.reserve(kUsualNodes);
  nodes_.push_back({.region = region, .parent = parent});
  if (last != kNoPath) nodes_[last].next_sibling = at;
  else if (parent != kNoPath) nodes_[parent].first_child = at;
  return at;
}

}  // namespace tarry
