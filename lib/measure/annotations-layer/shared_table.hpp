// shared_table.hpp -- numbers that other libraries have given to something, and what it is here. Any thread may ask.
//
// It has a fixed size: what finds no room is not known, and two threads that use one number at once know either's.
//
// Calls: handler-safe.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>

namespace tarry::measure {

template <std::size_t kMost>
class SharedTable {
 public:
  /// Notes a value, in place of an earlier one of that key. False: there is no room, or it is the greatest key of all.
  bool put(std::uint64_t key, std::uint64_t value) {
    Entry* const entry = key == kNoKey ? nullptr : find_or_take(key);
    if (entry) entry->value.store(value, std::memory_order_release);
    return entry != nullptr;
  }

  /// 0: there is none.
  std::uint64_t get(std::uint64_t key) const {
    for (std::size_t i = 0; i < kTried && key != kNoKey; ++i) {
      const Entry& entry = entries_[place_of(key, i)];
      if (entry.key.load(std::memory_order_acquire) == key + 1) return entry.value.load(std::memory_order_acquire);
    }
    return 0;
  }

  /// The same, and forgets it.
  std::uint64_t take(std::uint64_t key) {
    const std::uint64_t value = get(key);
    for (std::size_t i = 0; i < kTried && key != kNoKey; ++i) {
      std::uint64_t there = key + 1;
      if (entries_[place_of(key, i)].key.compare_exchange_strong(there, 0, std::memory_order_acq_rel)) break;
    }
    return value;
  }

 private:
  static constexpr std::size_t kTried = 16;  // places of a key
  static constexpr std::uint64_t kNoKey = ~std::uint64_t{0};

  struct Entry {
    std::atomic<std::uint64_t> key = 0;  // plus 1
    std::atomic<std::uint64_t> value = 0;
  };

  static std::size_t place_of(std::uint64_t key, std::size_t i) {
    return (static_cast<std::size_t>((key * 0x9e3779b97f4a7c15ull) >> 40) + i) % kMost;
  }

  Entry* find_or_take(std::uint64_t key) {
    for (std::size_t i = 0; i < kTried; ++i)
      if (Entry& entry = entries_[place_of(key, i)]; entry.key.load(std::memory_order_acquire) == key + 1)
        return &entry;
    for (std::size_t i = 0; i < kTried; ++i) {
      std::uint64_t free = 0;
      Entry& entry = entries_[place_of(key, i)];
      if (entry.key.compare_exchange_strong(free, key + 1, std::memory_order_acq_rel)) return &entry;
    }
    return nullptr;
  }

  std::array<Entry, kMost> entries_;
};

}  // namespace tarry::measure
