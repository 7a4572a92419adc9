// units.hpp -- the units of every quantity that crosses a function boundary.
#pragma once

#include <cstdint>

namespace tarry {

/// Time on a clock whose rate is known elsewhere (Clock::ticks_per_second); differences may be negative.
using Ticks = std::int64_t;

/// Wall-clock seconds.
using Seconds = double;

/// Sizes of messages, buffers and files.
using Bytes = std::uint64_t;

}  // namespace tarry
