// interval_times.cpp -- time per call path between two synchronisation points, without waiting.
#include "analysis/delay/interval_times.hpp"

#include <algorithm>

namespace tarry {

Ticks total_of(const PathTimes& times) {
  Ticks total = 0;
  for (const PathTime& entry : times) total += entry.time;
  return total;
}

void difference(const PathTimes& cause, const PathTimes& waiter, PathTimes& into) {
  into.clear();
  auto other = waiter.begin();
  for (const PathTime& entry : cause) {
    while (other != waiter.end() && other->path < entry.path) ++other;
    const Ticks there = other != waiter.end() && other->path == entry.path ? other->time : 0;
    if (entry.time > there) into.push_back({entry.path, entry.time - there});
  }
}

void IntervalTimes::add(LogPosition begin, LogPosition end) {
  if (is_capped_) return add_capped(begin, end);
  thread_.log.for_each(begin, end, [&](PathIndex path, Ticks time) { add_time(path, time); });
}

// What lies between the positions where selected ranges begin and end.
void IntervalTimes::add_selected(LogPosition begin, LogPosition end) {
  if (!thread_.selected) return add(begin, end);
  const std::vector<LogPosition>& cuts = thread_.cuts;
  const auto first = static_cast<std::size_t>(std::upper_bound(cuts.begin(), cuts.end(), begin) - cuts.begin());
  for (std::size_t at = first / 2 * 2; at < cuts.size() && cuts[at] < end; at += 2)
    add(std::max(begin, cuts[at]), std::min(end, cuts[at + 1]));
}

// The reference takes a snapshot at each sync point, and adds the snapshots of an interval up.
void IntervalTimes::add_capped(LogPosition begin, LogPosition end) {
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
  for (const auto& [path, time] : whole.entries()) add_time(path, time);
}

void IntervalTimes::subtract_waits(SyncIndex first_point, SyncIndex end_point) {
  // Waits of one call path may add up to more than its time only together, so they are summed before the floor at 0;
  // taking them off one after another with a floor gives the same.
  for (SyncIndex at = first_point; at < end_point; ++at)
    if (const SyncPoint& point = points_.points[at]; point.wait > 0) subtract(point.path, point.wait);
}

void IntervalTimes::subtract_counted_waits(SyncIndex first_point, SyncIndex end_point) {
  if (!counted_waits_) return subtract_waits(first_point, end_point);
  for (SyncIndex at = first_point; at < end_point; ++at)
    if (const Ticks wait = (*counted_waits_)[at]; wait > 0) subtract(points_.points[at].path, wait);
}

void IntervalTimes::take(PathTimes& into) {
  into.clear();
  for (const PathIndex path : scratch_.touched) {
    Ticks& time = scratch_.times[path];
    if (time > 0) into.push_back({to_unified_[path], time});
    time = 0;
  }
  scratch_.touched.clear();
  std::sort(into.begin(), into.end(), [](const PathTime& a, const PathTime& b) { return a.path < b.path; });
}

PathTimes IntervalTimes::take() {
  PathTimes result;
  take(result);
  return result;
}

PathTimes IntervalTimes::raw(LogPosition begin, LogPosition end) {
  add_selected(begin, end);
  return take();
}

void IntervalTimes::pruned(SyncIndex first, SyncIndex last, PathTimes& into) {
  if (first == kNone32) {
    add(0, points_.points[last].position);
    subtract_waits(0, last);
    return take(into);
  }
  const SyncPoint& start = points_.points[first];
  add(start.position, points_.points[last].position);
  subtract_waits(first + 1, last);
  // The completion is negative after a late receiver in compat mode: then more than the operation is taken off.
  subtract(start.path, std::max<Ticks>(0, start.total - start.completion));
  take(into);
}

PathTimes IntervalTimes::without_waits(LogPosition begin, LogPosition end, SyncIndex first_point, SyncIndex end_point) {
  add_selected(begin, end);
  subtract_counted_waits(first_point, end_point);
  return take();
}

PathTimes IntervalTimes::up_to_last_barriers() {
  const auto count = static_cast<SyncIndex>(points_.points.size());
  for (SyncIndex at = 1; at < count; ++at)
    if (points_.points[at].kind != SyncKind::kFork)
      add_selected(points_.points[at - 1].position, points_.points[at].position);
  subtract_counted_waits(0, count);
  return take();
}

Ticks IntervalTimes::waits_between(SyncIndex first, SyncIndex last) const {
  Ticks sum = 0;
  for (SyncIndex at = after(first); at < last; ++at) sum += std::max<Ticks>(0, points_.points[at].wait);
  return sum;
}

SyncIndex find_start(const Trace& trace, const SyncPoints& points, SyncIndex before, std::uint32_t partner) {
  for (SyncIndex at = before; at-- > 0;)
    if (has_partner(trace, points, points.points[at], partner)) return at;
  return kNone32;
}

}  // namespace tarry
