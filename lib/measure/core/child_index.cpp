// child_index.cpp -- a hash table of call paths.
#include "measure/core/child_index.hpp"

#include <sys/mman.h>

#include "base/flat_map.hpp"
#include "measure/core/profile_tree.hpp"

namespace tarry::measure {

// Where the call path is, or the free slot where it belongs.
std::size_t ChildIndex::place_of(const PathNode* parent, std::uint32_t region) const {
  const std::uint64_t key = reinterpret_cast<std::uintptr_t>(parent) * 0x9e3779b97f4a7c15ull + region;
  std::size_t at = mix_bits(key) & (size_ - 1);
  while (slots_[at] && (slots_[at]->parent != parent || slots_[at]->region != region)) at = (at + 1) & (size_ - 1);
  return at;
}

PathNode* ChildIndex::find(const PathNode& parent, std::uint32_t region) const {
  return slots_ ? slots_[place_of(&parent, region)] : nullptr;
}

bool ChildIndex::add(PathNode& node) {
  if (2 * (used_ + 1) > size_ && !grow()) return false;
  PathNode*& slot = slots_[place_of(node.parent, node.region)];
  used_ += !slot;
  slot = &node;
  return true;
}

bool ChildIndex::grow() {
  constexpr std::size_t kFirstSize = 512;
  PathNode** const old = slots_;
  const std::size_t old_size = size_, size = old ? 2 * old_size : kFirstSize;
  void* memory = ::mmap(nullptr, size * sizeof(PathNode*), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) return false;
  slots_ = static_cast<PathNode**>(memory);
  size_ = size;
  for (std::size_t i = 0; i < old_size; ++i)
    if (old[i]) slots_[place_of(old[i]->parent, old[i]->region)] = old[i];
  if (old) ::munmap(old, old_size * sizeof(PathNode*));
  return true;
}

}  // namespace tarry::measure
