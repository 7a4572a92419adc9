// node_index.hpp -- finds one of thousands of a summary's nodes: a call path among siblings, a receiver of messages.
//
// Calls: handler-safe.
#pragma once

#include <sys/mman.h>

#include <cstddef>
#include <cstdint>

#include "base/arrays/flat_map.hpp"

namespace tarry::measure {

/// Nodes by a key: `Key(node)` is a node's own, and has `hash()` and `==`. The memory comes from the kernel, so that no
/// allocator of the program is involved.
template <class Node, class Key>
class NodeIndex {
 public:
  /// nullptr if it has not been added.
  Node* find(const Key& key) const { return slots_ ? slots_[place_of(key)] : nullptr; }

  /// Makes a node known; once more does no harm. False without memory: then it is not found.
  bool add(Node& node) {
    if (2 * (used_ + 1) > size_ && !grow()) return false;
    Node*& slot = slots_[place_of(Key(node))];
    used_ += !slot;
    slot = &node;
    return true;
  }

  std::size_t size() const { return used_; }

  /// Gives the memory back: no node is known any more.
  void clear() {
    if (slots_) ::munmap(slots_, size_ * sizeof(Node*));
    *this = {};
  }

 private:
  // Where the node is, or the free slot where it belongs.
  std::size_t place_of(const Key& key) const {
    std::size_t at = mix_bits(key.hash()) & (size_ - 1);
    while (slots_[at] && !(Key(*slots_[at]) == key)) at = (at + 1) & (size_ - 1);
    return at;
  }

  bool grow() {
    constexpr std::size_t kFirstSize = 512;
    Node** const old = slots_;
    const std::size_t old_size = size_, size = old ? 2 * old_size : kFirstSize;
    void* memory = ::mmap(nullptr, size * sizeof(Node*), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) return false;
    slots_ = static_cast<Node**>(memory);
    size_ = size;
    for (std::size_t i = 0; i < old_size; ++i)
      if (old[i]) slots_[place_of(Key(*old[i]))] = old[i];
    if (old) ::munmap(old, old_size * sizeof(Node*));
    return true;
  }

  Node** slots_ = nullptr;  // open addressing with linear probing; nullptr is free
  std::size_t size_ = 0;    // a power of two
  std::size_t used_ = 0;
};

}  // namespace tarry::measure
