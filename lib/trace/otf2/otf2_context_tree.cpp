// otf2_context_tree.cpp -- builds the calling contexts of a trace that is written.
#include "trace/otf2/otf2_context_tree.hpp"

namespace tarry {

std::uint32_t Otf2ContextTree::find(std::uint32_t parent, RegionId region) {
  const std::uint32_t depth = parent == kNone ? 1 : nodes_[parent].depth + 1;
  if (depth > kDeepest) return kNone;
  const std::uint64_t key = std::uint64_t{parent} << 32 | region.value;
  const auto [found, is_new] = numbers_.try_emplace(key, static_cast<std::uint32_t>(nodes_.size()));
  if (is_new) nodes_.push_back({region, parent, depth});
  return found->second;
}

std::vector<std::uint64_t> Otf2ContextTree::add(const Otf2ContextTree& other) {
  std::vector<std::uint64_t> numbers;
  numbers.reserve(other.nodes_.size());
  for (const Otf2ContextNode& each : other.nodes_) {
    const auto parent = each.parent == kNone ? kNone : static_cast<std::uint32_t>(numbers[each.parent]);
    numbers.push_back(find(parent, each.region));
  }
  return numbers;
}

}  // namespace tarry
