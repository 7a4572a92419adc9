// time_rounding.cpp -- what rounding leaves of times that are equal in ticks, in the reference analyser's seconds.
//
// Two threads spend 5 ticks each in a call path, from 1000 to 1005 and from 1001 to 1006. In seconds since the origin,
// as floating-point numbers, the differences are 5.0e-9 and 5.0e-9 + 4e-17. Where nothing else is longer, this is the
// whole delay, and it costs the whole wait.
#include "analysis/delay/time_rounding.hpp"

#include <algorithm>
#include <cmath>

namespace tarry {
namespace {

// Remainders are multiples of 2^-72 s a microsecond after the origin, of 2^-41 s an hour after it.
constexpr int kUnitBits = 72;
constexpr double kMostUnits = 1e13;  // more come of damaged time stamps; so that sums do not overflow

void take_off(RoundedTimes& times, PathIndex path, double seconds) {
  for (PathSeconds& entry : times)
    if (entry.path == path) entry.seconds = std::max(0.0, entry.seconds - seconds);
}

// Of the operation at the start of an interval, all but its completion.
double uncompleted(const Clock& clock, const SyncPoint& start) {
  const auto at = [&](Ticks time) { return BarrierSeconds::since_origin(clock, time); };
  if (start.kind == SyncKind::kThreadBarrier) return at(start.enter + start.total) - at(start.enter);
  const double total = at(start.enter) - at(start.enter - start.total);
  return total - (at(start.enter) - at(start.enter - start.completion));
}

}  // namespace

RoundedTimes rounded_times(const Clock& clock, const LogicalThread& thread, const SyncPoints& points,
                           const std::vector<PathIndex>& to_unified, SyncIndex first, SyncIndex last) {
  if (!thread.barrier_seconds) return {};
  const std::span<const PathSeconds> before = thread.barrier_seconds->before(points.points[last].barrier());
  RoundedTimes times(before.begin(), before.end());
  take_off(times, points.points[first].path, uncompleted(clock, points.points[first]));
  for (SyncIndex at = IntervalTimes::after(first); at < last; ++at.value)
    if (const SyncPoint& point = points.points[at]; point.wait > 0)
      take_off(times, point.path, static_cast<double>(point.wait) / clock.ticks_per_second);
  for (PathSeconds& entry : times) entry.path = to_unified[entry.path];
  std::sort(times.begin(), times.end(), [](const auto& a, const auto& b) { return a.path < b.path; });
  return times;
}

void rounding_excess(const RoundedTimes& cause, const RoundedTimes& waiter, PathTimes& into) {
  into.clear();
  auto other = waiter.begin();
  for (const PathSeconds& entry : cause) {
    while (other != waiter.end() && other->path < entry.path) ++other;
    const double there = other != waiter.end() && other->path == entry.path ? other->seconds : 0;
    const double units = std::ldexp(entry.seconds - there, kUnitBits);
    if (units >= 1) into.push_back({entry.path, static_cast<Ticks>(std::min(units, kMostUnits))});
  }
}

}  // namespace tarry
