// unified_tree.cpp -- one call tree for all processes.
#include "replay/trees/unified_tree.hpp"

#include "defs/inlined_chains.hpp"

namespace tarry {
namespace {

struct Node {
  RegionId region;
  PathIndex parent;
};

// Where all trees are at hand.
// Makes the call paths of one tree, with the inlined functions on them, in that of all.
class TreeAdder {
 public:
  TreeAdder(const Trace& trace, CallTree& into) : chains_(trace.definitions()), into_(into) {}

  void add(Node node, std::vector<PathIndex>& map) {
    PathIndex parent = node.parent == kNoPath ? kNoPath : map[node.parent];
    const RegionId caller = parent == kNoPath ? RegionId() : into_[parent].region;
    for (const RegionId inlined : chains_.between(caller, node.region)) parent = into_.child(parent, inlined);
    map.push_back(into_.child(parent, node.region));
  }

 private:
  const InlinedChains chains_;
  CallTree& into_;
};

UnifiedTree unify_own_trees(const Trace& trace) {
  UnifiedTree unified;
  TreeAdder adder(trace, unified.tree);
  unified.to_unified.resize(trace.ranks().size());
  for (const RankIndex r : trace.ranks().ids()) {
    const CallTree& tree = trace.ranks()[r].tree;
    std::vector<PathIndex>& map = unified.to_unified[r];
    map.reserve(tree.size());
    for (PathIndex path = 0; path < tree.size(); ++path) adder.add({tree[path].region, tree[path].parent}, map);
  }
  return unified;
}

}  // namespace

UnifiedTree unify_call_trees(const Trace& trace) {
  if (trace.exchange().size() == 1) return unify_own_trees(trace);
  // Each process gets the trees of all: they are small, and all processes then number alike.
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
  TreeAdder adder(trace, unified.tree);
  // Analysis processes host ascending blocks of ranks, so this is the order of ranks.
  for (MessageBuffer& buffer : trace.exchange().all_to_all(std::move(buffers))) {
    while (!buffer.is_read()) {
      std::vector<PathIndex>& map = unified.to_unified[buffer.get<RankIndex>()];
      for (const Node& node : buffer.get_all<Node>()) adder.add(node, map);
    }
  }
  return unified;
}

}  // namespace tarry
