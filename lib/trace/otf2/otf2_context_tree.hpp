// otf2_context_tree.hpp -- builds the calling contexts of a trace that is written.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include "trace/otf2/otf2_contexts.hpp"

namespace tarry {

/// A tree of regions and their callers, in which each node has a number. A parent precedes its children.
class Otf2ContextTree {
 public:
  static constexpr std::uint32_t kNone = Otf2ContextNode::kNone;
  static constexpr std::uint32_t kDeepest = 4096;  // readers walk up the whole path at each record

  /// The node of `region` below `parent` (kNone: a root), made when it is first asked for. kNone if it is too deep.
  std::uint32_t find(std::uint32_t parent, RegionId region);

  /// Adds the nodes of `other`. Returns their numbers here.
  std::vector<std::uint64_t> add(const Otf2ContextTree& other);

  std::span<const Otf2ContextNode> nodes() const { return nodes_; }

 private:
  std::vector<Otf2ContextNode> nodes_;
  std::unordered_map<std::uint64_t, std::uint32_t> numbers_;  // by parent and region
};

}  // namespace tarry
