// streams.hpp -- the streams of the program, each of which is a queue of the recording.
//
// Calls: may block.
#pragma once

#include <cstdint>

#include "measure/devices/device_hooks.hpp"

namespace tarry::measure {

/// Which stream, as CUPTI numbers them. Streams of different contexts may have the same number.
struct StreamId {
  std::uint32_t device = 0, context = 0, stream = 0;
  bool operator==(const StreamId&) const = default;
};

/// No stream, of no context: what the driver copies by itself.
inline constexpr std::uint32_t kUnifiedMemory = UINT32_MAX;

/// Its queue, which is opened when it is first asked for. nullptr: what it executes is not recorded. Linear in the
/// streams so far.
DeviceQueue* queue_of_stream(const StreamId& id);

/// CUPTI has told the name of a device. It keeps it.
void note_device_name(std::uint32_t device, const char* name);

/// No more is expected of any stream.
void release_streams();

}  // namespace tarry::measure
