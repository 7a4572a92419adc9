// call_tree.hpp -- the call paths of one logical rank: paths of regions from the root.
#pragma once

#include <cstdint>
#include <vector>

#include "base/arrays/flat_map.hpp"
#include "defs/definitions.hpp"

namespace tarry {

/// Index of a node of a CallTree.
using PathIndex = std::uint32_t;
inline constexpr PathIndex kNoPath = 0xffffffffu;

struct CallTreeNode {
  RegionId region;
  PathIndex parent = kNoPath;
  PathIndex first_child = kNoPath;
  PathIndex next_sibling = kNoPath;
  PathIndex last_hit = kNoPath;  // the child that was asked for last: loops ask for the same one again
};

/// Nodes in order of first appearance; parents come before their children. A path is found in constant time, however
/// many siblings it has.
class CallTree {
 public:
  /// The child of `parent` (kNoPath: a root) for `region`, made if it is new.
  PathIndex child(PathIndex parent, RegionId region) {
    const PathIndex hit = parent == kNoPath ? last_root_ : nodes_[parent].last_hit;
    if (hit != kNoPath && nodes_[hit].region == region) [[likely]]
      return hit;
    return hit == kNoPath || parent == kNoPath ? find_child(parent, region) : next_child(parent, hit, region);
  }

  /// One more node like `path`, which child() does not find. It has children of its own.
  PathIndex add_twin(PathIndex path) {
    const CallTreeNode like = nodes_[path];
    nodes_.push_back({.region = like.region, .parent = like.parent});
    return static_cast<PathIndex>(nodes_.size() - 1);
  }

  /// No more paths will come, or few: gives memory back.
  void finish() { nodes_.shrink_to_fit(); }

  const CallTreeNode& operator[](PathIndex path) const { return nodes_[path]; }
  std::size_t size() const { return nodes_.size(); }
  PathIndex first_root() const { return nodes_.empty() ? kNoPath : 0; }

 private:
  static constexpr std::size_t kUsualNodes = 16;
  static constexpr std::size_t kListed = 16;  // first children of a path, which are not in the index
  static constexpr RegionId kEnd{};           // in the index: key of the last child of a path

  static std::uint64_t key_of(PathIndex parent, RegionId region) { return std::uint64_t{parent} << 32 | region.value; }
  PathIndex find_child(PathIndex parent, RegionId region);

  // The body of a loop calls its functions in turn: after each comes the next sibling, after the last one the first.
  PathIndex next_child(PathIndex parent, PathIndex hit, RegionId region) {
    CallTreeNode& of = nodes_[parent];
    const PathIndex later = nodes_[hit].next_sibling, next = later == kNoPath ? of.first_child : later;
    if (nodes_[next].region != region) return find_child(parent, region);
    return of.last_hit = next;
  }
  PathIndex find_indexed(PathIndex parent, RegionId region, PathIndex last);
  PathIndex append(PathIndex parent, RegionId region, PathIndex last);

  std::vector<CallTreeNode> nodes_;
  FlatMap<std::uint64_t, PathIndex> index_;  // children behind the first kListed, by parent and region
  PathIndex last_root_ = kNoPath;
};

}  // namespace tarry
