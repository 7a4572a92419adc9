// live_blocks.hpp -- the live blocks of the allocator that have a site, by their addresses.
//
// A table of fixed size in one mapping, of which only touched pages take memory. Each entry is one word: the address
// and the site. Blocks that lie side by side have entries side by side, so a small heap touches a small part. Where the
// places of an address are taken, the block goes to one of eight lines far away. Nobody looks there while none is.
//
// There is no lock. A block is added behind its allocation and taken before it is freed, so only one thread knows its
// address then. Threads compete for free entries alone. A signal handler and a child of fork find the table whole.
//
// Calls: handler-safe.
#pragma once

#include <sys/mman.h>

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "base/arrays/flat_map.hpp"
#include "measure/metrics/heap_sites.hpp"

namespace tarry::measure {

class LiveBlocks {
 public:
  /// Room for `room` entries, a power of two. False without memory.
  bool open(std::size_t room) {
    constexpr int kFlags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;
    void* const memory = ::mmap(nullptr, room * sizeof(Entry), PROT_READ | PROT_WRITE, kFlags, -1, 0);
    if (memory == MAP_FAILED) return false;
    entries_ = static_cast<Entry*>(memory);
    mask_ = room - 1;
    return true;
  }

  /// False if there is no room at its places, or if its address has more than 48 bits.
  bool add(const void* block, HeapSiteId site) {
    const std::uint64_t key = key_of(block);
    if (key >> (64 - kSiteBits)) return false;
    const std::uint64_t word = key << kSiteBits | site;
    if (put(near_place(key), kNear, word)) return true;
    for (std::uint64_t line = 0; line < kFarLines; ++line)
      if (put(far_place(key, line), kLine, word)) return far_.fetch_add(1, std::memory_order_relaxed), true;
    return false;
  }

  /// Removes a block; its site. None if it has not been added.
  HeapSiteId take(const void* block) {
    const std::uint64_t key = key_of(block);
    if (const HeapSiteId site = remove(near_place(key), kNear, key); site != kNoHeapSite) return site;
    if (far_.load(std::memory_order_relaxed) == 0) return kNoHeapSite;
    for (std::uint64_t line = 0; line < kFarLines; ++line)
      if (const HeapSiteId site = remove(far_place(key, line), kLine, key); site != kNoHeapSite)
        return far_.fetch_sub(1, std::memory_order_relaxed), site;
    return kNoHeapSite;
  }

 private:
  using Entry = std::atomic<std::uint64_t>;
  static constexpr unsigned kSiteBits = 19;    // kMostHeapSites
  static constexpr unsigned kUnitBits = 3;     // blocks lie at multiples of 8
  static constexpr unsigned kSpacingBits = 2;  // and 32 bytes apart, most of them
  static constexpr unsigned kSpanBits = 25;    // of keys: spans of memory that may have the same places
  static constexpr std::size_t kNear = 16;     // entries behind the one of an address
  static constexpr std::size_t kLine = 8;      // entries of a line of the cache
  static constexpr std::uint64_t kFarLines = 8;
  static_assert(kMostHeapSites == 1u << kSiteBits);

  static std::uint64_t key_of(const void* block) { return reinterpret_cast<std::uintptr_t>(block) >> kUnitBits; }
  static std::size_t near_place(std::uint64_t key) { return (key >> kSpacingBits) + mix_bits(key >> kSpanBits); }
  static std::size_t far_place(std::uint64_t key, std::uint64_t line) {
    return mix_bits(key * kFarLines + line) & ~(kLine - 1);
  }

  bool put(std::size_t first, std::size_t count, std::uint64_t word) {
    for (std::size_t i = 0; i < count; ++i) {
      Entry& entry = entries_[(first + i) & mask_];
      std::uint64_t free = 0;
      if (entry.load(std::memory_order_relaxed) == 0 &&
          entry.compare_exchange_strong(free, word, std::memory_order_relaxed))
        return true;
    }
    return false;
  }

  HeapSiteId remove(std::size_t first, std::size_t count, std::uint64_t key) {
    for (std::size_t i = 0; i < count; ++i) {
      Entry& entry = entries_[(first + i) & mask_];
      const std::uint64_t word = entry.load(std::memory_order_relaxed);
      if (word >> kSiteBits != key) continue;
      entry.store(0, std::memory_order_relaxed);
      return static_cast<HeapSiteId>(word & ((1u << kSiteBits) - 1));
    }
    return kNoHeapSite;
  }

  Entry* entries_ = nullptr;
  std::size_t mask_ = 0;
  std::atomic<std::size_t> far_ = 0;  // blocks that are not near their places
};

}  // namespace tarry::measure
