// handle_table.hpp -- what we know of an MPI handle: open addressing, no allocation once it has grown to its size.
//
// Calls: may block.
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <vector>

namespace tarry::measure {

/// Maps handles to entries. Open MPI gives one and the same handle to all requests that are complete at once. So a
/// handle may belong to several entries, oldest first. Entries stay where they are until the next add().
template <class Handle, class Entry>
class HandleTable {
 public:
  /// Puts an entry behind those the handle has.
  void add(Handle handle, const Entry& entry) {
    if ((slot_count_ + 1) * 2 > slots_.size()) grow();
    const std::uint32_t node = new_node();
    nodes_[node].entry = entry;
    nodes_[node].next = kNone;
    Slot& slot = slots_[locate(handle)];
    if (slot.first == kNone) {
      ++slot_count_;
      slot = {handle, node, node};
    } else {
      nodes_[slot.last].next = node;
      slot.last = node;
    }
  }

  /// The oldest entry of the handle, or nullptr.
  Entry* find(Handle handle) {
    if (slots_.empty()) return nullptr;
    const Slot& slot = slots_[locate(handle)];
    return slot.first == kNone ? nullptr : &nodes_[slot.first].entry;
  }

  /// The first of the handle's oldest few entries for which `prefers` is true, else the oldest.
  template <class Prefers>
  Entry* find(Handle handle, Prefers prefers) {
    constexpr int kMaxLooks = 16;
    Entry* oldest = find(handle);
    if (!oldest || prefers(*oldest)) return oldest;
    std::uint32_t node = nodes_[slots_[locate(handle)].first].next;
    for (int looks = 1; node != kNone && looks < kMaxLooks; ++looks, node = nodes_[node].next)
      if (prefers(nodes_[node].entry)) return &nodes_[node].entry;
    return oldest;
  }

  /// Removes an entry that find() returned for this handle.
  void remove(Handle handle, const Entry* entry) {
    const std::size_t at = locate(handle);
    Slot& slot = slots_[at];
    std::uint32_t previous = kNone;
    std::uint32_t node = slot.first;
    while (&nodes_[node].entry != entry) {
      previous = node;
      node = nodes_[node].next;
    }
    const std::uint32_t next = nodes_[node].next;
    (previous == kNone ? slot.first : nodes_[previous].next) = next;
    if (slot.last == node) slot.last = previous;
    nodes_[node].next = free_;
    free_ = node;
    if (slot.first == kNone) erase_slot(at);
  }

 private:
  static constexpr std::uint32_t kNone = 0xffffffffu;
  struct Slot {
    Handle handle{};
    std::uint32_t first = kNone;  // kNone: the slot is free
    std::uint32_t last = kNone;
  };
  struct Node {
    Entry entry;
    std::uint32_t next = kNone;
  };

  std::size_t home_of(Handle handle) const {
    std::uint64_t bits;  // those that differ: handles are pointers, or consecutive numbers
    if constexpr (std::is_pointer_v<Handle>) bits = reinterpret_cast<std::uintptr_t>(handle) >> 4;
    else bits = static_cast<std::uint64_t>(handle);
    return (bits * 0x9e3779b97f4a7c15ull >> 32) & (slots_.size() - 1);
  }

  // The handle's slot, or the free one where it belongs.
  std::size_t locate(Handle handle) const {
    std::size_t at = home_of(handle);
    while (slots_[at].first != kNone && slots_[at].handle != handle) at = (at + 1) & (slots_.size() - 1);
    return at;
  }

  // Closes the gap, so that later slots of the same run are still found.
  void erase_slot(std::size_t gap) {
    const std::size_t mask = slots_.size() - 1;
    --slot_count_;
    for (std::size_t at = (gap + 1) & mask; slots_[at].first != kNone; at = (at + 1) & mask) {
      if (((at - home_of(slots_[at].handle)) & mask) < ((at - gap) & mask)) continue;
      slots_[gap] = slots_[at];
      gap = at;
    }
    slots_[gap] = Slot();
  }

  void grow() {
    std::vector<Slot> old(slots_.empty() ? 64 : slots_.size() * 2);
    old.swap(slots_);
    for (const Slot& slot : old)
      if (slot.first != kNone) slots_[locate(slot.handle)] = slot;
  }

  std::uint32_t new_node() {
    if (free_ == kNone) {
      nodes_.emplace_back();
      return static_cast<std::uint32_t>(nodes_.size() - 1);
    }
    const std::uint32_t node = free_;
    free_ = nodes_[node].next;
    return node;
  }

  std::vector<Slot> slots_;
  std::vector<Node> nodes_;
  std::size_t slot_count_ = 0;
  std::uint32_t free_ = kNone;
};

}  // namespace tarry::measure
