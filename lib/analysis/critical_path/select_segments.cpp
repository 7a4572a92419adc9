// select_segments.cpp -- the parts of the critical path that lie in the selected part of the trace, or while the
// processes of a world are there.
#include <algorithm>
#include <limits>

#include "analysis/critical_path/critical_walk.hpp"

namespace tarry {
namespace {

struct Part {
  std::uint64_t segment = 0;  // its number
  PathSegment facts;
};

// Only the first part of a segment came there through an edge. Later parts first, as segments are.
void add_parts(const TimeRanges& selected, std::uint64_t number, const PathSegment& segment, std::vector<Part>& parts) {
  const auto first = static_cast<std::ptrdiff_t>(parts.size());
  selected.for_each_part(segment.begin_time, segment.end_time, [&](Ticks begin, Ticks end) {
    PathSegment part = segment;
    part.begin_time = begin;
    part.end_time = end;
    if (begin != segment.begin_time) part.first = SyncIndex();
    parts.push_back({number, part});
  });
  std::reverse(parts.begin() + first, parts.end());
}

}  // namespace

std::vector<PathSegment> select_segments(const DelayContext& context, const std::vector<PathSegment>& segments) {
  if (context.counted.empty()) return segments;
  std::vector<Part> parts;
  for (std::size_t i = 0; i < segments.size(); ++i) {
    const PathSegment& segment = segments[i];
    if (context.trace.is_hosted(segment.rank))
      add_parts(*context.trace.ranks()[segment.rank].threads[segment.thread].selected, i, segment, parts);
  }
  MessageBuffer buffer;
  buffer.put_all(parts);
  std::vector<Part> all;
  for (MessageBuffer& arrived : context.trace.exchange().gather(std::move(buffer))) {
    const std::vector<Part> some = arrived.get_all<Part>();
    all.insert(all.end(), some.begin(), some.end());
  }
  std::stable_sort(all.begin(), all.end(), [](const Part& a, const Part& b) { return a.segment < b.segment; });
  std::vector<PathSegment> selected;
  for (const Part& part : all) selected.push_back(part.facts);
  return selected;
}

std::vector<double> path_lengths(const DelayContext& context, const std::vector<PathSegment>& segments) {
  struct Life {
    Ticks begin = std::numeric_limits<Ticks>::max();
    Ticks end = std::numeric_limits<Ticks>::min();
  };
  std::vector<Life> lives(context.trace.mpi_worlds().size());
  for (const RankIndex rank : context.sync.ids())
    for (const SyncPoints& thread : context.sync[rank]) {
      if (!thread.has_events()) continue;
      Life& life = lives[context.trace.mpi_worlds().of(rank).value];
      const bool is_spawned = thread.spawn.point.is_valid();
      life.begin = is_spawned ? std::min(life.begin, thread.first_time) : std::numeric_limits<Ticks>::min();
      life.end = std::max(life.end, thread.last_time);
    }
  std::vector<double> lengths;
  for (const Life& life : lives) {
    Ticks length = 0;
    for (const PathSegment& segment : segments)
      length += std::max<Ticks>(0, std::min(segment.end_time, life.end) - std::max(segment.begin_time, life.begin));
    lengths.push_back(static_cast<double>(length));
  }
  return lengths;
}

}  // namespace tarry
