// artificial_regions.hpp -- the names of regions that stand for what the recorder does, and for what it does not see.
#pragma once

#include <string_view>

namespace tarry {

/// Region in which the time goes that writing the trace takes.
inline constexpr std::string_view kBufferFlushName = "TRACE BUFFER FLUSH";

/// Region of the time during which the program had switched its recording off.
inline constexpr std::string_view kMeasurementOffName = "MEASUREMENT OFF";

/// Region of a record whose own region is not defined.
inline constexpr std::string_view kUndefinedRegionName = "UNDEFINED REGION";

}  // namespace tarry
