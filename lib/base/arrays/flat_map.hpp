// flat_map.hpp -- a hash map in one block of memory, for the small keys of inner loops.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace tarry {

/// Mixes the bits of an integer key (the finaliser of splitmix64).
constexpr std::uint64_t mix_bits(std::uint64_t x) {
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ull;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebull;
  return x ^ (x >> 31);
}

/// Open addressing with linear probing; erasing shifts entries back, so there are no tombstones. Key needs `hash()`,
/// or is an unsigned integer or an id, and `==`. Pointers to values are valid until the next insertion or erasure.
template <class Key, class Value>
class FlatMap {
 public:
  Value* find(const Key& key) {
    if (slots_.empty()) return nullptr;
    for (std::size_t at = home(key); used_[at]; at = next(at))
      if (slots_[at].first == key) return &slots_[at].second;
    return nullptr;
  }
  const Value* find(const Key& key) const { return const_cast<FlatMap*>(this)->find(key); }

  /// The value of `key`, created with `initial` if it is new.
  Value& insert(const Key& key, const Value& initial = Value()) {
    if ((size_ + 1) * 4 > slots_.size() * 3) grow();
    std::size_t at = home(key);
    for (; used_[at]; at = next(at))
      if (slots_[at].first == key) return slots_[at].second;
    used_[at] = 1;
    slots_[at] = {key, initial};
    ++size_;
    return slots_[at].second;
  }

  bool erase(const Key& key) {
    if (slots_.empty()) return false;
    std::size_t at = home(key);
    while (used_[at] && !(slots_[at].first == key)) at = next(at);
    if (!used_[at]) return false;
    // Entries behind the hole that belong at or before it move into it.
    std::size_t hole = at;
    for (at = next(at); used_[at]; at = next(at)) {
      const std::size_t wanted = home(slots_[at].first);
      if (((at - wanted) & mask()) >= ((at - hole) & mask())) {
        slots_[hole] = std::move(slots_[at]);
        hole = at;
      }
    }
    used_[hole] = 0;
    --size_;
    return true;
  }

  /// Forgets all entries and keeps the memory.
  void clear() {
    used_.assign(used_.size(), 0);
    size_ = 0;
  }

  std::size_t size() const { return size_; }

  /// Makes room for `count` entries in all, so that adding them does not move what is there.
  void reserve(std::size_t count) {
    std::size_t wanted = 8;
    while (wanted * 3 < count * 4) wanted *= 2;
    if (wanted > slots_.size()) rebuild(wanted);
  }

  /// Calls visit(key, value) for every entry, in no particular order.
  template <class Visit>
  void for_each(Visit visit) const {
    for (std::size_t at = 0; at < slots_.size(); ++at)
      if (used_[at]) visit(slots_[at].first, slots_[at].second);
  }

 private:
  std::size_t mask() const { return slots_.size() - 1; }
  std::size_t next(std::size_t at) const { return (at + 1) & mask(); }
  std::size_t home(const Key& key) const {
    if constexpr (requires { key.hash(); }) return key.hash() & mask();
    else if constexpr (requires { key.value; }) return mix_bits(key.value) & mask();
    else return mix_bits(key) & mask();
  }

  void grow() { rebuild(slots_.empty() ? 8 : slots_.size() * 2); }

  void rebuild(std::size_t slots) {
    std::vector<std::pair<Key, Value>> old(slots);
    std::vector<std::uint8_t> old_used(old.size(), 0);
    old.swap(slots_);
    old_used.swap(used_);
    for (std::size_t i = 0; i < old.size(); ++i) {
      if (!old_used[i]) continue;
      std::size_t at = home(old[i].first);
      while (used_[at]) at = next(at);
      used_[at] = 1;
      slots_[at] = std::move(old[i]);
    }
  }

  std::vector<std::pair<Key, Value>> slots_;
  std::vector<std::uint8_t> used_;
  std::size_t size_ = 0;
};

}  // namespace tarry
