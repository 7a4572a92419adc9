// write_path.cpp -- the critical path itself, as a table.
#include "analysis/critical_path/write_path.hpp"

#include "base/text.hpp"
#include "report/path_text.hpp"

namespace tarry {
namespace {

std::string call_path_text(const DelayContext& context, PathIndex path) {
  const auto parent_of = [&](PathIndex at) { return context.tree.tree[at].parent; };
  const auto region_name = [&](PathIndex at) {
    return std::string_view(context.trace.regions().name(context.tree.tree[at].region));
  };
  return path == kNoPath ? "" : path_text(path, kNoPath, parent_of, region_name);
}

}  // namespace

std::string critical_path_csv(const DelayContext& context, const std::vector<PathSegment>& segments) {
  std::string csv = "begin,end,rank,thread,edge,callpath\n";
  const Ticks origin = context.trace.definitions().clock.origin;
  for (auto segment = segments.rbegin(); segment != segments.rend(); ++segment) {
    csv += exact_number(context.trace.seconds(segment->begin_time - origin)) + ',' +
           exact_number(context.trace.seconds(segment->end_time - origin)) + ',' +
           std::to_string(context.trace.ranks()[segment->rank].rank.value) + ',' +
           std::to_string(segment->thread.value) + ',';
    if (segment->first == kNone32) {
      const SyncPoints& points = context.sync[segment->rank][segment->thread.value];
      const bool is_spawned = points.spawn.point != kNone32 && segment->begin_time == points.first_time;
      csv += is_spawned ? "spawn,\n" : "start,\n";
      continue;
    }
    const SyncPoint& point = context.sync[segment->rank][segment->thread.value].points[segment->first];
    const PathIndex path = point.path == kNoPath ? kNoPath : context.tree.to_unified[segment->rank][point.path];
    csv += std::string(name_of(point.kind)) + ',' + csv_field(call_path_text(context, path)) + '\n';
  }
  return csv;
}

}  // namespace tarry
