// path_stretches.hpp -- the critical path as a list of times on threads, without the sync points that it was found by.
#pragma once

#include <vector>

#include "base/units.hpp"
#include "replay/trees/call_tree.hpp"
#include "replay/trace_ids.hpp"

namespace tarry {

struct DelayContext;
struct PathSegment;

/// A stretch of the critical path. Times are absolute ticks.
struct PathStretch {
  RankIndex rank{};
  ThreadIndex thread{};
  PathIndex path = kNoPath;  // a unified one: where the path came to this thread; none: at its begin
  Ticks begin = 0;
  Ticks end = 0;
  const char* edge = "";  // how it came there: the name of a kind of wait or construct, "start" or "spawn"
};

/// In order of time.
using PathStretches = std::vector<PathStretch>;

PathStretches path_stretches(const DelayContext& context, const std::vector<PathSegment>& segments);

}  // namespace tarry
