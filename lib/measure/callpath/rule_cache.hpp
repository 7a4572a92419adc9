// rule_cache.hpp -- the rules of the places in the code that stacks have gone through: one look-up for each frame.
//
// Calls: handler-safe.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "measure/callpath/frame_rules.hpp"

namespace tarry::measure {

/// Shared by all threads, without locks. A place that is not there yet takes some microseconds, once.
class RuleCache {
 public:
  /// The rule of a frame that goes on at `return_address` when its callee returns. An interrupted frame goes on at the
  /// instruction itself: it is asked for with `instruction` + 1.
  FrameRule find(std::uintptr_t return_address) {
    for (std::size_t at = place_of(return_address), probe = 0; probe < kMostProbes; at = (at + 1) % kPlaces, ++probe) {
      const std::uintptr_t key = entries_[at].key.load(std::memory_order_acquire);
      if (key == return_address) [[likely]] {
        const FrameRule rule = entries_[at].rule;
        std::atomic_thread_fence(std::memory_order_acquire);
        if (entries_[at].key.load(std::memory_order_relaxed) == key) [[likely]]
          return rule;
        break;  // forgotten meanwhile
      }
      if (key == kFree) break;
    }
    return add(return_address);
  }

  /// Forgets the places between two addresses, where a module was that has been unloaded.
  void forget(std::uintptr_t begin, std::uintptr_t end);

 private:
  static constexpr std::size_t kPlaces = std::size_t{1} << 16;
  static constexpr std::size_t kMostProbes = 64;
  static constexpr std::uintptr_t kFree = 0, kBusy = 1, kForgotten = 2;  // no return addresses

  struct Entry {
    std::atomic<std::uintptr_t> key = kFree;
    FrameRule rule;
  };

  static std::size_t place_of(std::uintptr_t address) { return (address * 0x9e3779b97f4a7c15u) >> 48; }
  FrameRule add(std::uintptr_t return_address);

  Entry entries_[kPlaces];
};

extern RuleCache g_rules;

}  // namespace tarry::measure
