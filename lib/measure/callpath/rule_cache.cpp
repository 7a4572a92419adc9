// rule_cache.cpp -- the rules of the places in the code that stacks have gone through.
#include "measure/callpath/rule_cache.hpp"

#include <dlfcn.h>

namespace tarry::measure {

constinit RuleCache g_rules;

FrameRule RuleCache::add(std::uintptr_t return_address) {
  const FrameRule rule = frame_rule_at(return_address - 1);
  for (std::size_t at = place_of(return_address), probe = 0; probe < kMostProbes; at = (at + 1) % kPlaces, ++probe) {
    Entry& entry = entries_[at];
    std::uintptr_t expected = entry.key.load(std::memory_order_relaxed);
    if (expected != kFree && expected != kForgotten) continue;
    if (!entry.key.compare_exchange_strong(expected, kBusy, std::memory_order_acquire)) continue;
    entry.rule = rule;
    entry.key.store(return_address, std::memory_order_release);
    break;
  }
  return rule;
}

void RuleCache::forget(std::uintptr_t begin, std::uintptr_t end) {
  for (Entry& entry : entries_) {
    std::uintptr_t key = entry.key.load(std::memory_order_relaxed);
    if (key > kForgotten && key - 1 - begin < end - begin)
      entry.key.compare_exchange_strong(key, kForgotten, std::memory_order_relaxed);
  }
}

}  // namespace tarry::measure
