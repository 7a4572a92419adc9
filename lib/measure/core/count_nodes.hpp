// count_nodes.hpp -- what a summary counts beside the call paths, each by a key of its own: receivers, files.
//
// Calls: handler-safe.
#pragma once

#include <cstddef>

#include "measure/core/node_index.hpp"
#include "measure/core/profile_slabs.hpp"

namespace tarry::measure {

/// So many nodes at most: all further ones are counted in one.
template <class Node, class Key>
class CountNodes {
 public:
  explicit CountNodes(std::size_t most) : most_(most) {}

  /// nullptr if it has none of its own.
  Node* find(const Key& key) const { return index_.find(key); }

  /// One that was not found, with this content at first. It becomes the `latest` of the list that readers go through.
  Node& make(const Node& first, ProfileSlabs& slabs, const Node*& latest) {
    if (others_) return *others_;
    Node* const node = slabs.new_count(first);
    if (!node) return lost_;
    if (index_.size() == most_ || !index_.add(*node)) {
      node->count = {};  // of others
      others_ = node;
    }
    node->next = latest;
    latest = node;  // what is not finished is not found
    return *node;
  }

  /// Nodes are not found any more.
  void release() { index_.clear(); }

  /// What counts without memory of its own.
  Node& lost() { return lost_; }

 private:
  std::size_t most_;
  NodeIndex<Node, Key> index_;
  Node* others_ = nullptr;  // made when there are too many
  Node lost_;
};

}  // namespace tarry::measure
