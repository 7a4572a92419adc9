// software_events.hpp -- the kernel's software events of one thread, read together by one system call.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace tarry::measure {

class SoftwareEvents {
 public:
  SoftwareEvents() = default;
  ~SoftwareEvents();
  SoftwareEvents(const SoftwareEvents&) = delete;
  SoftwareEvents& operator=(const SoftwareEvents&) = delete;

  /// Starts to count for the calling thread; `codes` are PERF_COUNT_SW_*. Why that failed, or nothing.
  std::string open(std::span<const std::uint64_t> codes);

  /// Values in the order of the codes, since open(). From any thread. False, with `values` as they were, if that fails.
  bool read(std::uint64_t* values) const;

 private:
  std::string add(std::uint64_t code);

  std::vector<int> descriptors_;  // the first one leads the group
};

}  // namespace tarry::measure
