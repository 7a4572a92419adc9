// lock_orders.hpp -- in which order the locks of a process are acquired.
//
// Calls: handler-safe.
#pragma once

#include <atomic>
#include <cstdint>

#include "base/arrays/flat_map.hpp"

namespace tarry::measure {

/// The next number of an acquisition; to be called by the thread that has just acquired the lock. Of one lock, the
/// numbers grow from 1 on, with gaps: locks share counters.
inline std::uint64_t next_lock_order(std::uint64_t lock) {
  struct alignas(64) Counter {
    std::atomic<std::uint64_t> last{0};
  };
  constexpr std::size_t kCounters = 512;
  static Counter counters[kCounters];
  return counters[mix_bits(lock) % kCounters].last.fetch_add(1, std::memory_order_relaxed) + 1;
}

}  // namespace tarry::measure
