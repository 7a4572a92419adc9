// profile_tree.hpp -- the call-path summary of one thread while it grows.
#pragma once

#include <cstdint>
#include <limits>

#include "base/bytes.hpp"
#include "base/units.hpp"

namespace tarry::measure {

/// One call path. A path is active at most once at a time (recursion makes deeper paths), so its entry time stands here.
struct PathNode {
  std::uint32_t region = 0;
  std::uint32_t index = 0;  // in the encoded profile
  PathNode* parent = nullptr;
  PathNode* first_child = nullptr;  // the one entered last
  PathNode* next_sibling = nullptr;
  Ticks entered_at = 0;
  std::uint64_t visits = 0;
  Ticks time = 0;
  Ticks min_time = std::numeric_limits<Ticks>::max();
  Ticks max_time = 0;
  Bytes bytes_sent = 0;
  Bytes bytes_received = 0;
};

class ProfileTree {
 public:
  void enter(Ticks time, std::uint32_t region) {
    PathNode* child = current_->first_child;
    if (!child || child->region != region) [[unlikely]] {
      child = find_child(region);
      if (!child) return;
    }
    child->entered_at = time;
    ++child->visits;
    current_ = child;
  }

  void leave(Ticks time) {
    if (missed_depth_) [[unlikely]] {
      if (--missed_depth_ == 0) current_ = overflow_.parent;
      return;
    }
    PathNode& node = *current_;
    const Ticks spent = time - node.entered_at;
    node.time += spent;
    if (spent < node.min_time) node.min_time = spent;
    if (spent > node.max_time) node.max_time = spent;
    current_ = node.parent ? node.parent : &root_;
  }

  void sent(Bytes bytes) { current_->bytes_sent += bytes; }
  void received(Bytes bytes) { current_->bytes_received += bytes; }

  /// Leaves all open regions.
  void close(Ticks time);

  /// Encodes all call paths with profile_codec; call after close().
  void encode(ByteWriter& out);

 private:
  static constexpr std::size_t kNodesPerSlab = 1024;

  PathNode* find_child(std::uint32_t region);
  PathNode* new_node();

  PathNode root_;  // stands above the first region; not encoded
  PathNode overflow_;  // stands for regions entered without memory for a node; not encoded
  PathNode* current_ = &root_;
  PathNode* slab_ = nullptr;
  std::size_t slab_used_ = kNodesPerSlab;
  std::uint64_t node_count_ = 0;
  std::uint64_t missed_depth_ = 0;  // open regions that overflow_ stands for
};

}  // namespace tarry::measure
