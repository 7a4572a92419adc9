// disk_space.hpp -- tells in time that the archive's file system will not hold the recording.
//
// Calls: may block.
#pragma once

#include <cstdint>
#include <string>

#include "base/units.hpp"
#include "measure/core/settings.hpp"

namespace tarry::measure {

/// Bytes that can still be written to the file system of `folder`; ~0 where it does not tell.
/// Calls: handler-safe.
Bytes free_disk_space(const std::string& folder);

/// What records take on disk of their bytes in memory, as a rule: they are compressed.
inline constexpr double kUsualCompression = 0.5;

/// Says in one line if the event buffers of so many processes, when they are full, do not fit into the archive's file
/// system. To be called before anything is recorded.
void forecast_buffers(const Settings& settings, std::uint32_t processes);

/// Says in one line that `wanted` bytes are more than are free; `what` wants them.
void warn_of_disk(const std::string& archive, Bytes free, Bytes wanted, const std::string& what);

}  // namespace tarry::measure
