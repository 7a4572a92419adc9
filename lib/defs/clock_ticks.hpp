// clock_ticks.hpp -- seconds of a run as time stamps.
#pragma once

#include <cmath>
#include <limits>

#include "base/units.hpp"
#include "defs/definitions.hpp"

namespace tarry {

/// The time stamp that many seconds behind the first event; the last one there is, if it lies beyond.
inline Ticks to_ticks(const Clock& clock, double seconds) {
  const double ticks = static_cast<double>(clock.origin) + seconds * clock.ticks_per_second;
  return ticks < 9.2e18 ? static_cast<Ticks>(std::llround(ticks)) : std::numeric_limits<Ticks>::max();
}

}  // namespace tarry
