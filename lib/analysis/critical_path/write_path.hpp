// write_path.hpp -- the critical path itself, as a table (--critical-path FILE).
#pragma once

#include <string>

#include "analysis/critical_path/critical_walk.hpp"
#include "replay/region_table.hpp"

namespace tarry {

/// CSV text, from the beginning of the path to its end: begin and end in seconds from the origin of the trace, rank,
/// thread, and how the path came there: the kind of wait or construct, and the call path where that happened.
std::string critical_path_csv(const DelayContext& context, const std::vector<PathSegment>& segments);

}  // namespace tarry
