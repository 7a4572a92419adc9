// device_clock.hpp -- the clock of a queue beside that of the host, bounded by what the host knows of its commands.
//
// Calls: handler-safe.
#pragma once

#include <cstdint>

#include "measure/devices/device_hooks.hpp"

namespace tarry::measure {

/// By how much the clock of the host is ahead of that of a queue, in nanoseconds. A device reports when a command was
/// queued: that was while the host made the call. And when it ended: that was before the host was told.
class ClockOffset {
 public:
  /// What all commands so far tell together.
  std::int64_t after(const DoneWork& work);

 private:
  std::int64_t least_ = INT64_MIN, most_ = INT64_MAX;
};

}  // namespace tarry::measure
