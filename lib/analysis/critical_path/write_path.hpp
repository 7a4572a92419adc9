// write_path.hpp -- the critical path itself, as a table (--critical-path FILE).
#pragma once

#include <string>

#include "analysis/critical_path/critical_walk.hpp"
#include "replay/trees/region_table.hpp"

namespace tarry {

/// CSV text, from the beginning of the path to its end. Begin and end of a segment are in seconds from the origin of
/// the trace; rank and thread follow. The edge is the kind of wait or construct through which the path came there, and
/// the call path is where that happened.
std::string critical_path_csv(const DelayContext& context, const std::vector<PathSegment>& segments);

}  // namespace tarry
