// interval_times.cpp -- time per call path between two synchronisation points, without waiting.
#include "analysis/delay/interval_times.hpp"

#include <algorithm>

namespace tarry {

void IntervalTimes::add(LogPosition begin, LogPosition end, TimeVector& into) const {
  if (is_capped_) return add_capped(begin, end, into);
  into.add_all(unified_paths_, [&](auto add_time) {
    thread_.log.for_each(begin, end, [&](PathIndex path, Ticks time) { add_time(to_unified_[path], time); });
  });
}

// What lies between the positions where selected ranges begin and end.
void IntervalTimes::add_selected(LogPosition begin, LogPosition end) {
  if (!thread_.selected) return add(begin, end, scratch_.times);
  const std::vector<LogPosition>& cuts = thread_.cuts;
  const auto first = static_cast<std::size_t>(std::upper_bound(cuts.begin(), cuts.end(), begin) - cuts.begin());
  for (std::size_t at = first / 2 * 2; at < cuts.size() && cuts[at] < end; at += 2)
    add(std::max(begin, cuts[at]), std::min(end, cuts[at + 1]), scratch_.times);
}

// The reference takes a snapshot at each sync point, and adds the snapshots of an interval up.
void IntervalTimes::add_capped(LogPosition begin, LogPosition end, TimeVector& into) const {
  const auto is_before = [](const SyncPoint& point, LogPosition position) { return point.position <= position; };
  CappedTimes &part = scratch_.part, &whole = scratch_.whole;
  auto next = std::lower_bound(points_.points.begin(), points_.points.end(), begin, is_before);
  whole.clear();
  while (begin < end) {
    while (next != points_.points.end() && next->position <= begin) ++next;
    const LogPosition until = next == points_.points.end() ? end : std::min(end, next->position);
    part.clear();
    thread_.log.for_each(begin, until, [&](PathIndex path, Ticks time) { part.add(path, time); });
    part.settle();
    auto& entries = part.entries();
    std::sort(entries.begin(), entries.end(),
              [&](const auto& a, const auto& b) { return to_unified_[a.first] < to_unified_[b.first]; });
    for (const auto& [path, time] : entries) whole.add(path, time);
    begin = until;
  }
  whole.settle();
  for (const auto& [path, time] : whole.entries()) into.add(to_unified_[path], time);
}

// Waits of one call path may add up to more than its time only together: they are summed before the floor at 0.
void IntervalTimes::subtract_counted_waits(SyncIndex first_point, SyncIndex end_point) {
  for (SyncIndex at = first_point; at < end_point; ++at.value) {
    const SyncPoint& point = points_.points[at];
    if (const Ticks wait = counted_waits_ ? (*counted_waits_)[at] : point.wait; wait > 0)
      subtract(point.path, wait, scratch_.times);
  }
}

PathTimes IntervalTimes::take() {
  PathTimes result;
  scratch_.times.move_to(result);
  return result;
}

PathTimes IntervalTimes::raw(LogPosition begin, LogPosition end) {
  add_selected(begin, end);
  return take();
}

void IntervalTimes::add_operations(SyncIndex first, SyncIndex last, TimeVector& into) const {
  const SyncPoint& start = points_.points[first];
  add(start.position, points_.points[last].position, into);
  // The completion is negative after a late receiver in compat mode: then more than the operation is taken off.
  if (start.total > start.completion) subtract(start.path, start.total - start.completion, into);
}

Ticks IntervalTimes::add_pruned(SyncIndex first, SyncIndex last, TimeVector& into) const {
  Ticks waits = 0;
  for (SyncIndex at = after(first); at < last; ++at.value) waits += subtract_wait(points_.points[at], into);
  if (!first.is_valid()) add(0, points_.points[last].position, into);
  else add_operations(first, last, into);
  return waits;
}

PathTimes IntervalTimes::without_waits(LogPosition begin, LogPosition end, SyncIndex first_point, SyncIndex end_point) {
  add_selected(begin, end);
  subtract_counted_waits(first_point, end_point);
  return take();
}

PathTimes IntervalTimes::up_to_last_barriers() {
  const Rows<SyncPoint>& points = points_.points;
  for (std::size_t i = 1; i < points.size(); ++i)
    if (points[i].kind != SyncKind::kFork) add_selected(points[i - 1].position, points[i].position);
  subtract_counted_waits(SyncIndex(0), points_.points.next_id());
  return take();
}

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
