// region_map.hpp -- from the address of a function to the number of its region; read without a lock on every event.
//
// A table of fixed size in memory that is touched only where functions are. Functions are 16 bytes apart, so an address
// divided by 16 is an index of its own, as a rule. Entries are added under a mutex, and change only when the recording
// ends.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

namespace tarry::measure {

/// In place of a region's number: its events are not recorded, or nothing is.
inline constexpr std::uint32_t kFiltered = 0xffffffffu;

/// No entry yet.
inline constexpr std::uint32_t kUnknownRegion = 0xfffffffeu;

class RegionMap {
 public:
  static constexpr std::size_t kEntries = 1 << 18;

  struct Entry {
    std::atomic<std::uintptr_t> key = 0;  // 0: free
    std::uint32_t region = 0;
  };

  /// The region at the key's own place, if it is there.
  std::uint32_t find_at_once(std::uintptr_t key) const {
    const Entry& entry = entries_[place(key)];
    if (entry.key.load(std::memory_order_acquire) != key) [[unlikely]] return kUnknownRegion;
    return entry.region;
  }

  /// Looks on behind the key's own place.
  std::uint32_t find(std::uintptr_t key) const {
    for (std::size_t step = 0; step < kProbes; ++step) {
      const Entry& entry = entries_[place(key) + step];
      const std::uintptr_t there = entry.key.load(std::memory_order_acquire);
      if (there == key) return entry.region;
      if (there == 0) break;
    }
    return kUnknownRegion;
  }

  /// False if there is no place left. Not to be called by two threads at once.
  bool add(std::uintptr_t key, std::uint32_t region) {
    for (std::size_t step = 0; step < kProbes; ++step) {
      Entry& entry = entries_[place(key) + step];
      if (entry.key.load(std::memory_order_relaxed)) continue;
      entry.region = region;
      entry.key.store(key, std::memory_order_release);
      has_entries_.store(true, std::memory_order_relaxed);
      return true;
    }
    return false;
  }

  /// From here on nothing is recorded. An empty table, as it is without compiler instrumentation, stays untouched: it
  /// has a thousand pages.
  void filter_all() {
    if (!has_entries_.load(std::memory_order_relaxed)) return;
    for (Entry& entry : entries_)
      if (entry.key.load(std::memory_order_relaxed)) __atomic_store_n(&entry.region, kFiltered, __ATOMIC_RELAXED);
  }

 private:
  static constexpr std::size_t kProbes = 64;

  static std::size_t place(std::uintptr_t key) { return (key >> 4) % kEntries; }

  Entry entries_[kEntries + kProbes];
  std::atomic<bool> has_entries_ = false;
};

}  // namespace tarry::measure
