// write_path.cpp -- the critical path itself, as a table.
#include "analysis/critical_path/write_path.hpp"

#include "base/text/csv.hpp"
#include "report/tree/path_text.hpp"

namespace tarry {
namespace {

std::string text_of_path(const DelayContext& context, PathIndex path) {
  const auto parent_of = [&](PathIndex at) { return context.tree.tree[at].parent; };
  const auto region_name = [&](PathIndex at) {
    return std::string_view(context.trace.regions().name(context.tree.tree[at].region));
  };
  return path == kNoPath ? "" : path_text(path, kNoPath, parent_of, region_name);
}

}  // namespace

std::string critical_path_csv(const DelayContext& context, const std::vector<PathSegment>& segments) {
  CsvWriter csv("begin,end,rank,thread,edge,callpath");
  const Ticks origin = context.trace.definitions().clock.origin;
  for (auto segment = segments.rbegin(); segment != segments.rend(); ++segment) {
    csv.add(context.trace.seconds(segment->begin_time - origin)).add(context.trace.seconds(segment->end_time - origin));
    csv.add(context.trace.ranks()[segment->rank].rank.value).add(segment->thread.value);
    const SyncPoints& points = context.sync[segment->rank][segment->thread];
    if (!segment->first.is_valid()) {
      const bool is_spawned = points.spawn.point.is_valid() && segment->begin_time == points.first_time;
      csv.add(is_spawned ? "spawn" : "start").skip().end_row();
      continue;
    }
    const SyncPoint& point = points.points[segment->first];
    const PathIndex path = point.path == kNoPath ? kNoPath : context.tree.to_unified[segment->rank][point.path];
    csv.add(name_of(point.kind)).add(text_of_path(context, path)).end_row();
  }
  return csv.take();
}

}  // namespace tarry
