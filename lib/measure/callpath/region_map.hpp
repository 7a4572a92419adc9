// region_map.hpp -- from the address of a function to the number of its region; read without a lock on every event.
//
// A table of fixed size in memory that is touched only where functions are. Functions are 16 bytes apart, so an address
// divided by 16 is an index of its own, as a rule. Entries are added under a lock. They change only when their module
// is unloaded or the recording ends.
//
// Calls: handler-safe.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>

#include "defs/definitions.hpp"

namespace tarry::measure {

/// In place of a region's number: its events are not recorded, or nothing is.
inline constexpr RegionId kFiltered;

/// No entry yet.
inline constexpr RegionId kUnknownRegion{RegionId::kNone - 1};

/// A function that a compiler has made of an OpenMP construct. It is part of that region, and no region of its own.
inline constexpr RegionId kOutlined{RegionId::kNone - 2};

/// Functions that are counted and not recorded (compiler/throttle.hpp): so many numbers in front of kOutlined.
inline constexpr std::uint32_t kMostThrottled = 1024;
inline constexpr RegionId kFirstThrottled{kOutlined.value - kMostThrottled};
constexpr bool is_throttled(RegionId region) { return region >= kFirstThrottled && region < kOutlined; }
constexpr std::uint32_t number_of_throttled(RegionId region) { return region.value - kFirstThrottled.value; }

/// True if events of the region are recorded.
constexpr bool is_recorded(RegionId region) { return region < kFirstThrottled; }

/// True if what is called in the function is told apart by its places there.
constexpr bool has_call_sites(RegionId region) { return is_recorded(region) || region == kOutlined; }

class RegionMap {
 public:
  static constexpr std::size_t kEntries = 1 << 18;

  struct Entry {
    std::atomic<std::uintptr_t> key = 0;  // 0: free
    std::atomic<RegionId> region{RegionId(0)};
  };

  /// The region at the key's own place, if it is there.
  RegionId find_at_once(std::uintptr_t key) const {
    const Entry& entry = entries_[place(key)];
    if (entry.key.load(std::memory_order_acquire) != key) [[unlikely]]
      return kUnknownRegion;
    return entry.region.load(std::memory_order_relaxed);
  }

  /// Looks on behind the key's own place.
  RegionId find(std::uintptr_t key) const {
    for (std::size_t step = 0; step < kProbes; ++step) {
      const Entry& entry = entries_[place(key) + step];
      const std::uintptr_t there = entry.key.load(std::memory_order_acquire);
      if (there == key) return entry.region.load(std::memory_order_relaxed);
      if (there == 0) break;
    }
    return kUnknownRegion;
  }

  /// False if there is no place left. Not to be called by two threads at once, unless both add kFiltered.
  bool add(std::uintptr_t key, RegionId region) {
    for (std::size_t step = 0; step < kProbes; ++step) {
      Entry& entry = entries_[place(key) + step];
      const std::uintptr_t there = entry.key.load(std::memory_order_relaxed);
      if (there && there != key) continue;
      if (there && entry.region.load(std::memory_order_relaxed) != region)
        changes_.fetch_add(1, std::memory_order_relaxed);
      entry.region.store(region, std::memory_order_relaxed);
      entry.key.store(key, std::memory_order_release);
      has_entries_.store(true, std::memory_order_relaxed);
      return true;
    }
    return false;
  }

  /// How often a key has become another region.
  std::uint32_t changes() const { return changes_.load(std::memory_order_relaxed); }

  /// The functions between two addresses are not known any more. Not to be called while another thread adds one.
  void forget(std::uintptr_t begin, std::uintptr_t end) {
    const std::size_t places = (end - begin) / 16 + 1 + kProbes;
    for (std::size_t step = 0; step < std::min(places, kEntries); ++step)
      forget_at(entries_[(place(begin) + step) % kEntries], begin, end);
    for (std::size_t at = kEntries; at < kEntries + kProbes; ++at) forget_at(entries_[at], begin, end);
  }

  /// From here on nothing is recorded. An empty table, as it is without compiler instrumentation, stays untouched: it
  /// has a thousand pages.
  void filter_all() {
    if (!has_entries_.load(std::memory_order_relaxed)) return;
    for (Entry& entry : entries_)
      if (entry.key.load(std::memory_order_relaxed)) entry.region.store(kFiltered, std::memory_order_relaxed);
  }

 private:
  static constexpr std::size_t kProbes = 64;

  static void forget_at(Entry& entry, std::uintptr_t begin, std::uintptr_t end) {
    if (entry.key.load(std::memory_order_relaxed) - begin < end - begin)
      entry.region.store(kUnknownRegion, std::memory_order_relaxed);
  }

  static std::size_t place(std::uintptr_t key) { return (key >> 4) % kEntries; }

  Entry entries_[kEntries + kProbes];
  std::atomic<bool> has_entries_ = false;
  std::atomic<std::uint32_t> changes_ = 0;
};

extern RegionMap g_regions;

}  // namespace tarry::measure
