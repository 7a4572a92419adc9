// profile_tree.cpp -- new call paths, and the encoded summary.
#include "measure/core/profile_tree.hpp"

#include <sys/mman.h>

#include <vector>

#include "archive/profile_codec.hpp"

namespace tarry::measure {

// Slabs come from the kernel, zeroed and untouched, so that no allocator of the program is involved.
PathNode* ProfileTree::new_node() {
  if (slab_used_ == kNodesPerSlab) {
    void* slab = ::mmap(nullptr, kNodesPerSlab * sizeof(PathNode), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (slab == MAP_FAILED) return nullptr;
    slab_ = static_cast<PathNode*>(slab);
    slab_used_ = 0;
  }
  ++node_count_;
  return new (&slab_[slab_used_++]) PathNode;
}

// Moves the child to the front: the same one is entered again next, as a rule. Without memory for a new child the
// region counts as part of its parent.
PathNode* ProfileTree::find_child(std::uint32_t region) {
  if (current_ == &overflow_) {
    ++missed_depth_;
    return nullptr;
  }
  PathNode** link = &current_->first_child;
  while (*link && (*link)->region != region) link = &(*link)->next_sibling;
  PathNode* child = *link;
  if (child) {
    *link = child->next_sibling;
  } else {
    child = new_node();
    if (!child) {
      overflow_.parent = current_;
      current_ = &overflow_;
      missed_depth_ = 1;
      return nullptr;
    }
    child->region = region;
    child->parent = current_;
  }
  child->next_sibling = current_->first_child;
  current_->first_child = child;
  return child;
}

std::uint64_t ProfileTree::depth() const {
  std::uint64_t depth = missed_depth_;
  for (const PathNode* node = missed_depth_ ? overflow_.parent : current_; node && node != &root_; node = node->parent) ++depth;
  return depth;
}

void ProfileTree::close(Ticks time) {
  if (missed_depth_) current_ = overflow_.parent;
  missed_depth_ = 0;
  while (current_ != &root_) leave(time);
}

// Parents before children: depth first, without recursion, as the tree may be deep.
void ProfileTree::encode(ByteWriter& out) {
  std::vector<ProfileNode> nodes;
  nodes.reserve(node_count_);
  std::vector<PathNode*> pending;
  for (PathNode* node = root_.first_child; node; node = node->next_sibling) pending.push_back(node);
  while (!pending.empty()) {
    PathNode* node = pending.back();
    pending.pop_back();
    node->index = static_cast<std::uint32_t>(nodes.size());
    ProfileNode encoded;
    encoded.parent = node->parent == &root_ ? ProfileNode::kNoParent : node->parent->index;
    encoded.region = node->region;
    encoded.visits = node->visits;
    encoded.time = node->time;
    encoded.min_time = node->min_time > node->max_time ? 0 : node->min_time;
    encoded.max_time = node->max_time;
    encoded.bytes_sent = node->bytes_sent;
    encoded.bytes_received = node->bytes_received;
    encoded.trace_events = node->trace_events + 2 * node->visits;
    encoded.trace_bytes = node->trace_bytes;
    nodes.push_back(encoded);
    for (PathNode* child = node->first_child; child; child = child->next_sibling) pending.push_back(child);
  }
  encode_profile(out, nodes);
}

}  // namespace tarry::measure
