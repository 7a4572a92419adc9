// merge_heap.hpp -- the smallest of many sorted streams: a heap of their next keys.
#pragma once

#include <cstddef>
#include <utility>
#include <vector>

namespace tarry {

/// `Key` is ordered by `<`, a total order. The owner of the streams tells when the smallest one moves on.
template <class Key>
class MergeHeap {
 public:
  bool empty() const { return keys_.empty(); }
  std::size_t size() const { return keys_.size(); }
  const Key& top() const { return keys_.front(); }

  void push(const Key& key) {
    std::size_t at = keys_.size();
    keys_.push_back(key);
    for (; at > 0 && key < keys_[(at - 1) / 2]; at = (at - 1) / 2) keys_[at] = keys_[(at - 1) / 2];
    keys_[at] = key;
  }

  /// The smallest stream goes on with `key`.
  void replace_top(const Key& key) { sift_down(key); }

  /// The smallest stream has ended.
  void pop() {
    const Key last = keys_.back();
    keys_.pop_back();
    if (!keys_.empty()) sift_down(last);
  }

  /// Whether a stream that goes on with `key` remains the smallest one.
  bool stays_top(const Key& key) const {
    return (keys_.size() < 2 || key < keys_[1]) && (keys_.size() < 3 || key < keys_[2]);
  }

 private:
  void sift_down(const Key& key) {
    std::size_t at = 0;
    for (;;) {
      std::size_t child = 2 * at + 1;
      if (child >= keys_.size()) break;
      if (child + 1 < keys_.size() && keys_[child + 1] < keys_[child]) ++child;
      if (!(keys_[child] < key)) break;
      keys_[at] = keys_[child];
      at = child;
    }
    keys_[at] = key;
  }

  std::vector<Key> keys_;
};

}  // namespace tarry
