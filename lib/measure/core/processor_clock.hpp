// processor_clock.hpp -- the clock of the processor time that a thread has used, which other threads may read, too.
//
// Calls: handler-safe.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <ctime>

namespace tarry::measure {

/// The clock by the thread's number; see clock_getcpuclockid(3) and the kernel's include/linux/posix-timers_types.h.
constexpr clockid_t processor_clock_of(pid_t thread) {
  constexpr clockid_t kOfThread = 4, kSched = 2;
  return static_cast<clockid_t>(~static_cast<unsigned>(thread) << 3) | kOfThread | kSched;
}

/// Nanoseconds; -1 if the thread is not there.
inline std::int64_t processor_time_of(pid_t thread) {
  timespec used{};
  if (::clock_gettime(processor_clock_of(thread), &used) != 0) return -1;
  return used.tv_sec * std::int64_t{1'000'000'000} + used.tv_nsec;
}

}  // namespace tarry::measure
