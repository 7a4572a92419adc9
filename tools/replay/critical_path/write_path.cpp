// write_path.cpp -- the critical path itself, as a table.
#include "write_path.hpp"

#include "base/text.hpp"

namespace tarry {
namespace {

std::string call_path_text(const DelayContext& context, PathIndex path) {
  if (path == kNoPath) return "";
  const CallTreeNode& node = context.tree.tree[path];
  std::string text = node.parent == kNoPath ? "" : call_path_text(context, node.parent) + "/";
  append_path_name(text, context.world.regions().name(node.region));
  return text;
}

}  // namespace

std::string critical_path_csv(const DelayContext& context, const std::vector<PathSegment>& segments) {
  std::string csv = "begin,end,rank,thread,edge,callpath\n";
  const Ticks origin = context.world.definitions().clock.origin;
  for (auto segment = segments.rbegin(); segment != segments.rend(); ++segment) {
    csv += exact_number(context.world.seconds(segment->begin_time - origin)) + ',' +
           exact_number(context.world.seconds(segment->end_time - origin)) + ',' +
           std::to_string(context.world.ranks()[segment->rank].rank) + ',' + std::to_string(segment->thread) + ',';
    if (segment->first == kNone32) {
      csv += "start,\n";
      continue;
    }
    const SyncPoint& point = context.sync[segment->rank][segment->thread].points[segment->first];
    const PathIndex path = point.path == kNoPath ? kNoPath : context.tree.to_united[segment->rank][point.path];
    csv += std::string(name_of(point.kind)) + ',' + csv_field(call_path_text(context, path)) + '\n';
  }
  return csv;
}

}  // namespace tarry
