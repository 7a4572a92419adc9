// target_callbacks.hpp -- OpenMP's target constructs, as the runtime tells them (OMPT).
//
// Calls: may block.
#pragma once

#include <cstdint>

#include "measure/core/thread_slots.hpp"
#include "measure/devices/device_hooks.hpp"
#include "measure/openmp/ompt_abi.hpp"

namespace tarry::measure {

/// The target construct that a thread is in, and the kernel or copy that is under way there.
struct OpenTarget {
  const void* place = nullptr;  // in the program; nullptr: it is in none
  int device = 0;
  bool has_kernel = false;       // that the device may still execute
  bool is_waiting = false;       // for what the device has been given so far
  DeviceQueue* queue = nullptr;  // of the kernel or copy; nullptr: what its device executes is not recorded
  std::uint64_t work = 0;        // its number
  std::int64_t begin = 0;        // and when it has begun, in nanoseconds of CLOCK_MONOTONIC
};
inline constexpr ThreadSlot<OpenTarget, 256> kOpenTarget;

/// Asks the runtime for what happens in target constructs.
void watch_targets(ompt::SetCallback set);

}  // namespace tarry::measure
