// software_events.hpp -- the kernel's software events of one thread, read together by one system call.
//
// Calls: may block.
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
  // The program may close a number, and use it again: the kernel's own name of an event tells.
  struct OpenEvent {
    int descriptor = -1;
    std::uint64_t id = 0;
    bool is_ours() const;
  };

  std::string add(std::uint64_t code);

  std::vector<OpenEvent> events_;  // the first one leads the group
};

}  // namespace tarry::measure
