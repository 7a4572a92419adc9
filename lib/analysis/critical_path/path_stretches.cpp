// path_stretches.cpp -- the critical path as a list of times on threads.
#include "analysis/critical_path/path_stretches.hpp"

#include "analysis/critical_path/critical_walk.hpp"

namespace tarry {

PathStretches path_stretches(const DelayContext& context, const std::vector<PathSegment>& segments) {
  PathStretches stretches;
  stretches.reserve(segments.size());
  for (auto segment = segments.rbegin(); segment != segments.rend(); ++segment) {
    const SyncPoints& points = context.sync[segment->rank][segment->thread];
    PathStretch& stretch = stretches.emplace_back();
    stretch.rank = segment->rank;
    stretch.thread = segment->thread;
    stretch.begin = segment->begin_time;
    stretch.end = segment->end_time;
    if (!segment->first.is_valid()) {
      const bool is_spawned = points.spawn.point.is_valid() && segment->begin_time == points.first_time;
      stretch.edge = is_spawned ? "spawn" : "start";
      continue;
    }
    const SyncPoint& point = points.points[segment->first];
    stretch.edge = name_of(point.kind);
    if (point.path != kNoPath) stretch.path = context.tree.to_unified[segment->rank][point.path];
  }
  return stretches;
}

}  // namespace tarry
