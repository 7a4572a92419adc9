// processor_clock.hpp -- the clock of the processor time that a thread has used, which other threads may read, too.
//
// Calls: handler-safe.
#pragma once

#include <sys/types.h>

#include <ctime>

namespace tarry::measure {

/// The clock by the thread's number; see clock_getcpuclockid(3) and the kernel's include/linux/posix-timers_types.h.
constexpr clockid_t processor_clock_of(pid_t thread) {
  constexpr clockid_t kOfThread = 4, kSched = 2;
  return static_cast<clockid_t>(~static_cast<unsigned>(thread) << 3) | kOfThread | kSched;
}

}  // namespace tarry::measure
