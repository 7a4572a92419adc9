// heap_counts.hpp -- what libtarry-heap.so counts in the allocator's functions, and how the recorder asks for it.
//
// The library is in front of the allocator only where heap counters are asked for. Bytes are what the allocator
// set aside (malloc_usable_size), so that what is freed is what was allocated.
//
// Calls: may block.
#pragma once

#include <atomic>
#include <cstdint>

#include "measure/metrics/heap_sites.hpp"

namespace tarry::measure {

/// Of one thread; written by it alone.
struct HeapCounts {
  std::uint64_t allocated;    // bytes
  std::uint64_t freed;        // bytes
  std::uint64_t allocations;  // blocks
};

/// Of the process.
struct HeapLevels {
  std::atomic<std::int64_t> in_use{0};  // bytes
  std::atomic<std::int64_t> peak{0};
  HeapSites sites;
};

/// The name of the function that gives them, in libtarry-heap.so.
inline constexpr char kHeapCountsFunction[] = "tarry_heap_counts";
using HeapCountsFunction = const HeapCounts* (*)(HeapLevels**);

/// The name of the function that begins to follow blocks, in libtarry-heap.so. False without memory for that.
inline constexpr char kFollowHeapFunction[] = "tarry_heap_follow";
using FollowHeapFunction = bool (*)();

}  // namespace tarry::measure
