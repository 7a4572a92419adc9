// time_apart.cpp -- what a thread did since it last synchronised with a process.
#include "analysis/delay/time_apart.hpp"

#include <algorithm>

namespace tarry {

SyncIndex begin_with(const DelayContext& context, const SyncRef& before, RankIndex partner) {
  const WorldTable& worlds = context.trace.mpi_worlds();
  if (worlds.of(partner) == worlds.of(before.rank) || context.sync[partner].empty()) return SyncIndex(0);
  const Ticks begin = context.sync[partner][kMaster].first_time;
  const SyncPoint* const points = context.sync[before.rank][before.thread].points.begin();
  const SyncPoint* const later = std::partition_point(points, points + before.point.value,
                                                      [&](const SyncPoint& point) { return point.enter <= begin; });
  return SyncIndex(static_cast<std::size_t>(later == points ? 0 : later - points - 1));
}

Apart time_apart(const DelayContext& context, const SyncRef& before, RankIndex partner, IntervalScratch& scratch,
                 TimeVector& times) {
  const SyncPoints& points = context.sync[before.rank][before.thread];
  const IntervalTimes of_thread(context, before.rank, before.thread, scratch);
  const auto is_start = [&](const SyncPoint& point) {
    return point.with.kind() == Counterpart::Kind::kProcess ? point.with.process() == partner
                                                            : has_partner(context.trace, points, point, partner);
  };
  Apart apart;
  apart.waits = of_thread.add_pruned_since(is_start, before.point, times, apart.since);
  if (apart.since.is_valid()) return apart;
  if (before.thread == kMaster) apart.since = begin_with(context, before, partner);
  apart.waits = of_thread.add_pruned(apart.since, before.point, times);
  return apart;
}

}  // namespace tarry
