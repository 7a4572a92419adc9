// time_apart.cpp -- what a thread did since it last synchronised with a process.
#include "analysis/delay/time_apart.hpp"

#include <algorithm>

namespace tarry {

SyncIndex begin_with(const DelayContext& context, const SyncRef& before, std::uint32_t partner) {
  const WorldTable& worlds = context.trace.mpi_worlds();
  if (worlds.of(RankIndex(partner)) == worlds.of(RankIndex(before.rank)) || context.sync[partner].empty()) return 0;
  const Ticks begin = context.sync[partner][0].first_time;
  const SyncPoint* const points = context.sync[before.rank][before.thread].points.begin();
  const SyncPoint* const later = std::partition_point(points, points + before.point,
                                                      [&](const SyncPoint& point) { return point.enter <= begin; });
  return later == points ? 0 : static_cast<SyncIndex>(later - points - 1);
}

Apart time_apart(const DelayContext& context, const SyncRef& before, std::uint32_t partner, IntervalScratch& scratch,
                 TimeVector& times) {
  const SyncPoints& points = context.sync[before.rank][before.thread];
  const IntervalTimes of_thread(context, before.rank, before.thread, scratch);
  const auto is_start = [&](const SyncPoint& point) {
    return point.with.kind() == Counterpart::Kind::kProcess
               ? point.with.is(Counterpart::Kind::kProcess, partner)
               : has_partner(context.trace, points, point, partner);
  };
  Apart apart;
  apart.waits = of_thread.add_pruned_since(is_start, before.point, times, apart.since);
  if (apart.since != kNone32) return apart;
  if (before.thread == 0) apart.since = begin_with(context, before, partner);
  apart.waits = of_thread.add_pruned(apart.since, before.point, times);
  return apart;
}

}  // namespace tarry
