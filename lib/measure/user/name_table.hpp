// name_table.hpp -- what the program names by a text, such as a region. It is made when it is seen for the first time,
// and stays until the process ends.
//
// Calls: handler-safe.
#pragma once

#include <atomic>
#include <cstddef>
#include <string_view>

#include "base/text/text_hash.hpp"

namespace tarry::measure {

/// `Item` has a member `name`, and is made from a name and further arguments.
template <typename Item>
class NameTable {
 public:
  template <typename... Arguments>
  Item& find_or_make(std::string_view name, Arguments... arguments) {
    std::atomic<Node*>& bucket = buckets_[hash_text(name) % kBuckets];
    Node* first = bucket.load(std::memory_order_acquire);
    Node* made = nullptr;
    while (true) {
      if (Node* const known = find_from(first, name)) {
        delete made;  // another thread was faster
        return known->item;
      }
      if (!made) made = new Node{Item(name, arguments...), first};
      made->next = first;
      if (bucket.compare_exchange_weak(first, made, std::memory_order_acq_rel, std::memory_order_acquire))
        return made->item;
    }
  }

  /// Null if there is none.
  Item* find(std::string_view name) const {
    Node* const node = find_from(buckets_[hash_text(name) % kBuckets].load(std::memory_order_acquire), name);
    return node ? &node->item : nullptr;
  }

  template <typename Function>
  void for_each(Function function) const {
    for (const std::atomic<Node*>& bucket : buckets_)
      for (const Node* node = bucket.load(std::memory_order_acquire); node; node = node->next) function(node->item);
  }

 private:
  static constexpr std::size_t kBuckets = 1024;

  struct Node {
    Item item;
    Node* next;
  };

  static Node* find_from(Node* node, std::string_view name) {
    while (node && node->item.name != name) node = node->next;
    return node;
  }

  std::atomic<Node*> buckets_[kBuckets];
};

}  // namespace tarry::measure
