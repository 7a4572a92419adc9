// lazy_regions.hpp -- a fixed set of regions, each defined when it is first entered.
//
// Calls: may block.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "measure/core/memory.hpp"
#include "measure/core/recorder_lock.hpp"
#include "measure/core/runtime.hpp"

namespace tarry::measure {

struct LazyRegion {
  const char* name;
  RegionRole role;
};

template <std::size_t kCount>
class LazyRegions {
 public:
  constexpr LazyRegions(const LazyRegion (&regions)[kCount], const char* file, Paradigm paradigm)
      : regions_(regions), file_(file), paradigm_(paradigm) {}

  /// A region in the definitions of this process; only while something is recorded.
  RegionId operator[](std::size_t index) {
    const RegionId region = defined_[index].load(std::memory_order_acquire);
    if (!region.is_valid()) [[unlikely]]
      return define(index);
    return region;
  }

  /// Not valid where a signal handler would have to define it.
  /// Calls: handler-safe.
  RegionId if_possible(std::size_t index) {
    const RegionId region = defined_[index].load(std::memory_order_acquire);
    return region.is_valid() || is_in_handler() ? region : define(index);
  }

 private:
  [[gnu::noinline, gnu::cold]] RegionId define(std::size_t index) {
    const Locked lock(lock_);
    if (const RegionId defined = defined_[index].load(); defined.is_valid()) return defined;
    const RegionId region = definitions().add_region(regions_[index].name, file_, 0, paradigm_, regions_[index].role);
    defined_[index].store(region, std::memory_order_release);
    return region;
  }

  const LazyRegion (&regions_)[kCount];
  const char* file_;
  Paradigm paradigm_;
  RecorderLock lock_;
  std::atomic<RegionId> defined_[kCount];
};

}  // namespace tarry::measure
