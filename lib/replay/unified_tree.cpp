// unified_tree.cpp -- one call tree for all processes.
#include "replay/unified_tree.hpp"

namespace tarry {
namespace {

struct Node {
  RegionId region;
  PathIndex parent;
};

// Where all trees are at hand.
UnifiedTree unite_own_trees(const Trace& trace) {
  UnifiedTree unified;
  unified.to_unified.resize(trace.ranks().size());
  for (const RankIndex r : trace.ranks().ids()) {
    const CallTree& tree = trace.ranks()[r].tree;
    std::vector<PathIndex>& map = unified.to_unified[r];
    map.reserve(tree.size());
    for (PathIndex path = 0; path < tree.size(); ++path) {
      const PathIndex parent = tree[path].parent;
      map.push_back(unified.tree.child(parent == kNoPath ? kNoPath : map[parent], tree[path].region));
    }
  }
  return unified;
}

}  // namespace

UnifiedTree unify_call_trees(const Trace& trace) {
  if (trace.exchange().size() == 1) return unite_own_trees(trace);
  // Everybody gets everybody's trees: they are small, and all processes then number alike.
  MessageBuffer own;
  for (const RankIndex r : trace.ranks().ids()) {
    if (!trace.is_hosted(r)) continue;
    const CallTree& tree = trace.ranks()[r].tree;
    std::vector<Node> nodes;
    for (PathIndex path = 0; path < tree.size(); ++path) nodes.push_back({tree[path].region, tree[path].parent});
    own.put(r);
    own.put_all(nodes);
  }
  std::vector<MessageBuffer> buffers(static_cast<std::size_t>(trace.exchange().size()), own);
  UnifiedTree unified;
  unified.to_unified.resize(trace.ranks().size());
  // Analysis processes host ascending blocks of ranks, so this is the order of ranks.
  for (MessageBuffer& buffer : trace.exchange().all_to_all(std::move(buffers))) {
    while (!buffer.is_read()) {
      std::vector<PathIndex>& map = unified.to_unified[buffer.get<RankIndex>()];
      for (const Node& node : buffer.get_all<Node>())
        map.push_back(unified.tree.child(node.parent == kNoPath ? kNoPath : map[node.parent], node.region));
    }
  }
  return unified;
}

}  // namespace tarry
