// lazy_regions.hpp -- a fixed set of regions, each defined when it is first entered.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

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

  /// Number of a region in the definitions of this process; only while something is recorded.
  std::uint32_t operator[](std::size_t index) {
    const std::uint32_t number = numbers_[index].load(std::memory_order_acquire);
    if (number == 0) [[unlikely]]
      return define(index);
    return number - 1;
  }

 private:
  std::uint32_t define(std::size_t index) {
    const Locked lock(lock_);
    if (const std::uint32_t defined = numbers_[index].load()) return defined - 1;
    const std::uint32_t region =
        definitions().add_region(regions_[index].name, file_, 0, paradigm_, regions_[index].role);
    numbers_[index].store(region + 1, std::memory_order_release);
    return region;
  }

  const LazyRegion (&regions_)[kCount];
  const char* file_;
  Paradigm paradigm_;
  RecorderLock lock_;
  std::atomic<std::uint32_t> numbers_[kCount]{};  // region + 1; 0: not defined yet
};

}  // namespace tarry::measure
